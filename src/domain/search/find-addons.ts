import { hash } from 'node:crypto';
import { config } from '../../config.ts';
import { refusedField } from '../../errors.ts';
import type { PageSlice, SliceRows } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import type { AddonType } from '../../package/enums.ts';
import { negotiateLocale } from '../../texts/locales.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { findCategories, findCategorySlug } from '../addons/find-category.ts';
import { loadPublicDocuments, versionOfDocument } from '../addons/load-documents.ts';
import type { SearchHit } from './query/engine.ts';
import {
  type OffsetLimit,
  readSearchRequest,
  type SearchFilters,
  type SearchRequest,
  type SearchValues,
} from './query/search-request.ts';
import { searchAsVisitor, searchEngine, suggestToVisitor } from './search-engine.ts';

/** A matching add-on with its score. */
interface ScoredAddon {
  score: number;
  addon: AddonDocument;
}

/** A slice of the results, and its request. */
interface FoundAddons extends SliceRows<ScoredAddon> {
  request: SearchRequest;
  /** Disjoint searches whose results are those of all pages. */
  parts: readonly SearchRequest[];
  count: number;
}

/** The parameters of a search. */
export interface SearchInput {
  values: SearchValues;
  /** Database ids of categories, any of them; an empty list does not filter. */
  categories: readonly number[];
  /** Add-on types to exclude. */
  except: readonly AddonType[];
  /** Whether visitors of pages read the results (`search-for-visitors.ts`). */
  isForVisitors: boolean;
}

/** Reads the parameters. `q` is in the requested language, else in that of the response. Converts category ids to slugs. */
async function readRequest(input: SearchInput, context: Context): Promise<SearchRequest> {
  const { values, except, categories } = input;
  const locale = negotiateLocale(values.lang ?? null, [], context.locale);
  const request = readSearchRequest(values, { locale, except });
  const category = await slugOf(request.filters);
  const anyCategory = categories.length === 0 ? {} : { anyCategory: await findCategories(categories) };
  const alsoIn = input.isForVisitors ? { alsoIn: COMMON_LANGUAGES } : {};
  return { ...request, ...alsoIn, filters: { ...request.filters, category, ...anyCategory } };
}

/** Visitors search names that they know, in whichever language they read the pages: those in the most common one are found too. */
const COMMON_LANGUAGES: readonly string[] = ['en'];

/** The slug of a category, which may be named by its database id in digits. */
async function slugOf({ application, types, category }: SearchFilters): Promise<string | null> {
  if (application === null || category === null || !/^\d+$/.test(category)) return category;
  return (await findCategorySlug(application.app, types, category)) ?? category;
}

/**
 * Returns a slice of the matching public add-ons (contract, search), the same for every viewer. A slice past the end is empty
 * but has correct counts. At most two statements, for visitors for each part, plus two if the strict search has no results, one for a category id, and
 * one for the documents.
 * @throws {InvalidInputError} keyed by the invalid parameter.
 */
export async function findAddons(input: SearchInput, slice: PageSlice, context: Context): Promise<FoundAddons> {
  const request = await readRequest(input, context);
  const { count, hits, parts } = input.isForVisitors
    ? await searchAsVisitor(request, inWindow(slice))
    : { ...(await searchEngine.search(request, inWindow(slice))), parts: [request] };
  if (count === 0) await requireCategory(request.filters);
  const reachable = Math.min(count, config.SEARCH_WINDOW);
  return { request, parts, count, reachable, rows: await loadHits(hits) };
}

/** The part of a slice that is in the search window; null without one. */
export function inWindow({ offset, limit }: OffsetLimit): OffsetLimit | null {
  const reachable = Math.min(limit, config.SEARCH_WINDOW - offset);
  return reachable > 0 ? { offset, limit: reachable } : null;
}

/** A revision of all contents of a page: the counts, and the add-ons in order with their scores and row versions. */
export function revisionOf({ count, reachable, rows }: FoundAddons): string {
  const shown = rows.flatMap((row) => (row === null ? [] : [[row.score, row.addon.id, versionOfDocument(row.addon)]]));
  return hash('sha1', JSON.stringify([count, reachable, shown]), 'base64url');
}

/**
 * Returns at most ten add-ons for a partial query (contract, autocomplete).
 * @throws {InvalidInputError} keyed by the invalid parameter.
 */
export async function suggestAddons(input: SearchInput, context: Context): Promise<AddonDocument[]> {
  const request = await readRequest(input, context);
  const hits = await (input.isForVisitors ? suggestToVisitor(request) : searchEngine.autocomplete(request));
  if (hits.length === 0) await requireCategory(request.filters);
  return (await loadHits(hits)).flatMap((row) => row?.addon ?? []);
}

/** Loads the add-ons of hits. Null for add-ons hidden after the search, so a page may be short. */
async function loadHits(hits: readonly SearchHit[]): Promise<(ScoredAddon | null)[]> {
  const documents = await loadPublicDocuments(hits.map(({ id }) => id));
  return hits.map(({ id, score }) => {
    const addon = documents.get(id);
    return addon === undefined ? null : { score, addon };
  });
}

/** Runs only for searches without results, because an unknown category has none. */
async function requireCategory({ application, types, category }: SearchFilters): Promise<void> {
  if (category === null || application === null) return;
  if ((await findCategorySlug(application.app, types, category)) !== null) return;
  throw refusedField('category', message('parameter.unknown_category', { value: printable(category) }));
}
