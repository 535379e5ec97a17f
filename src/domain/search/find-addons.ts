import { hash } from 'node:crypto';
import { refusedField } from '../../errors.ts';
import type { NumberedPage } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import type { AddonType } from '../../package/words.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { findCategorySlug } from '../addons/find-category.ts';
import { loadPublicDocuments, versionOfDocument } from '../addons/load-documents.ts';
import { negotiateLocale } from '../addons/locales.ts';
import type { Hit } from './engine/engine.ts';
import { searchEngine } from './engine/search-engine.ts';
import { pagesOf, sliceOf } from './query/page-window.ts';
import { readSearchRequest, type SearchValues } from './query/read-search-request.ts';
import type { SearchFilters, SearchRequest } from './query/search-request.ts';

/** An add-on that was found, with its score. */
export interface ScoredAddon {
  score: number;
  addon: AddonDocument;
}

/** A page of results, and what they were asked for with. */
export interface FoundAddons extends NumberedPage {
  request: SearchRequest;
  count: number;
  pageCount: number;
  results: ScoredAddon[];
}

/** What decides about a search beside its parameters. */
export interface Asked {
  values: SearchValues;
  /** Types that the caller does not know: there are none. */
  except: readonly AddonType[];
}

/** Reads the parameters: `q` in the requested language, else in that of the response; a category by its id as its slug. */
async function readRequest({ values, except }: Asked, context: Context): Promise<SearchRequest> {
  const locale = negotiateLocale(values.lang ?? null, null, context.locale);
  const request = readSearchRequest(values, { locale, except });
  const { application, types, category } = request.filters;
  if (application === null || category === null || !/^\d+$/.test(category)) return request;
  const slug = await findCategorySlug(application.app, types, category);
  return { ...request, filters: { ...request.filters, category: slug ?? category } };
}

/**
 * Returns a page of the public add-ons that match (contract, search), the same for every viewer. A page past the end is empty, with true
 * counts. At most two statements, two more when the strict search finds nothing, one for a category given by its id, and one for the documents.
 * @throws {InvalidInputError} keyed by the invalid parameter.
 */
export async function findAddons(asked: Asked, page: NumberedPage, context: Context): Promise<FoundAddons> {
  const request = await readRequest(asked, context);
  const { count, hits } = await searchEngine.search(request, sliceOf(page));
  if (count === 0) await requireCategory(request.filters);
  return { ...page, request, count, pageCount: pagesOf(count, page.pageSize), results: await showHits(hits) };
}

/** Names everything that a page shows: the counts, and the add-ons in order with their scores and row versions. */
export function revisionOf({ count, pageCount, results }: FoundAddons): string {
  const shown = results.map(({ score, addon }) => [score, addon.id, versionOfDocument(addon)]);
  return hash('sha1', JSON.stringify([count, pageCount, shown]), 'base64url');
}

/**
 * At most ten add-ons for what has been typed so far (contract, autocomplete).
 * @throws {InvalidInputError} keyed by the parameter at fault.
 */
export async function suggestAddons(asked: Asked, context: Context): Promise<AddonDocument[]> {
  const request = await readRequest(asked, context);
  const hits = await searchEngine.autocomplete(request);
  if (hits.length === 0) await requireCategory(request.filters);
  return (await showHits(hits)).map(({ addon }) => addon);
}

/** An add-on that was hidden since it was found is left out, so a page may be short. */
async function showHits(hits: readonly Hit[]): Promise<ScoredAddon[]> {
  const documents = await loadPublicDocuments(hits.map(({ id }) => id));
  return hits.flatMap(({ id, score }) => {
    const addon = documents.get(id);
    return addon === undefined ? [] : [{ score, addon }];
  });
}

/** Runs only for searches that find nothing: an unknown category has no add-ons. */
async function requireCategory({ application, types, category }: SearchFilters): Promise<void> {
  if (category === null || application === null) return;
  if ((await findCategorySlug(application.app, types, category)) === null)
    throw refusedField('category', 'Invalid "category" parameter.');
}
