/** Runs one statement and gives its rows. */
export type Run = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

/** Numbers as PostgreSQL writes an array of them. */
export const numberArray = (numbers: readonly number[]): string => `{${numbers.join()}}`;

/** The values of a statement under way; each is named by where it stands. */
export class Values {
  readonly all: unknown[] = [];

  /** Adds a value and returns how the statement refers to it. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}
