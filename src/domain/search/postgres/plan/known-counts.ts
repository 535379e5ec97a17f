/*
 * Cache of match counts. Counting a frequent word takes most of the time of its page, and the count changes only with the search rows.
 * Each statement that writes rows leaves a mark in the database; the sum of the marks that a statement sees identifies the state of the
 * rows and is part of the cache entry.
 */
import { hash } from 'node:crypto';
import { SecondChanceCache } from '../../../../infra/second-chance-cache.ts';
import type { Target } from './arms.ts';
import { countSql } from './count.ts';
import { Values } from './statement.ts';

/** SQL expression (text) of the state of the search rows that a statement sees. */
export const STATE = '(SELECT coalesce(sum(mark), 0)::text FROM search_change)';

/** A number of matches and the state in which it was counted. */
export interface KnownCount {
  count: number;
  state: string;
}

/** Maximum number of entries, about 2 MB. */
const MAX_COUNTS = 10_000;

const keyOf = (target: Target): string => {
  const values = new Values();
  const sql = countSql(target, values);
  return hash('sha1', JSON.stringify([sql, values.all]), 'base64url');
};

/** Cache of match counts of one process. A maximum of 0 disables it. */
export class KnownCounts {
  readonly #counts: SecondChanceCache<string, KnownCount>;

  constructor(maxCounts = MAX_COUNTS) {
    this.#counts = new SecondChanceCache(maxCounts);
  }

  /** The last count; the caller compares its state. */
  get(target: Target): KnownCount | undefined {
    return this.#counts.get(keyOf(target));
  }

  set(target: Target, known: KnownCount): void {
    this.#counts.set(keyOf(target), known, 1);
  }
}
