/** Runs one statement and returns its rows. */
export type Run = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

/** Numbers as a PostgreSQL array text. */
export const numberArray = (numbers: readonly number[]): string => `{${numbers.join()}}`;

/** Collects the parameters of a statement; each is referenced by position. */
export class Values {
  readonly all: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** Caches the result of `work` for some time, failures excepted. */
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
