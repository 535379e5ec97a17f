/*
 * Pages by relevance, with early termination. When very many rows match, the best are nearly always popular, or match a rare tier.
 * `popularPage` ranks only those candidates and returns the page if no other row can reach its last score.
 *
 * A score is the value of the matched tiers times the popularity factor, and both are bounded. For rows outside the popularity level the
 * factor is at most that of the level's boundary; for rows that match none of the better tiers the value is at most the bound of the next
 * one. The candidates are the rows of a popularity level plus, per tier, the rows with the largest factors. The largest factor left out, times
 * the tier's bound, must be below the score of the page's last row. Otherwise `restOfRanking` ranks all rows that can reach that
 * score. The result is therefore exact; only its cost depends on the data.
 */
import { POPULARITY_LEVELS, type PopularityLevel } from '../../index/popularity.ts';
import type { SearchHit, SearchPage } from '../../query/engine.ts';
import type { QueryPlan } from '../../query/query-plan.ts';
import type { OffsetLimit } from '../../query/search-request.ts';
import { boundWithout, NAME_TIERS, TIERS, type Tier } from '../../query/tiers.ts';
import { filterSql, StatementValues } from '../plan/statement.ts';
import {
  bitsOfRow,
  countSql,
  dividedTierConditions,
  type SearchTarget,
  tierConditionsOf,
  tierWheres,
} from '../plan/tier-conditions.ts';
import {
  BY_SCORE,
  hitsOf,
  pageSql,
  type RankedRow,
  rankedPage,
  readPage,
  scoresSql,
  sliceSql,
  TIER_SCORES,
} from './ranking.ts';

/** Ranking this many rows costs less than proving that it need not be done. */
const FEW = 8_000;
/** The same without counting the matches. */
const FEW_UNCOUNTED = 2_500;
/** Popular rows may fill a page that ends within this share of the matches. */
const PART_POPULAR = 20;

/** Whether popular rows may fill a slice, and are much fewer than the matches. */
const isPopularEnough = ({ offset, limit }: OffsetLimit, expected: number, few: number): boolean =>
  expected > Math.max(few, PART_POPULAR * (offset + limit));

/** The slice of a ranking of the matches, and their number: one statement where few are expected, else at most two. */
export async function relevancePage(target: SearchTarget, slice: OffsetLimit, expected: number): Promise<SearchPage> {
  if (!isPopularEnough(slice, expected, FEW)) return wholeRanking(target, slice, expected);
  const { count, hits, minScore } = await popularPage(target, slice, { counts: true });
  if (count !== null && (hits !== null || slice.offset >= count)) return { count, hits: hits ?? [] };
  return restOfRanking(target, slice, minScore, count ?? 'counted');
}

/** The slice of a ranking of the matches without their number: at most two statements. */
export async function suggestionsPage(
  target: SearchTarget,
  slice: OffsetLimit,
  expected: number,
): Promise<readonly SearchHit[]> {
  if (!isPopularEnough(slice, expected, FEW_UNCOUNTED)) return (await wholeRanking(target, slice, expected)).hits;
  const { hits, minScore } = await popularPage(target, slice, { counts: false });
  return hits ?? (await restOfRanking(target, slice, minScore, 0)).hits;
}

/** The slice of the ranking of all rows, and their number. */
async function wholeRanking(target: SearchTarget, slice: OffsetLimit, expected: number): Promise<SearchPage> {
  const { plan, filters, hasRareWord = false } = target;
  const values = new StatementValues();
  const filter = filterSql(filters, values, 'operator');
  // More conditions take longer to plan; they pay when many rows need no grouping.
  const conditions =
    expected > FEW
      ? dividedTierConditions(plan, values)
      : { overlapping: tierConditionsOf(plan, values, { isCompact: hasRareWord }) };
  return rankedPage(target, { ...conditions, filter, tierScores: TIER_SCORES }, BY_SCORE, slice, values);
}

