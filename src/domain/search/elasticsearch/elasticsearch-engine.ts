import { z } from 'zod';
import { config } from '../../../config.ts';
import { searchRows } from '../../../infra/db.ts';
import { SearchServerError } from '../../../infra/search-server/failures.ts';
import { sendSearchRequest } from '../../../infra/search-server/send-request.ts';
import { lexeme } from '../analysis/lexemes.ts';
import {
  type FacetCounts,
  MAX_FACET_TAGS,
  MAX_SUGGESTIONS,
  noFacets,
  type SearchEngine,
  type SearchHit,
} from '../query/engine.ts';
import { wordsNeeded, wordVariants } from '../query/partial-match.ts';
import {
  CLASSES_OF,
  type LooseQuery,
  namesOnly,
  planQuery,
  type QueryPlan,
  type TextTier,
  textWordCondition,
} from '../query/query-plan.ts';
import type { OffsetLimit, SearchFilters, SearchRequest, SortKey } from '../query/search-request.ts';
import {
  allOf,
  anyOf,
  FURTHER_TIER_FACTOR,
  type LexemeCondition,
  LOOSE_TIERS,
  TEXT_TIERS,
  TIERS,
  type Tier,
} from '../query/tiers.ts';
import { anyClause, type Clause, clauseOf, filterClauses, lookUpsIn, type NamedIds } from './conditions.ts';

/*
 * Search request → body of a search: the tiers of `tiers.ts` become constant-score clauses in a dis_max with a tie-breaker of a twentieth,
 * multiplied by the document's popularity factor.
 */

const isTextTier = (tier: Tier): tier is TextTier => TEXT_TIERS.some((text) => text === tier);

/** One clause per tier that can match. */
export function strictTiers({ names, texts }: QueryPlan): Clause[] {
  const textCondition = (tier: TextTier): LexemeCondition =>
    anyOf(texts.map(({ tag, words }) => allOf(words.map((word) => textWordCondition(word, tag, CLASSES_OF[tier])))));
  return TIERS.flatMap(([tier, weight]) => {
    const isText = isTextTier(tier);
    const condition = isText ? textCondition(tier) : names[tier];
    if ('any' in condition && condition.any.length === 0) return [];
    return [worth(tier, weight, clauseOf(condition, isText ? 'text_lex' : 'name_lex'))];
  });
}

/** Clauses of the loose tiers: the whole name misspelt, or enough of its words. */
function looseTiers({ loose }: QueryPlan): Clause[] {
  const clauses = {
    looseName: anyClause(loose.map(({ tag, squash }) => nearly('q', tag, squash))),
    looseWords: anyClause(loose.map(enoughWords)),
  };
  return LOOSE_TIERS.map(([tier, weight]) => worth(tier, weight, clauses[tier]));
}

function enoughWords({ tag, words }: LooseQuery): Clause {
  const should = words.map((word) => nearly('t', tag, word));
  return { bool: { should, minimum_should_match: wordsNeeded(words.length) } };
}

/**
 * A lexeme whose term a word may be a misspelling of, as `isNearly` decides. The prefix length covers the lexeme's kind and tag, which
 * must not be edited, and the letters that the term has to begin with.
 */
function nearly(kind: 't' | 'q', tag: string, word: string): Clause {
  const start = Array.from(lexeme(kind, tag, '')).length;
  return anyClause(
    wordVariants(word).map(({ word: read, kept, edits: fuzziness }) => {
      const value = lexeme(kind, tag, read);
      if (fuzziness === 0) return { term: { name_lex: value } };
      const fuzzy = { value, fuzziness, prefix_length: start + kept, transpositions: true };
      // The rewrite keeps all near terms, however many there are.
      return { fuzzy: { name_lex: { ...fuzzy, rewrite: 'constant_score' } } };
    }),
  );
}

const worth = (name: string, boost: number, filter: Clause): Clause => ({
  constant_score: { filter, boost, _name: name },
});

