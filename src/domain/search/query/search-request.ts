/*
 * A search as the engines take it: every value checked, every word known.
 */
import type { AddonType, Application, Platform } from '../index/codes.ts';

/** The keys to sort by (contract, search); all but `random` sort downwards. */
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

/** An application, and the version of it that add-ons have to work in. */
export interface ApplicationFilter {
  app: Application;
  /** Encoded as `encodeApplicationVersion` does. */
  version: number | null;
}

/** Ids on one side, names in lower case on the other: either may match. */
export interface Named {
  ids: readonly number[];
  names: readonly string[];
}

/** Which featured entries count; null for any. */
export interface FeaturedFilter {
  app: Application | null;
  locale: string | null;
}

/** What results have to be, whatever they are ordered by. An empty list filters nothing. */
export interface SearchFilters {
  application: ApplicationFilter | null;
  types: readonly AddonType[];
  platform: Platform | null;
  /** Slug of a category of `application` and `types`. */
  category: string | null;
  authors: Named;
  excluded: Named;
  guids: readonly string[];
  /** All of them. */
  tags: readonly string[];
  featured: FeaturedFilter | null;
}

export interface SearchRequest {
  /** Null without a query. */
  query: string | null;
  /** The language that the query is read in, beside the default language of each add-on. */
  locale: string;
  filters: SearchFilters;
  /** At least one key; `random` is alone. */
  sort: readonly SortKey[];
}
