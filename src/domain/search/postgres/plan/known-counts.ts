/*
 * Numbers of matches that were counted lately: to count those of a usual word takes most of the time of its page, and the number
 * stays the same until a search row changes. Each statement that writes such rows leaves a mark in the database, and the sum of
 * the marks that a page sees tells whether a number is still that of the same rows.
 */
import { hash } from 'node:crypto';
import { RecentlyUsed } from '../../../../infra/recently-used.ts';
import type { Target } from './arms.ts';
import { countSql } from './count.ts';
import { Values } from './statement.ts';

/** The state of the search rows that a statement sees, as an expression of type text. */
export const STATE = '(SELECT coalesce(sum(mark), 0)::text FROM search_change)';

/** A number of matches, and the state in which it was counted. */
export interface KnownCount {
  count: number;
  state: string;
}

/** So many numbers are remembered: about 2 MB. */
const MOST = 10_000;

const keyOf = (target: Target): string => {
  const values = new Values();
  const sql = countSql(target, values);
  return hash('sha1', JSON.stringify([sql, values.all]), 'base64url');
};

/** The numbers that a process remembers. With a `most` of 0 none is. */
export class KnownCounts {
  readonly #counts: RecentlyUsed<string, KnownCount>;

  constructor(most = MOST) {
    this.#counts = new RecentlyUsed(most);
  }

  /** What was counted last; whoever takes it compares its state. */
  get(target: Target): KnownCount | undefined {
    return this.#counts.get(keyOf(target));
  }

  set(target: Target, known: KnownCount): void {
    this.#counts.set(keyOf(target), known, 1);
  }
}