/** A query that matches any of the tiers and all filters; with null tiers the filters alone. */
function queryOf(tiers: readonly Clause[] | null, filter: readonly Clause[]): Clause {
  if (tiers === null) return { bool: { filter } };
  const ranked = {
    function_score: {
      query: { dis_max: { tie_breaker: FURTHER_TIER_FACTOR, queries: tiers } },
      functions: [{ field_value_factor: { field: 'factor' } }],
      boost_mode: 'multiply',
    },
  };
  return { bool: { must: [ranked], filter } };
}

const FIELDS: Readonly<Record<Exclude<SortKey, 'random'>, string>> = {
  created: 'created',
  downloads: 'downloads',
  hotness: 'hotness',
  rating: 'rating',
  relevance: '_score',
  updated: 'updated',
  users: 'users',
};

function sortOf(keys: readonly SortKey[]): Clause[] {
  const down = keys.flatMap((key) => (key === 'random' ? [] : [{ [FIELDS[key]]: 'desc' }]));
  const ties = keys.at(-1) === 'relevance' ? [{ users: 'desc' }] : [];
  return [...down, ...ties, { id: 'asc' }];
}

/** The body of a search for a slice and the number of results. */
function pageBody(query: Clause, keys: readonly SortKey[], slice: OffsetLimit | null): object {
  if (slice === null) return { query, size: 0, track_total_hits: true };
  const { offset: from, limit: size } = slice;
  const shown = { _source: false, track_scores: true, track_total_hits: true };
  return { query, sort: sortOf(keys), from, size, ...shown };
}

/** The body of a search for the first few results. */
function suggestionsBody(query: Clause, keys: readonly SortKey[]): object {
  return { ...pageBody(query, keys, { offset: 0, limit: MAX_SUGGESTIONS }), track_total_hits: false };
}

/* Strict parsing of the search server's responses: a proxy in between may send something else. */

const shards = z.object({ failed: z.number() });
const hit = z.object({ _id: z.string().regex(/^\d{1,10}$/), _score: z.number().nullable() });
const page = z.object({
  timed_out: z.literal(false),
  _shards: shards,
  hits: z.object({ total: z.object({ value: z.number().int() }).optional(), hits: z.array(hit) }),
});

/** Hits in order, and their total when requested. */
interface HitPage {
  count: number | null;
  hits: SearchHit[];
}

/** @throws {SearchServerError} for a response of another form or with failed shards. */
function readHits(response: unknown): HitPage {
  const parsed = page.safeParse(response);
  if (!parsed.success) throw new SearchServerError('the response is not a search result');
  const { _shards, hits } = parsed.data;
  if (_shards.failed > 0) throw new SearchServerError('has searched a part of the index only');
  return {
    count: hits.total?.value ?? null,
    hits: hits.hits.map(({ _id, _score }) => ({ id: Number(_id), score: _score ?? 0 })),
  };
}

const buckets = z.object({
  buckets: z.array(z.object({ key: z.union([z.string(), z.number()]), doc_count: z.number().int() })),
});
const FACET_FIELDS = {
  types: 'type',
  applications: 'app',
  platforms: 'platform',
  categories: 'category',
  tags: 'tag',
  locales: 'locale',
} as const satisfies Record<keyof FacetCounts, string>;
const facetsResponse = z.object({
  aggregations: z.record(z.enum(Object.keys(FACET_FIELDS) as (keyof FacetCounts)[]), buckets),
});

const MAX_VALUES = 10_000;

/** Aggregations of the facets. */
export const FACET_AGGREGATIONS = Object.fromEntries(
  Object.entries(FACET_FIELDS).map(([name, field]) => [
    name,
    { terms: { field, size: name === 'tags' ? MAX_FACET_TAGS : MAX_VALUES } },
  ]),
);

/** @throws {SearchServerError} for a response without facets. */
export function readFacets(response: unknown): FacetCounts {
  const parsed = facetsResponse.safeParse(response);
  if (!parsed.success) throw new SearchServerError('the response has no facets');
  const facets = noFacets();
  for (const [name, { buckets }] of Object.entries(parsed.data.aggregations)) {
    for (const { key, doc_count } of buckets) facets[name as keyof FacetCounts][key] = doc_count;
  }
  return facets;
}

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
