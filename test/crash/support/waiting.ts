import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a worker may need for its next version, in milliseconds: validators have a low priority, so that on a busy machine the start
 * of one takes minutes.
 */
export const STALLED_MS = 300_000;

/**
 * Polls until the result is not null, and returns it.
 * @throws after `timeoutMs`, naming `what`.
 */
export async function until<T>(
  what: string,
  timeoutMs: number,
  poll: () => Promise<T | null>,
  pauseMs = 50,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result !== null) return result;
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs / 1000} s: ${what}.`);
    await sleep(pauseMs);
  }
}

/**
 * Polls `left` until it returns an empty list, or until its list has not become shorter for `stallMs`: how long all the work takes
 * depends on its size and on the machine. Returns what is left.
 */
export async function untilNoneLeft<T>(stallMs: number, left: () => Promise<T[]>): Promise<T[]> {
  let shortest = await left();
  try {
    while (shortest.length > 0) {
      shortest = await until('the list to become shorter', stallMs, async () => {
        const now = await left();
        return now.length < shortest.length ? now : null;
      });
    }
    return shortest;
  } catch {
    return left();
  }
}
