/** Caches the result of `work` for some time, failures excepted. Concurrent callers share one run. */
export function cachedFor<Result>(ms: number, work: () => Promise<Result>): () => Promise<Result> {
  let cached: { result: Promise<Result>; since: number } | undefined;
  return () => {
    if (cached === undefined || performance.now() - cached.since > ms) {
      const result = work().catch((error: unknown) => {
        cached = undefined;
        throw error;
      });
      cached = { result, since: performance.now() };
    }
    return cached.result;
  };
}
