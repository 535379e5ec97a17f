/* The request of a search or of autocomplete, and how its values are parsed. */
import { type InvalidInputError, refusedField } from '../../../errors.ts';
import { comparableText } from '../../../infra/storable-text.ts';
import { encodeSingleVersion } from '../../../package/application-version.ts';
import {
  ADDON_TYPES,
  type AddonType,
  APPLICATIONS,
  type Application,
  PLATFORMS,
  type Platform,
} from '../../../package/enums.ts';
import { canonicalLocale } from '../../../texts/locales.ts';
import { message } from '../../../texts/messages.ts';
import { printable } from '../../../texts/printable.ts';
import type { LexemeCondition } from './tiers.ts';

/** A comma-separated text or a list. */
export type ListValue = string | readonly string[];

/** The values of a search; absent ones are undefined or null. */
export interface SearchValues {
  q?: string | null;
  app?: string | null;
  appVersion?: string | null;
  authors?: Partial<NamesOrIds> | null;
  category?: string | null;
  excludeAddons?: Partial<NamesOrIds> | null;
  featured?: string | boolean | null;
  guids?: ListValue | null;
  lang?: string | null;
  platform?: string | null;
  tags?: ListValue | null;
  types?: ListValue | null;
  sort?: ListValue | null;
}

export interface SearchOptions {
  /** The language of the response. */
  locale: string;
  /** Add-on types to exclude. */
  except: readonly AddonType[];
}

/** Maximum number of characters of a query. */
export const MAX_QUERY_LENGTH = 100;
const MAX_VALUES = 500;

/**
 * Parses the values of a search.
 * @throws {InvalidInputError} keyed by the invalid value.
 */
export function readSearchRequest(values: SearchValues, options: SearchOptions): SearchRequest {
  const query = readQuery(values.q);
  const filters = readFilters(values, options);
  return { query, locale: options.locale, filters, sort: readSort(values, query) };
}

const tooMany = (name: string, found: number): InvalidInputError =>
  refusedField(name, message('parameter.too_many', { name, found, max: MAX_VALUES }));

function readQuery(q: string | null | undefined): string | null {
  const query = (q ?? '').trim();
  if (Array.from(q ?? '').length > MAX_QUERY_LENGTH) throw refusedField('q', message('search.query_too_long'));
  return query === '' ? null : query;
}

function readFilters(values: SearchValues, { except }: SearchOptions): SearchFilters {
  const types = ADDON_TYPES.filter((type) => !except.includes(type));
  const wanted = values.types == null ? null : enumValues('types', types, values.types);
  const application = readApplication(values);
  const category = application === null || wanted === null ? null : toComparable(values.category ?? '').toLowerCase();
  return {
    application,
    types: wanted ?? (except.length === 0 ? [] : types),
    platform: values.platform == null ? null : (enumValues('platform', PLATFORMS, [values.platform])[0] ?? null),
    category: category || null,
    authors: named('authors', values.authors),
    excluded: named('excludeAddons', values.excludeAddons),
    guids: listed('guids', values.guids).map((guid) => guid.toLowerCase()),
    tags: listed('tags', values.tags),
    featured: readFeatured(values, application?.app ?? null),
  };
}

const toComparable = (text: string): string => comparableText(text).trim();

const comparableTexts = (entries: readonly string[]): string[] =>
  entries.map(toComparable).filter((entry) => entry !== '');

/** Trimmed, non-empty entries of a list without duplicates. */
function listed(name: string, value: ListValue | null | undefined): string[] {
  const entries = typeof value === 'string' ? value.split(',') : (value ?? []);
  const texts = comparableTexts(entries);
  if (texts.length > MAX_VALUES) throw tooMany(name, texts.length);
  return [...new Set(texts)];
}

/** Entries of a list with at least one entry, all of which must be in `allowed`. */
function enumValues<Value extends string>(name: string, allowed: readonly Value[], value: ListValue): Value[] {
  const entries = typeof value === 'string' ? value.split(',') : value;
  const known = entries.map((entry) => allowed.find((word) => word === entry.trim()));
  if (known.length === 0 || known.includes(undefined)) {
    const unknown = entries[known.indexOf(undefined)] ?? '';
    const facts = { name, value: printable(unknown), words: allowed.join(', ') };
    throw refusedField(name, message('parameter.list_not_one_of', facts));
  }
  return [...new Set(known as Value[])];
}

/** Ids, and names in small letters, without duplicates. */
function named(name: string, value: Partial<NamesOrIds> | null | undefined): NamesOrIds {
  const { ids = [], names = [] } = value ?? {};
  const texts = comparableTexts(names);
  if (ids.length + texts.length > MAX_VALUES) throw tooMany(name, ids.length + texts.length);
  return { ids: [...new Set(ids)], names: [...new Set(texts)].map((entry) => entry.toLowerCase()) };
}

function readApplication({ app, appVersion }: SearchValues): ApplicationFilter | null {
  if (app == null) {
    if (appVersion != null) throw refusedField('app', message('parameter.app_missing', { name: 'appVersion' }));
    return null;
  }
  const [application] = enumValues<Application>('app', APPLICATIONS, [app]) as [Application];
  if (appVersion == null) return { app: application, version: null };
  if (appVersion.trim() === '')
    throw refusedField('app', message('search.app_without_version', { name: 'appVersion' }));
  const version = encodeSingleVersion(appVersion);
  if (version === null) {
    throw refusedField(
      'appVersion',
      message('parameter.not_version', { name: 'appVersion', value: printable(appVersion) }),
    );
  }
  return { app: application, version };
}

function readFeatured({ featured, lang }: SearchValues, app: Application | null): FeaturedFilter | null {
  if (featured == null) return null;
  if (featured !== true && featured !== 'true') {
    const facts = { name: 'featured', value: printable(String(featured)), words: 'true' };
    throw refusedField('featured', message('parameter.not_one_of', facts));
  }
  return { app, locale: lang ? (canonicalLocale(lang) ?? toComparable(lang)) : null };
}

/** Default order: relevance with a query, downloads without. */
function readSort({ sort, featured }: SearchValues, query: string | null): SortKey[] {
  const keys = sort == null ? [] : enumValues<SortKey>('sort', SORT_KEYS, sort);
  if (keys.includes('random')) {
    if (keys.length > 1) throw refusedField('sort', message('search.random_combined'));
    if (featured == null || query !== null) throw refusedField('sort', RANDOM_NEEDS_FEATURED);
    return keys;
  }
  const useful = query === null ? keys.filter((key) => key !== 'relevance') : keys;
  if (useful.length > 0) return useful;
  return [query === null ? 'downloads' : 'relevance'];
}

const RANDOM_NEEDS_FEATURED = message('search.random_not_featured');

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
interface NamesOrIds {
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
  authors: NamesOrIds;
  excluded: NamesOrIds;
  guids: readonly string[];
  /** All of them. */
  tags: readonly string[];
  featured: FeaturedFilter | null;
  /** Whether today's clients can install a file of the add-on. */
  isInstallable?: boolean;
  /** What names must match in addition to the query. */
  name?: LexemeCondition;
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
export interface OffsetLimit {
  offset: number;
  limit: number;
}
