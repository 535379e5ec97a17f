/*
 * Parses the parameters of search and autocomplete, from REST or GraphQL, into a SearchRequest. The contract fixes the error
 * texts and keys (search; 400 body).
 */

import { type InvalidInputError, refusedField } from '../../../errors.ts';
import { MAX_INT4 } from '../../../infra/int4.ts';
import { storableText } from '../../../infra/storable-text.ts';
import { encodeSingleVersion } from '../../../package/versions/application-version.ts';
import { ADDON_TYPES, type AddonType, APPLICATIONS, type Application, PLATFORMS } from '../../../package/words.ts';
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

/** Parameters by their documented names; absent ones are undefined or null. In lists and texts, digits are database ids. */
export interface SearchValues {
  q?: string | null;
  app?: string | null;
  appversion?: string | null;
  author?: Listed | Named | null;
  category?: string | null;
  exclude_addons?: Listed | Named | null;
  featured?: string | boolean | null;
  guid?: Listed | null;
  lang?: string | null;
  platform?: string | null;
  tag?: Listed | null;
  type?: Listed | null;
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
 * Parses the parameters of a search.
 * @throws {InvalidInputError} keyed by the invalid parameter.
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
  const wanted = values.type == null ? null : enumValues('type', types, values.type);
  const application = readApplication(values);
  const category = application === null || wanted === null ? null : toStorable(values.category ?? '').toLowerCase();
  return {
    application,
    types: wanted ?? (except.length === 0 ? [] : types),
    platform: values.platform == null ? null : (enumValues('platform', PLATFORMS, [values.platform])[0] ?? null),
    category: category || null,
    authors: named('author', values.author),
    excluded: named('exclude_addons', values.exclude_addons),
    guids: listed('guid', values.guid).map((guid) => guid.toLowerCase()),
    tags: listed('tag', values.tag),
    featured: readFeatured(values, application?.app ?? null),
  };
}

const toStorable = (text: string): string => storableText(text).trim();

/** Trimmed, non-empty entries of a list without duplicates. */
function listed(name: string, value: Listed | null | undefined): string[] {
  const entries = typeof value === 'string' ? value.split(',') : (value ?? []);
  const texts = entries.map(toStorable).filter((entry) => entry !== '');
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

/** In a text or list, digits within the id range are an id; everything else is a case-insensitive name. */
function named(name: string, value: Listed | Named | null | undefined): Named {
  if (isNamed(value)) {
    if (value.ids.length > MAX_VALUES) throw tooMany(name, value.ids.length);
    return { ids: [...new Set(value.ids)], names: listed(name, value.names).map((entry) => entry.toLowerCase()) };
  }
  const entries = listed(name, value);
  const isId = (entry: string) => /^\d+$/.test(entry) && Number(entry) <= MAX_INT4;
  return {
    ids: entries.filter(isId).map(Number),
    names: entries.filter((entry) => !isId(entry)).map((entry) => entry.toLowerCase()),
  };
}

function isNamed(value: Listed | Named | null | undefined): value is Named {
  return typeof value === 'object' && value !== null && 'ids' in value;
}

function readApplication({ app, appversion }: SearchValues): ApplicationFilter | null {
  if (app == null) {
    if (appversion != null) throw invalid('app', message('parameter.app_missing', { name: 'appversion' }));
    return null;
  }
  const [application] = enumValues<Application>('app', APPLICATIONS, [app]) as [Application];
  if (appversion == null) return { app: application, version: null };
  if (appversion.trim() === '') throw invalid('app', message('search.app_without_version', { name: 'appversion' }));
  const version = encodeSingleVersion(appversion);
  if (version === null) {
    throw invalid('appversion', message('parameter.not_version', { name: 'appversion', value: printable(appversion) }));
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
