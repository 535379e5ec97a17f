import { config } from '../../../config.ts';
import { searchRows } from '../../../infra/db.ts';
import { SearchServerError, sendSearchRequest } from '../../../infra/search-server/send-request.ts';
import { noFacets, type SearchEngine } from '../query/engine.ts';
import { namesOnly, planQuery, type QueryPlan } from '../query/query-plan.ts';
import type { SearchFilters, SearchRequest } from '../query/search-request.ts';
import { type Clause, filterClauses, lookUpsIn, type NamedIds } from './conditions.ts';
import { FACET_AGGREGATIONS, readFacets, readHits } from './read-response.ts';
import { looseTiers, pageBody, queryOf, strictTiers, suggestionsBody } from './search-body.ts';

/** The query has more clauses than servers accept. PostgreSQL has no such limit. */
export class TooManyLookUpsError extends Error {
  override readonly name = 'TooManyLookUpsError';
}

/** Every server accepts at least 1,024 clauses. */
const MAX_LOOK_UPS = 1_000;

/**
 * The engine on an index or alias of the search server. It ranks the indexed state, which may be older than the database. Responds
 * within `timeoutMs` or throws SearchServerError. Does not support `random`.
 */
export function elasticsearchEngine(index: string, timeoutMs = config.SEARCH_TIMEOUT_MS): SearchEngine {
  const target = { index, timeoutMs };
  return {
    async search(request, slice) {
      const response = await searchStrictThenLoose(target, request, plan(request), (query) =>
        pageBody(query, request.sort, slice),
      );
      if (response === null) return { count: 0, hits: [] };
      const { count, hits } = readHits(response);
      if (count === null) throw new SearchServerError('does not count');
      return { count, hits: request.query === null ? hits.map((hit) => ({ ...hit, score: 1 })) : hits };
    },
    async autocomplete(request) {
      const planned = plan(request);
      const names = planned && namesOnly(planned);
      const response = await searchStrictThenLoose(target, request, names, (query) =>
        suggestionsBody(query, request.sort),
      );
      const hits = response === null ? [] : readHits(response).hits;
      return request.query === null ? hits.map((hit) => ({ ...hit, score: 1 })) : hits;
    },
    async facets(request) {
      const body = (query: Clause) => ({ query, size: 0, track_total_hits: true, aggs: FACET_AGGREGATIONS });
      const response = await searchStrictThenLoose(target, request, plan(request), body);
      return response === null ? noFacets() : readFacets(response);
    },
  };
}

const plan = ({ query, locale, alsoIn }: SearchRequest): QueryPlan | null =>
  query === null ? null : planQuery(query, locale, alsoIn);

/** Searches strictly and, without results, loosely. Null for a query without words. */
async function searchStrictThenLoose(
  { index, timeoutMs }: { index: string; timeoutMs: number },
  { query, filters, isStrict }: SearchRequest,
  planned: QueryPlan | null,
  body: (query: Clause) => object,
): Promise<unknown> {
  if (query !== null && planned === null) return null;
  const deadline = AbortSignal.timeout(timeoutMs);
  const filter = filterClauses(filters, await namedIds(filters));
  const strict = await send(index, body(queryOf(planned && strictTiers(planned), filter)), deadline);
  const { count, hits } = readHits(strict);
  if (planned === null || isStrict || (count !== 0 && (count !== null || hits.length > 0))) return strict;
  return send(index, body(queryOf(looseTiers(planned), filter)), deadline);
}

async function send(index: string, body: object, deadline: AbortSignal): Promise<unknown> {
  if (lookUpsIn(body) > MAX_LOOK_UPS) throw new TooManyLookUpsError();
  const query = { allow_partial_search_results: false };
  return sendSearchRequest({ method: 'POST', path: `/${index}/_search`, query, body, deadline });
}

async function namedIds({ guids, excluded }: SearchFilters): Promise<NamedIds> {
  const find = async (column: 'guid' | 'slug', names: readonly string[]) => {
    if (names.length === 0) return [];
    const sql = `SELECT id FROM addon WHERE ${column} = ANY($1::citext[])`;
    return (await searchRows<{ id: number }>(sql, [[...names]])).map(({ id }) => id);
  };
  return {
    wanted: guids.length === 0 ? null : await find('guid', guids),
    excluded: [...excluded.ids, ...(await find('slug', excluded.names))],
  };
}
