/** Work on archives up to this size runs concurrently, because it takes little memory. */
const MAX_CONCURRENT_BYTES = 4 * 1024 * 1024;

let last: Promise<unknown> = Promise.resolve();
let tidyUp = (): void => {};

/** Sets a callback to run after each piece of work on a large archive. */
export function afterEachTurn(work: () => void): void {
  tidyUp = work;
}

/**
 * Runs `work` on an archive of `size` bytes. Work on large archives runs one at a time: it is CPU-bound, and concurrent work
 * would need far more memory. `work` must not wait for a database, a signer or another turn.
 */
export function inTurn<T>(size: number, work: () => Promise<T>): Promise<T> {
  if (size <= MAX_CONCURRENT_BYTES) return work();
  const turn = last.then(work).finally(() => tidyUp());
  last = turn.catch(() => undefined);
  return turn;
}