/**
 * A slice of the ranking whose last row scores `minScore` or more, and the number of matches unless known: one statement. Rows that
 * evidently score less are skipped. If rows have changed since `minScore` was computed, all rows are ranked.
 */
export async function restOfRanking(
  target: SearchTarget,
  slice: OffsetLimit,
  minScore: number,
  number: number | 'counted',
): Promise<SearchPage> {
  const values = new StatementValues();
  const filter = filterSql(target.filters, values, 'operator');
  const conditions = dividedTierConditions(target.plan, values);
  const mayLeaveOut = minScore > 0 && conditions.disjoint.length > 0;
  const rows = mayLeaveOut ? scoresSql({ ...conditions, filter, tierScores: TIER_SCORES, minScore }, values) : null;
  if (rows === null) return wholeRanking(target, slice, Number.POSITIVE_INFINITY);
  const count = number === 'counted' ? `(${countSql(target, values)})` : `${number}`;
  const page = readPage(await target.run<RankedRow>(pageSql(rows, BY_SCORE, slice, values, count), values.all));
  const last = page.hits.length < slice.limit ? 0 : (page.hits.at(-1)?.score ?? 0);
  return last < minScore ? wholeRanking(target, slice, Number.POSITIVE_INFINITY) : page;
}

/** A search for a page: the rows of a popularity level, and of some tiers the other rows with the largest factors. */
interface Strategy {
  level: PopularityLevel;
  /** Maximum end of the slice. */
  deepest: number;
  /** The best tiers; rows that match none of them must not reach the page. */
  tiers: number;
  mostOthers: number;
}

/** For the larger level only name tiers are worth the search. */
const STRATEGIES: readonly Strategy[] = POPULARITY_LEVELS.map((level, index) =>
  index === 0
    ? { level, deepest: 500, tiers: TIERS.length, mostOthers: 500 }
    : { level, deepest: Number.POSITIVE_INFINITY, tiers: NAME_TIERS.length, mostOthers: 1_000 },
);

/** Tiers in descending order, each with the upper bound of the score, before the factor, of rows that match no better tier. */
const TIER_BOUNDS: readonly { tier: Tier; bound: number }[] = TIERS.map(([tier], index) => ({
  tier,
  // Small margin for rounding.
  bound: (boundWithout(new Set(TIERS.slice(0, index).map(([better]) => better)))?.bound ?? 0) * (1 + 1e-9),
}));

/** The slice and the number of matches when proven correct; else what is known of them. */
interface PopularPage {
  count: number | null;
  hits: readonly SearchHit[] | null;
  /** Lower bound of the score of the slice's last row. */
  minScore: number;
}

interface PopularRow extends Omit<RankedRow, 'n'> {
  n: number | null;
  /** Per tier, the largest factor of rows left out because there are too many. */
  factors: number[];
}

/** The slice as ranked from the candidates, with the number of matches if `counts`: one statement. */
export async function popularPage(
  target: SearchTarget,
  slice: OffsetLimit,
  { counts }: { counts: boolean },
): Promise<PopularPage> {
  const values = new StatementValues();
  const strategy = STRATEGIES.find(({ deepest }) => slice.offset + slice.limit <= deepest) as Strategy;
  const rows = await target.run<PopularRow>(popularSql(target, slice, strategy, counts, values), values.all);
  const hits = hitsOf(rows);
  const last = hits.length < slice.limit ? 0 : (hits.at(-1)?.score ?? 0);
  const { n: count, factors } = rows[0] ?? { n: null, factors: [] };
  const isProved = TIER_BOUNDS.every(({ bound }, index) => last >= bound * (factors[index] ?? strategy.level.factor));
  const areAll = hits.length > 0 && slice.offset + hits.length === count;
  return { count, hits: isProved || areAll ? hits : null, minScore: last };
}

const LAST = '(SELECT score FROM last)';

