import { SecondChanceCache } from '../../../../infra/second-chance-cache.ts';
import type { SearchRequest } from '../../query/search-request.ts';

/** Smaller numbers are always counted: that takes little time, and a difference of one is noticed. */
const MIN_COUNT = 10_000;
const MAX_AGE_MS = 60_000;
const MAX_COUNTS = 1_000;

/**
 * Large numbers of matches, for a minute. Counting is most of the work of a search that very many add-ons match; such queries are sent
 * often, and once for each page that a client reads.
 */
export class RecentCounts {
  readonly #minimum: number;
  readonly #counts = new SecondChanceCache<string, { count: number; since: number }>(MAX_COUNTS);

  /** Numbers below `minimum` are not kept. */
  constructor(minimum = MIN_COUNT) {
    this.#minimum = minimum;
  }

  /** The number of matches of a request, at most a minute old; undefined if it must be counted. */
  get(request: SearchRequest): number | undefined {
    const known = this.#counts.get(keyOf(request));
    return known === undefined || performance.now() - known.since > MAX_AGE_MS ? undefined : known.count;
  }

  /** Keeps a number that was counted just now. */
  set(request: SearchRequest, count: number): void {
    if (count >= this.#minimum) this.#counts.set(keyOf(request), { count, since: performance.now() }, 1);
  }
}

/** Everything that the number depends on. */
const keyOf = ({ query, locale, filters }: SearchRequest): string => JSON.stringify([query, locale, filters]);
