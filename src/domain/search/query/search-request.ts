import type { AddonType, Application, Platform } from '../../../package/enums.ts';
import type { Condition } from './condition.ts';

/** Sort keys (contract, search); all but `random` sort in descending order. */
export const SORT_KEYS = [
  'created',
  'downloads',
  'hotness',
  'random',
  'rating',
  'relevance',
  'updated',
  'users',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** An application, and the version that add-ons must be compatible with. */
export interface ApplicationFilter {
  app: Application;
  /** Encoded as `encodeApplicationVersion` does. */
  version: number | null;
}

/** Ids and lower-case names; either may match. */
export interface Named {
  ids: readonly number[];
  names: readonly string[];
}

/** A category of one application and one type. */
export interface CategoryKey {
  app: string;
  type: string;
  slug: string;
}

/** Which featured entries match; null for any. */
export interface FeaturedFilter {
  app: Application | null;
  locale: string | null;
}

/** Filters of a search. An empty list does not filter. */
export interface SearchFilters {
  application: ApplicationFilter | null;
  types: readonly AddonType[];
  platform: Platform | null;
  /** Slug of a category of `application` and `types`. */
  category: string | null;
  /** Any of these categories, in addition to `category`. */
  anyCategory?: readonly CategoryKey[];
  authors: Named;
  excluded: Named;
  guids: readonly string[];
  /** All of them. */
  tags: readonly string[];
  featured: FeaturedFilter | null;
  /** Whether today's clients can install a file of the add-on. */
  isInstallable?: boolean;
  /** What names must match in addition to the query. */
  name?: Condition;
}

export interface SearchRequest {
  /** Null without a query. */
  query: string | null;
  /** Language of the query, in addition to each add-on's default language. */
  locale: string;
  /** Further languages of names and texts that the query searches. */
  alsoIn?: readonly string[];
  /** Whether misspelt names are no results, although nothing matches as written. */
  isStrict?: boolean;
  filters: SearchFilters;
  /** At least one key; `random` only alone. */
  sort: readonly SortKey[];
}

/** A page as offset and limit. */
export interface Slice {
  offset: number;
  limit: number;
}
