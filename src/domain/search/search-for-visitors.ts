/*
 * Searches of pages. An API returns the results of the relevance model as they are. Visitors get the same results, arranged for what they do
 * with them: add-ons that today's clients can install come before all others. In addition an add-on is found by its id, guid and slug, which
 * come first, and by the name of an author, which come last.
 *
 * The arrangement is a sequence of ordinary searches with filters that exclude each other, so both engines agree, and counts and pages stay
 * exact. The number of statements does not depend on the number of results.
 */
import { searchRows } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { MAX_SUGGESTIONS, type SearchEngine, type SearchHit, type SearchPage } from './query/engine.ts';
import { beginningOfNames } from './query/query-plan.ts';
import type { OffsetLimit, SearchFilters, SearchRequest, SortKey } from './query/search-request.ts';

/** A page of results, and the disjoint searches that the results of all pages consist of. */
export interface VisitorPage extends SearchPage {
  parts: readonly SearchRequest[];
}

const narrowed = (request: SearchRequest, filters: Partial<SearchFilters>): SearchRequest => ({
  ...request,
  filters: { ...request.filters, ...filters },
});

const without = (request: SearchRequest, ids: readonly number[]): SearchRequest => {
  const { excluded } = request.filters;
  return narrowed(request, { excluded: { ...excluded, ids: [...excluded.ids, ...ids] } });
};

/** The same filters without the query, in an order that needs none. */
const unqueried = (request: SearchRequest): SearchRequest => {
  const keys = request.sort.filter((key) => key !== 'relevance');
  return { ...request, query: null, sort: keys.length === 0 ? (['users'] satisfies SortKey[]) : keys };
};

/** Add-ons with an installable file, then the others. */
const installableFirst = (request: SearchRequest): SearchRequest[] => [
  narrowed(request, { isInstallable: true }),
  narrowed(request, { isInstallable: false }),
];

/** Searches one after the other, as if they were one. */
async function readInSequence(
  engine: SearchEngine,
  requests: readonly SearchRequest[],
  slice: OffsetLimit | null,
): Promise<SearchPage> {
  let count = 0;
  const hits: SearchHit[] = [];
  for (const request of requests) {
    const limit = slice === null ? 0 : slice.limit - hits.length;
    const rest = slice === null || limit <= 0 ? null : { offset: Math.max(0, slice.offset - count), limit };
    const page = await engine.search(request, rest);
    count += page.count;
    hits.push(...page.hits);
  }
  return { count, hits };
}

/** Add-ons of an author that the query finds anyway; further ones are found twice. */
const MAX_FOUND_ANYWAY = 300;

/** The disjoint parts of the results of a query as it is written. */
async function partsOf(
  engine: SearchEngine,
  request: SearchRequest,
): Promise<Record<'named' | 'found', SearchRequest[]>> {
  const { filters, query } = request;
  const strict = { ...request, isStrict: true };
  if (query === null) return { named: [], found: [request] };
  const { addons, accountIds } = await lookUpName(query);
  const isNamed = addons.length > 0 && filters.guids.length === 0;
  const named = isNamed ? [narrowed(unqueried(strict), { guids: addons.map(({ guid }) => guid) })] : [];
  const main = isNamed
    ? without(
        strict,
        addons.map(({ id }) => id),
      )
    : strict;
  const isFiltered = filters.authors.ids.length + filters.authors.names.length > 0;
  if (accountIds.length === 0 || isFiltered) return { named, found: [main] };
  const authors = { ids: accountIds, names: [] };
  const anyway = await engine.search(narrowed(main, { authors }), { offset: 0, limit: MAX_FOUND_ANYWAY });
  const others = without(
    narrowed(unqueried(main), { authors }),
    anyway.hits.map(({ id }) => id),
  );
  return { named, found: [main, others] };
}

/** A slice of the results for visitors; without a slice only their number. */
export async function searchForVisitors(
  engine: SearchEngine,
  request: SearchRequest,
  slice: OffsetLimit | null,
): Promise<VisitorPage> {
  const { named, found } = await partsOf(engine, request);
  const page = await readInSequence(engine, [...named, ...found.flatMap(installableFirst)], slice);
  if (page.count > 0 || request.query === null) return { ...page, parts: [...named, ...found] };
  return { ...(await readInSequence(engine, installableFirst(request), slice)), parts: [request] };
}

/**
 * At most ten add-ons for a partial query: those whose names begin with its words come first among those that can be installed, and these before
 * all others.
 */
export async function suggestForVisitors(engine: SearchEngine, request: SearchRequest): Promise<readonly SearchHit[]> {
  const strict = { ...request, isStrict: true };
  const begun = beginningOfNames(request);
  const installable = narrowed(strict, { isInstallable: true });
  const found = await Promise.all(
    [...(begun === null ? [] : [narrowed(installable, { name: begun })]), installable, strict].map((each) =>
      engine.autocomplete(each),
    ),
  );
  const distinct = [...new Map(found.flat().map((hit) => [hit.id, hit])).values()].slice(0, MAX_SUGGESTIONS);
  return distinct.length > 0 ? distinct : engine.autocomplete(request);
}

/** What a query names literally. */
interface NamedObjects {
  /** Add-ons whose id, guid or slug is the query. Whether they are public is not checked. */
  addons: readonly { id: number; guid: string }[];
  /** Ids of accounts whose username or display name is the query. */
  accountIds: readonly number[];
}

/** Accounts may share a display name; further ones are ignored. */
const MAX_ACCOUNTS = 20;

/** Finds the add-ons and accounts that a query names: one statement. */
async function lookUpName(query: string): Promise<NamedObjects> {
  const name = comparableText(query).trim().replace(/\s+/g, ' ');
  const id = /^\d{1,10}$/.test(name) && Number(name) <= MAX_INT4 ? Number(name) : null;
  const rows = await searchRows<{ kind: 'addon' | 'account'; id: number; guid: string | null }>(
    `SELECT 'addon' AS kind, id, guid FROM addon WHERE guid = $1::citext
    UNION SELECT 'addon', id, guid FROM addon WHERE slug = $1::citext
    UNION SELECT 'addon', id, guid FROM addon WHERE id = $2::int
    UNION SELECT * FROM (SELECT 'account', id, NULL::citext FROM account
      WHERE (username = $1::citext OR lower(display_name) = lower($1::text)) AND deleted_at IS NULL AND disabled_at IS NULL
      ORDER BY id LIMIT ${MAX_ACCOUNTS}) AS accounts`,
    [name, id],
  );
  return {
    addons: rows.flatMap(({ kind, id: addonId, guid }) =>
      kind === 'addon' && guid !== null ? [{ id: addonId, guid }] : [],
    ),
    accountIds: rows.flatMap(({ kind, id: accountId }) => (kind === 'account' ? [accountId] : [])),
  };
}
