/** Work on archives up to this size runs side by side; it is over before it could cost memory. */
const SIDE_BY_SIDE_BYTES = 4 * 1024 * 1024;

let last: Promise<unknown> = Promise.resolve();
let tidyUp = (): void => {};

/** Has `work` done after every piece of work on a large archive, in its turn. */
export function afterEachTurn(work: () => void): void {
  tidyUp = work;
}

/**
 * Runs `work` on an archive of `size` bytes; work on large archives waits until the work before it is done, and throws
 * what it throws. Reading one is bound by the processor, so nothing is lost, while several at once keep each other's
 * buffers alive and need far more memory. Nothing that waits for a database, a signer or another turn may be run in turn.
 */
export function inTurn<T>(size: number, work: () => Promise<T>): Promise<T> {
  if (size <= SIDE_BY_SIDE_BYTES) return work();
  const turn = last.then(work).finally(() => tidyUp());
  last = turn.catch(() => undefined);
  return turn;
}
