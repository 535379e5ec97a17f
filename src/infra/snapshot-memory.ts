/*
 * What was read from the database, for as long as nothing is written to it. A statement sees the database as of a snapshot,
 * which says of every transaction whether it can be seen: two statements with the same snapshot see the same rows (PostgreSQL
 * documentation, Concurrency Control and `pg_current_snapshot`). So nobody is answered from memory who has not learnt from the
 * database, after he asked, that its snapshot is still the one in which the answer was read.
 */
import { lookupPool } from './db.ts';

/** So many answers are held at most. */
const MOST_HELD = 20_000;

/** With when the server started: one that was restarted, or took over, may come to the same numbers with other rows. */
const SNAPSHOT = `concat(pg_postmaster_start_time(), ' ', pg_current_snapshot())`;

const PRESENT = { name: 'present-snapshot', text: `SELECT ${SNAPSHOT} AS snapshot` };

/** The name of the snapshot that a statement has now. While it stays the same, all rows do. */
export async function readSnapshot(): Promise<string> {
  const [row] = (await lookupPool.query<{ snapshot: string }>(PRESENT)).rows;
  if (row === undefined) throw new Error('a snapshot has no name');
  return row.snapshot;
}

interface Held<Key, Value> {
  snapshot: string;
  answers: Map<Key, Value>;
}

/** Looks things up by key, with one statement each time, which reads them only where that is needed. */
export class SnapshotMemory<Key extends number | string, Row, Value> {
  readonly #statement: { name: string; text: string };
  readonly #toValue: (row: Row) => Value;
  #held: Held<Key, Value> = { snapshot: '', answers: new Map() };

  /**
   * `select` reads what stands for the keys of the array `$2`, as the columns `key` and `value`, a JSON value; it may call
   * nothing whose answer depends on more than rows. `name` is that of the prepared statement.
   */
  constructor(name: string, select: string, toValue: (row: Row) => Value) {
    const found = `SELECT json_agg(json_build_array(found.key, found.value)) FROM (${select}) AS found`;
    const text = `SELECT seen.snapshot, CASE WHEN seen.snapshot = $1 THEN NULL ELSE (${found}) END AS found
      FROM (SELECT ${SNAPSHOT} AS snapshot OFFSET 0) AS seen`;
    this.#statement = { name, text };
    this.#toValue = toValue;
  }

  /** What stands for these keys at one moment after the call, perhaps among more. Shared: nobody changes it. */
  async read(keys: readonly Key[]): Promise<ReadonlyMap<Key, Value>> {
    const held = this.#held;
    const isHeld = keys.every((key) => held.answers.has(key));
    const values = [isHeld ? held.snapshot : '', keys];
    type Answer = { snapshot: string; found: [Key, Row][] | null };
    const [answer] = (await lookupPool.query<Answer>({ ...this.#statement, values })).rows;
    if (answer === undefined) throw new Error('a snapshot has no name');
    if (isHeld && answer.snapshot === held.snapshot) return held.answers;
    const found = (answer.found ?? []).map(([key, row]) => [key, this.#toValue(row)] as const);
    return this.#hold(answer.snapshot, found);
  }

  /** Answers that are with a reader already stay what they are: maps are added to, and replaced by others. */
  #hold(snapshot: string, found: readonly (readonly [Key, Value])[]): ReadonlyMap<Key, Value> {
    const { answers } = this.#held;
    if (snapshot === this.#held.snapshot && answers.size + found.length <= MOST_HELD) {
      for (const [key, value] of found) answers.set(key, value);
      return answers;
    }
    this.#held = { snapshot, answers: new Map(found) };
    return this.#held.answers;
  }
}
