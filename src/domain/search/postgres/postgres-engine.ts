import { searchRows, withSearchSlot } from '../../../infra/db.ts';
import { SecondChanceCache } from '../../../infra/second-chance-cache.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../package/enums.ts';
import { wordsOf } from '../index/codes.ts';
import {
  cachedFor,
  type FacetCounts,
  MAX_FACET_TAGS,
  MAX_SUGGESTIONS,
  noFacets,
  type SearchEngine,
  type SearchHit,
  type SearchPage,
} from '../query/engine.ts';
import { namesOnly, planQuery, type QueryPlan } from '../query/query-plan.ts';
import type { OffsetLimit, SearchRequest } from '../query/search-request.ts';
import type { LexemeCondition } from '../query/tiers.ts';
import {
  expectedMatches,
  expectedRows,
  hasRareWord,
  type LexemeStatistics,
  lexemeStatistics,
} from './plan/expected-matches.ts';
import { checkFrequentPrefixes, filterSql, type RunStatement, StatementValues } from './plan/statement.ts';
import { countMatches, hasMatches, type SearchTarget, unionOf } from './plan/tier-conditions.ts';
import { listingPage } from './rank/listing.ts';
import { partialMatchIds, partialMatchPage } from './rank/partial-match-page.ts';
import { relevancePage, suggestionsPage } from './rank/relevance-page.ts';
import { sortedPage } from './rank/sorted-page.ts';
import { type QuerySuggestion, suggestQuery } from './suggest-query.ts';

/** The day in UTC; it seeds the order `random`. */
const today = () => new Date().toISOString().slice(0, 10);

const SUGGESTED: OffsetLimit = { offset: 0, limit: MAX_SUGGESTIONS };

/** How long statistics are cached; they need not be exact. */
const STATISTICS_MS = 10 * 60_000;

const isByRelevance = ({ sort: [key, other] }: SearchRequest) => key === 'relevance' && other === undefined;

/** The engine on PostgreSQL also suggests queries, whichever engine ranks the results. */
interface DatabaseEngine extends SearchEngine {
  /** Another query for a request with `count` results, if a popular add-on is probably meant. */
  suggestQuery(request: SearchRequest, count: number): Promise<QuerySuggestion | null>;
}

/**
 * The engine on PostgreSQL. It reads the rows of `writeSearchRows`, so a change is searchable once it is committed; only counts may come
 * from the cache `counts`. `run` executes a statement with the settings of `searchPool`.
 */
export function postgresEngine(run: RunStatement, counts = new CountCache()): DatabaseEngine {
  const comparesWords = cachedFor(Number.POSITIVE_INFINITY, () => hasLevenshtein(run));
  const statistics = cachedFor(STATISTICS_MS, () => lexemeStatistics(run));

  async function targetOf(plan: QueryPlan | null, { filters }: SearchRequest): Promise<SearchTarget | null> {
    return plan === null ? null : { run, filters, ...withCheapestLookUps(plan, await statistics()) };
  }

  async function strictPage(
    target: SearchTarget,
    request: SearchRequest,
    slice: OffsetLimit | null,
  ): Promise<SearchPage> {
    if (slice === null) return { count: await countMatches(target), hits: [] };
    const expected = expectedMatches(target, await statistics());
    return isByRelevance(request)
      ? relevancePage(target, slice, expected)
      : sortedPage(target, request.sort, slice, expected);
  }

  async function pageOf(target: SearchTarget, request: SearchRequest, slice: OffsetLimit | null): Promise<SearchPage> {
    const knownCount = counts.get(request);
    const page = await strictPage({ ...target, knownCount }, request, slice);
    if (page.count !== knownCount) counts.set(request, page.count);
    return page.count > 0 || request.isStrict
      ? page
      : partialMatchPage(target, request.sort, slice, await comparesWords());
  }

  async function suggest(target: SearchTarget, request: SearchRequest): Promise<readonly SearchHit[]> {
    if (!isByRelevance(request)) return (await pageOf(target, request, SUGGESTED)).hits;
    const hits = await suggestionsPage(target, SUGGESTED, expectedMatches(target, await statistics()));
    if (hits.length > 0 || request.isStrict) return hits;
    return (await partialMatchPage(target, request.sort, SUGGESTED, await comparesWords())).hits;
  }

  return {
    async search(request, slice) {
      if (request.query === null) return listingPage(run, request.filters, request.sort, slice, today());
      const target = await targetOf(planQuery(request.query, request.locale, request.alsoIn), request);
      return target === null ? { count: 0, hits: [] } : pageOf(target, request, slice);
    },
    async autocomplete(request) {
      const { query, locale, alsoIn, filters, sort } = request;
      if (query === null) return (await listingPage(run, filters, sort, SUGGESTED, today())).hits;
      const plan = planQuery(query, locale, alsoIn);
      const target = await targetOf(plan && namesOnly(plan), request);
      return target === null ? [] : suggest(target, request);
    },
    facets: async (request) => facetsOf(run, request, await comparesWords()),
    suggestQuery: async (request, count) => suggestQuery(run, request, count, await comparesWords()),
  };
}

/** The plan with the look-ups that are cheapest for this catalogue. */
function withCheapestLookUps(query: QueryPlan, known: LexemeStatistics): Pick<SearchTarget, 'plan' | 'hasRareWord'> {
  const rows = (condition: LexemeCondition) => expectedRows(condition, known);
  const plan = checkFrequentPrefixes(query, { all: known.rows, rows });
  return { plan, hasRareWord: hasRareWord(plan, known) };
}

