import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is not null, and returns it.
 * @throws when that takes longer than `timeoutMs`, naming what was waited for.
 */
export async function until<T>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<T | null>,
  pauseMs = 50,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${timeoutMs / 1000} s: ${what}.`);
    await sleep(pauseMs);
  }
}
