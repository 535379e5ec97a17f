/*
 * Parses the values of search and autocomplete into a SearchRequest.
 */

import { type InvalidInputError, refusedField } from '../../../errors.ts';
import { storableText } from '../../../infra/storable-text.ts';
import { ADDON_TYPES, type AddonType, APPLICATIONS, type Application, PLATFORMS } from '../../../package/enums.ts';
import { encodeSingleVersion } from '../../../package/versions/application-version.ts';
import { type Message, message } from '../../../texts/messages.ts';
import { printable } from '../../../texts/printable.ts';
import { canonicalLocale } from '../../addons/locales.ts';
import {
  type ApplicationFilter,
  type FeaturedFilter,
  type Named,
  type SearchFilters,
  type SearchRequest,
  SORT_KEYS,
  type SortKey,
} from './search-request.ts';

/** A comma-separated text or a list. */
export type Listed = string | readonly string[];

/** The values of a search; absent ones are undefined or null. */
export interface SearchValues {
  q?: string | null;
  app?: string | null;
  appVersion?: string | null;
  authors?: Partial<Named> | null;
  category?: string | null;
  excludeAddons?: Partial<Named> | null;
  featured?: string | boolean | null;
  guids?: Listed | null;
  lang?: string | null;
  platform?: string | null;
  tags?: Listed | null;
  types?: Listed | null;
  sort?: Listed | null;
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

export const invalid = (name: string, problem: Message): InvalidInputError => refusedField(name, problem);

const tooMany = (name: string, found: number): InvalidInputError =>
  invalid(name, message('parameter.too_many', { name, found, max: MAX_VALUES }));

function readQuery(q: string | null | undefined): string | null {
  const query = (q ?? '').trim();
  if (Array.from(q ?? '').length > MAX_QUERY_LENGTH) throw invalid('q', message('search.query_too_long'));
  return query === '' ? null : query;
}

function readFilters(values: SearchValues, { except }: SearchOptions): SearchFilters {
  const types = ADDON_TYPES.filter((type) => !except.includes(type));
  const wanted = values.types == null ? null : enumValues('types', types, values.types);
  const application = readApplication(values);
  const category = application === null || wanted === null ? null : toStorable(values.category ?? '').toLowerCase();
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

const toStorable = (text: string): string => storableText(text).trim();

const storableTexts = (entries: readonly string[]): string[] => entries.map(toStorable).filter((entry) => entry !== '');

/** Trimmed, non-empty entries of a list without duplicates. */
function listed(name: string, value: Listed | null | undefined): string[] {
  const entries = typeof value === 'string' ? value.split(',') : (value ?? []);
  const texts = storableTexts(entries);
  if (texts.length > MAX_VALUES) throw tooMany(name, texts.length);
  return [...new Set(texts)];
}

/** Entries of a list with at least one entry, all of which must be in `allowed`. */
function enumValues<Value extends string>(name: string, allowed: readonly Value[], value: Listed): Value[] {
  const entries = typeof value === 'string' ? value.split(',') : value;
  const known = entries.map((entry) => allowed.find((word) => word === entry.trim()));
  if (known.length === 0 || known.includes(undefined)) {
    const unknown = entries[known.indexOf(undefined)] ?? '';
    const facts = { name, value: printable(unknown), words: allowed.join(', ') };
    throw invalid(name, message('parameter.list_not_one_of', facts));
  }
  return [...new Set(known as Value[])];
}

/** Ids, and names in small letters, without duplicates. */
function named(name: string, value: Partial<Named> | null | undefined): Named {
  const { ids = [], names = [] } = value ?? {};
  const texts = storableTexts(names);
  if (ids.length + texts.length > MAX_VALUES) throw tooMany(name, ids.length + texts.length);
  return { ids: [...new Set(ids)], names: [...new Set(texts)].map((entry) => entry.toLowerCase()) };
}

function readApplication({ app, appVersion }: SearchValues): ApplicationFilter | null {
  if (app == null) {
    if (appVersion != null) throw invalid('app', message('parameter.app_missing', { name: 'appVersion' }));
    return null;
  }
  const [application] = enumValues<Application>('app', APPLICATIONS, [app]) as [Application];
  if (appVersion == null) return { app: application, version: null };
  if (appVersion.trim() === '') throw invalid('app', message('search.app_without_version', { name: 'appVersion' }));
  const version = encodeSingleVersion(appVersion);
  if (version === null) {
    throw invalid('appVersion', message('parameter.not_version', { name: 'appVersion', value: printable(appVersion) }));
  }
  return { app: application, version };
}

function readFeatured({ featured, lang }: SearchValues, app: Application | null): FeaturedFilter | null {
  if (featured == null) return null;
  if (featured !== true && featured !== 'true') {
    const facts = { name: 'featured', value: printable(String(featured)), words: 'true' };
    throw invalid('featured', message('parameter.not_one_of', facts));
  }
  return { app, locale: lang ? (canonicalLocale(lang) ?? toStorable(lang)) : null };
}

/** Default order: relevance with a query, downloads without. */
function readSort({ sort, featured }: SearchValues, query: string | null): SortKey[] {
  const keys = sort == null ? [] : enumValues<SortKey>('sort', SORT_KEYS, sort);
  if (keys.includes('random')) {
    if (keys.length > 1) throw invalid('sort', message('search.random_combined'));
    if (featured == null || query !== null) throw invalid('sort', RANDOM_NEEDS_FEATURED);
    return keys;
  }
  const useful = query === null ? keys.filter((key) => key !== 'relevance') : keys;
  if (useful.length > 0) return useful;
  return [query === null ? 'downloads' : 'relevance'];
}

const RANDOM_NEEDS_FEATURED = message('search.random_not_featured');