function popularSql(
  target: SearchTarget,
  slice: OffsetLimit,
  strategy: Strategy,
  counts: boolean,
  values: StatementValues,
): string {
  const { plan, filters } = target;
  const { level, tiers } = strategy;
  const end = slice.offset + slice.limit;
  const filter = filterSql(filters, values, 'operator');
  const ranking = {
    overlapping: tierConditionsOf(plan, values, { isCompact: true }),
    filter: `${filter} AND lvl >= ${level.level}`,
    tierScores: TIER_SCORES,
  };
  const beyond = TIER_BOUNDS[tiers];
  const isWorthwhile = beyond === undefined ? 'true' : `${LAST} >= ${beyond.bound * level.factor}`;
  const others = TIER_BOUNDS.slice(0, tiers).map((each) =>
    othersSql(plan, each, strategy, `${filter} AND ${isWorthwhile}`, values),
  );
  const count = counts ? `CASE WHEN ${isWorthwhile} THEN (${countSql(target, values)}) END` : 'NULL::int';
  return `WITH popular AS MATERIALIZED (
      SELECT addon_id, users, score FROM (${scoresSql(ranking, values)}) AS scored ORDER BY ${BY_SCORE} LIMIT ${end}
    ),
    last AS MATERIALIZED (SELECT CASE WHEN count(*) = ${end} THEN min(score) ELSE 0 END AS score FROM popular),
    ${others.map(({ table }) => table).join(', ')},
    best AS (SELECT * FROM popular UNION ALL ${scoredSql(plan, others, values)}),
    page AS (
      SELECT *, row_number() OVER () AS place
      FROM (SELECT * FROM best ORDER BY ${BY_SCORE}${sliceSql(slice, values)}) AS sorted
    )
    SELECT ${count} AS n, ARRAY[${others.map(({ factor }) => factor)}] AS factors,
      addon_id AS id, score
    FROM (SELECT) AS one LEFT JOIN page ON true ORDER BY place`;
}

/** Scores of the other rows. `strip` keeps its result in memory, so that TOASTed lexemes are read once instead of once per tier. */
function scoredSql(plan: QueryPlan, others: readonly { rows: string }[], values: StatementValues): string {
  return `SELECT row.addon_id, row.users, (${values.addOnce(TIER_SCORES)}::float8[])[${bitsOfRow(plan, values)} + 1] * row.m
      FROM (${others.map(({ rows }) => rows).join(' UNION ')}) AS others CROSS JOIN LATERAL (
        SELECT addon_id, users, m, strip(name_lex) AS name_lex, strip(text_lex) AS text_lex
        FROM addon_search WHERE addon_id = others.addon_id OFFSET 0
      ) AS row`;
}

/** The less popular rows of a tier that may belong on the page, and the largest factor left out. */
function othersSql(
  plan: QueryPlan,
  { tier, bound }: (typeof TIER_BOUNDS)[number],
  { level, mostOthers }: Strategy,
  filter: string,
  values: StatementValues,
): { table: string; rows: string; factor: string } {
  const matters = `m >= ${LAST} / ${bound} AND ${LAST} < ${bound * level.factor}`;
  // One subquery per condition: for a disjunction, PostgreSQL would look up only the common part.
  const found = tierWheres(plan, tier, values).map(
    (where) => `SELECT addon_id, m FROM addon_search WHERE ${where}${filter} AND lvl < ${level.level} AND ${matters}`,
  );
  const all = found.length === 0 ? 'SELECT 0 AS addon_id, 0::float8 AS m LIMIT 0' : found.join(' UNION ');
  const name = `others_${tier}`;
  return {
    table: `${name} AS MATERIALIZED (SELECT * FROM (${all}) AS found ORDER BY m DESC LIMIT ${mostOthers})`,
    rows: `SELECT addon_id FROM ${name}`,
    factor: `(SELECT CASE WHEN count(*) = ${mostOthers} THEN min(m) ELSE 0 END FROM ${name})`,
  };
}
