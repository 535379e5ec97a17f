import { SecondChanceCache } from '../../../../infra/second-chance-cache.ts';
import type { SearchRequest } from '../../query/search-request.ts';

/** Smaller counts are never cached: they take little time, and a difference of one is noticed. */
const MIN_COUNT = 10_000;
const MAX_AGE_MS = 60_000;
const MAX_COUNTS = 1_000;

/**
 * Caches large result counts for a minute. Counting is most of the work of a search that very many add-ons match; clients send such
 * queries often, and again for each page.
 */
export class CountCache {
  readonly #minimum: number;
  readonly #counts = new SecondChanceCache<string, { count: number; since: number }>(MAX_COUNTS);

  /** Counts below `minimum` are not cached. */
  constructor(minimum = MIN_COUNT) {
    this.#minimum = minimum;
  }

  /** The result count of a request, at most a minute old; undefined if the matches must be counted. */
  get(request: SearchRequest): number | undefined {
    const known = this.#counts.get(keyOf(request));
    return known === undefined || performance.now() - known.since > MAX_AGE_MS ? undefined : known.count;
  }

  /** Caches a count that was read just now. */
  set(request: SearchRequest, count: number): void {
    if (count >= this.#minimum) this.#counts.set(keyOf(request), { count, since: performance.now() }, 1);
  }
}

/** Everything that a count depends on. */
const keyOf = ({ query, locale, alsoIn = [], filters }: SearchRequest): string =>
  JSON.stringify([query, locale, alsoIn, filters]);
