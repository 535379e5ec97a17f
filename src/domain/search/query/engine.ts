import type { OffsetLimit, SearchRequest } from './search-request.ts';

/** A matching add-on and its `_score` (contract, Add-on); 1 without a query. */
export interface SearchHit {
  id: number;
  score: number;
}

type Counts = Record<string, number>;

/** Without a prototype: tags may be `constructor` and `__proto__`. */
const noCounts = (): Counts => Object.create(null);

/** Number of results per value; values without results are absent. Categories are by id, locales by code of the names. */
export const noFacets = (): Record<
  'types' | 'applications' | 'platforms' | 'categories' | 'tags' | 'locales',
  Counts
> => ({
  types: noCounts(),
  applications: noCounts(),
  platforms: noCounts(),
  categories: noCounts(),
  tags: noCounts(),
  locales: noCounts(),
});
export type FacetCounts = ReturnType<typeof noFacets>;

/** The facets of disjoint results together. */
export function sumOfFacets(all: readonly FacetCounts[]): FacetCounts {
  const sum = noFacets();
  for (const facets of all) {
    for (const kind of Object.keys(sum) as (keyof FacetCounts)[]) {
      for (const [value, count] of Object.entries(facets[kind])) sum[kind][value] = (sum[kind][value] ?? 0) + count;
    }
  }
  return sum;
}

/** Maximum number of tags; those with the fewest results are dropped. */
export const MAX_FACET_TAGS = 100;

export interface SearchPage {
  /** All results, including those beyond the search window. */
  count: number;
  hits: readonly SearchHit[];
}

/**
 * The port of both engines. An engine ranks the ids of public add-ons by the model of `query/tiers.ts`. Results are candidates: callers read
 * each add-on from the database under the visibility rule, so a stale index cannot expose a hidden add-on.
 */
export interface SearchEngine {
  /** A slice of the results and their number; without a slice only the number. */
  search(request: SearchRequest, slice: OffsetLimit | null): Promise<SearchPage>;
  /** At most ten add-ons whose names match a partial query. */
  autocomplete(request: SearchRequest): Promise<readonly SearchHit[]>;
  /** Facets of the results. */
  facets(request: SearchRequest): Promise<FacetCounts>;
}

export const MAX_SUGGESTIONS = 10;

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
