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

  /** Adds a large constant, once for all its uses, and returns its placeholder. */
  addOnce(value: string): string {
    const place = this.all.indexOf(value);
    return place < 0 ? this.add(value) : `$${place + 1}`;
  }
}