/** Whether the database has a function for edit distances. */
async function hasLevenshtein(run: RunStatement): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    "SELECT to_regprocedure('levenshtein_less_equal(text, text, integer)') IS NOT NULL AS found",
    [],
  );
  return row?.found ?? false;
}

/** Smaller counts are never cached: they take little time, and a difference of one is noticed. */
const MIN_COUNT = 10_000;
const MAX_AGE_MS = 60_000;
const MAX_COUNTS = 1_000;

/**
 * Caches large result counts for a minute. Counting is most of the work of a search that very many add-ons match; clients send such
 * queries often, and again for each page.
 */
export class CountCache {
  readonly #minimum: number;
  readonly #counts = new SecondChanceCache<string, { count: number; since: number }>(MAX_COUNTS);

  /** Counts below `minimum` are not cached. */
  constructor(minimum = MIN_COUNT) {
    this.#minimum = minimum;
  }

  /** The result count of a request, at most a minute old; undefined if the matches must be counted. */
  get(request: SearchRequest): number | undefined {
    const known = this.#counts.get(keyOf(request));
    return known === undefined || performance.now() - known.since > MAX_AGE_MS ? undefined : known.count;
  }

  /** Caches a count that was read just now. */
  set(request: SearchRequest, count: number): void {
    if (count >= this.#minimum) this.#counts.set(keyOf(request), { count, since: performance.now() }, 1);
  }
}

/** Everything that a count depends on. */
const keyOf = ({ query, locale, alsoIn = [], filters }: SearchRequest): string =>
  JSON.stringify([query, locale, alsoIn, filters]);

const engine = postgresEngine(searchRows);

/** The engine on this process's database. Each method throws what `withSearchSlot` throws. */
export const databaseEngine: DatabaseEngine = {
  search: (request, slice) => withSearchSlot(() => engine.search(request, slice)),
  autocomplete: (request) => withSearchSlot(() => engine.autocomplete(request)),
  facets: (request) => withSearchSlot(() => engine.facets(request)),
  suggestQuery: (request, count) => withSearchSlot(() => engine.suggestQuery(request, count)),
};

/** Counts values over all results of a request, which costs more than a page. */
async function facetsOf(run: RunStatement, request: SearchRequest, comparesWords: boolean): Promise<FacetCounts> {
  const values = new StatementValues();
  const hits = await hitsSql(run, request, comparesWords, values);
  if (hits === null) return collect([]);
  const sql = `WITH hits AS MATERIALIZED (${hits})
    SELECT 'kind' AS facet, concat_ws(' ', type, apps, platforms) AS value, count(*)::int AS n
      FROM hits JOIN addon_search ON addon_id = hits.id GROUP BY type, apps, platforms
    UNION ALL
    SELECT 'category', category_id::text, count(*)::int
      FROM hits JOIN addon_category ON addon_id = hits.id GROUP BY category_id
    UNION ALL
    (SELECT 'tag', lower(tag), count(DISTINCT addon_id)::int
      FROM hits JOIN addon_tag ON addon_id = hits.id GROUP BY lower(tag) ORDER BY 3 DESC, 2 LIMIT ${MAX_FACET_TAGS})
    UNION ALL
    SELECT 'locale', locale, count(*)::int
      FROM hits JOIN addon USING (id), jsonb_object_keys(addon.name) AS locale GROUP BY locale`;
  return collect(await run<FacetRow>(sql, values.all));
}

interface FacetRow {
  facet: 'kind' | 'category' | 'tag' | 'locale';
  value: string;
  n: number;
}

/** The statement that selects the ids of all results; null when there are none. */
async function hitsSql(
  run: RunStatement,
  request: SearchRequest,
  comparesWords: boolean,
  values: StatementValues,
): Promise<string | null> {
  const { query, locale, alsoIn, filters, isStrict } = request;
  const found = 'SELECT addon_id AS id FROM addon_search WHERE';
  if (query === null) return `${found} true${filterSql(filters, values, 'operator')}`;
  const plan = planQuery(query, locale, alsoIn);
  if (plan === null) return null;
  const target = { run, plan, filters };
  if (!isStrict && !(await hasMatches(target))) return partialMatchIds(target, comparesWords, values);
  return `${found} ${unionOf(plan, filters, values)}`;
}

function collect(rows: readonly FacetRow[]): FacetCounts {
  const counts = noFacets();
  const add = (facet: Record<string, number>, value: string, n: number) => {
    facet[value] = (facet[value] ?? 0) + n;
  };
  for (const { facet, value, n } of rows) {
    if (facet === 'category') add(counts.categories, value, n);
    else if (facet === 'tag') add(counts.tags, value, n);
    else if (facet === 'locale') add(counts.locales, value, n);
    else {
      const [type = 0, apps = 0, platforms = 0] = value.split(' ').map(Number);
      add(counts.types, ADDON_TYPES[type] ?? '', n);
      for (const app of wordsOf(APPLICATIONS, apps)) add(counts.applications, app, n);
      for (const platform of wordsOf(PLATFORMS, platforms)) add(counts.platforms, platform, n);
    }
  }
  return counts;
}
