import { setTimeout as sleep } from 'node:timers/promises';

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
