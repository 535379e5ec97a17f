import type { Slice } from '../query/page-window.ts';
import type { SearchRequest } from '../query/search-request.ts';

/** An add-on that was found, and its `_score` (contract, Add-on); 1 without a query. */
export interface Hit {
  id: number;
  score: number;
}

/** How many results have each value. A value that none has is left out. */
export interface Facets {
  types: Readonly<Record<string, number>>;
  applications: Readonly<Record<string, number>>;
  platforms: Readonly<Record<string, number>>;
  /** By the category's id. */
  categories: Readonly<Record<string, number>>;
  tags: Readonly<Record<string, number>>;
  /** By the language codes that names are written in. */
  locales: Readonly<Record<string, number>>;
}

export interface SearchPage {
  /** All results, also those that no page reaches. */
  count: number;
  hits: readonly Hit[];
}

/**
 * Ranks the ids of publicly visible add-ons by one relevance model. What it finds is a candidate: whoever shows an add-on
 * reads it from the database under the visibility rule.
 */
export interface SearchEngine {
  /** The results of a request in a slice, and their number; of the number alone without a slice. */
  search(request: SearchRequest, slice: Slice | null): Promise<SearchPage>;
  /** At most ten add-ons for what has been typed so far, matched by name. */
  autocomplete(request: SearchRequest): Promise<readonly Hit[]>;
  /** What the results of a request have in common. */
  facets(request: SearchRequest): Promise<Facets>;
}

export const MOST_SUGGESTIONS = 10;
