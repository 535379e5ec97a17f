/** The value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard error of the mean of independent values. */
export function standardError(values: readonly number[]): number {
  const center = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}

/** Runs `work` sequentially, after `warmUp` uncounted rounds. Returns the milliseconds of each round. */
export async function time(rounds: number, warmUp: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const started = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - started);
  }
  return times;
}
