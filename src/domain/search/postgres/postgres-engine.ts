import { type Hit, MOST_SUGGESTIONS, type SearchEngine } from '../engine.ts';
import type { Slice } from '../page-window.ts';
import { LEVELS } from '../popularity.ts';
import { namesOnly, planQuery } from '../query-plan.ts';
import type { SearchRequest } from '../search-request.ts';
import { countMatches } from './count.ts';
import { facetsOf } from './facets.ts';
import { listingPage } from './listing.ts';
import { loosePage } from './loose-page.ts';
import {
  countForProof,
  isProvable,
  provedPage,
  type RowsBelow,
  relevancePage,
  type Target,
  wholeRanking,
} from './relevance-page.ts';
import { sortedPage } from './sorted-page.ts';
import type { Run } from './statement.ts';

/** The day in UTC, which the order `random` hangs on. */
const today = () => new Date().toISOString().slice(0, 10);

const SUGGESTED: Slice = { offset: 0, limit: MOST_SUGGESTIONS };
const SOME = 10_000;
const NOTHING: RowsBelow = new Map();

/**
 * The search in PostgreSQL. It reads what `writeSearchRows` writes, so it knows of every change as soon as that is
 * committed. `run` is a connection with the settings of `searchPool`.
 */
export function postgresEngine(run: Run): SearchEngine {
  const comparesWords = once(() => hasLevenshtein(run));

  async function pageOf(target: Target, { sort }: SearchRequest, slice: Slice | null) {
    const isByRelevance = sort.length === 1 && sort[0] === 'relevance';
    const proves = isByRelevance && slice !== null && isProvable(slice);
    const counted = proves
      ? await countForProof(run, target)
      : { count: await countMatches(run, target), below: NOTHING };
    const { count } = counted;
    if (count === 0) return loosePage(run, target, sort, slice, await comparesWords());
    if (slice === null || slice.offset >= count) return { count, hits: [] };
    const hits = isByRelevance
      ? await relevancePage(run, target, slice, counted)
      : await sortedPage(run, target, sort, slice, count);
    return { count, hits };
  }

  async function suggest(target: Target, request: SearchRequest): Promise<readonly Hit[]> {
    const [popular] = LEVELS;
    if (popular === undefined || request.sort[0] !== 'relevance')
      return (await pageOf(target, request, SUGGESTED)).hits;
    const proved = await provedPage(run, target, SUGGESTED, popular, { persistent: false });
    if (proved !== null) return proved;
    const count = await countMatches(run, target, SOME);
    if (count === 0) return (await loosePage(run, target, request.sort, SUGGESTED, await comparesWords())).hits;
    return count > SOME
      ? relevancePage(run, target, SUGGESTED, { count, below: NOTHING })
      : wholeRanking(run, target, SUGGESTED);
  }

  return {
    async search(request, slice) {
      if (request.query === null) return listingPage(run, request.filters, request.sort, slice, today());
      const plan = planQuery(request.query, request.locale);
      return plan === null ? { count: 0, hits: [] } : pageOf({ plan, filters: request.filters }, request, slice);
    },
    async autocomplete(request) {
      const { query, locale, filters, sort } = request;
      if (query === null) return (await listingPage(run, filters, sort, SUGGESTED, today())).hits;
      const plan = planQuery(query, locale);
      return plan === null ? [] : suggest({ plan: namesOnly(plan), filters }, request);
    },
    facets: async (request) => facetsOf(run, request, await comparesWords()),
  };
}

/** The result of the first call that succeeds, kept. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let known: Promise<Result> | undefined;
  return () => {
    known ??= work().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** Whether the database can compare words itself. */
async function hasLevenshtein(run: Run): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    "SELECT to_regprocedure('levenshtein_less_equal(text, text, integer)') IS NOT NULL AS found",
    [],
  );
  return row?.found ?? false;
}
