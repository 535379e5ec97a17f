import type { Slice } from '../query/page-window.ts';
import type { SearchRequest } from '../query/search-request.ts';

/** A matching add-on and its `_score` (contract, Add-on); 1 without a query. */
export interface Hit {
  id: number;
  score: number;
}

/** Number of results per value; values without results are absent. */
export interface Facets {
  types: Readonly<Record<string, number>>;
  applications: Readonly<Record<string, number>>;
  platforms: Readonly<Record<string, number>>;
  /** By category id. */
  categories: Readonly<Record<string, number>>;
  tags: Readonly<Record<string, number>>;
  /** By language code of names. */
  locales: Readonly<Record<string, number>>;
}

export interface SearchPage {
  /** All results, including those beyond the search window. */
  count: number;
  hits: readonly Hit[];
}

/**
 * The port of both engines. An engine ranks the ids of public add-ons by the model of `query/tiers.ts`. Results are candidates: callers read
 * each add-on from the database under the visibility rule, so a stale index cannot expose a hidden add-on.
 */
export interface SearchEngine {
  /** A slice of the results and their number; without a slice only the number. */
  search(request: SearchRequest, slice: Slice | null): Promise<SearchPage>;
  /** At most ten add-ons whose names match a partial query. */
  autocomplete(request: SearchRequest): Promise<readonly Hit[]>;
  /** Facets of the results. */
  facets(request: SearchRequest): Promise<Facets>;
}

export const MAX_SUGGESTIONS = 10;
