/*
 * Early termination. When very many rows match, the best are nearly always popular, or match a rare tier. This file ranks only those
 * candidates and returns the page if no other row can reach its last score.
 *
 * A score is the value of the matched tiers times the popularity factor, and both are bounded. For rows outside the popularity level the
 * factor is at most that of the level's boundary; for rows that match none of the better tiers the value is at most the bound of the next
 * one. The candidates are the rows of a popularity level plus, per tier, the rows with the largest factors. The largest factor left out, times
 * the tier's bound, must be below the score of the page's last row. Otherwise `rank/relevance-page.ts` ranks all rows that can reach that
 * score. The result is therefore exact; only its cost depends on the data.
 */
import type { Hit } from '../../engine/engine.ts';
import { LEVELS, type Level } from '../../index/popularity.ts';
import type { Slice } from '../../query/page-window.ts';
import type { QueryPlan } from '../../query/query-plan.ts';
import { boundWithout, NAME_TIERS, TIERS, type Tier } from '../../query/tiers.ts';
import { countSql } from '../plan/count.ts';
import { filterSql } from '../plan/filters.ts';
import { Values } from '../plan/statement.ts';
import { bitsOfRow, type Target, tierConditionsOf, tierWheres } from '../plan/tier-conditions.ts';
import { BY_SCORE, hitsOf, type PageRow, scoresSql, sliceSql, TIER_SCORES } from '../rank/ranking.ts';

/** A search for a page: the rows of a popularity level, and of some tiers the other rows with the largest factors. */
interface Strategy {
  level: Level;
  /** Maximum end of the slice. */
  deepest: number;
  /** The best tiers; rows that match none of them must not reach the page. */
  tiers: number;
  mostOthers: number;
}

/** For the larger level only name tiers are worth the search. */
const STRATEGIES: readonly Strategy[] = LEVELS.map((level, index) =>
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
export interface PopularPage {
  count: number | null;
  hits: readonly Hit[] | null;
  /** Lower bound of the score of the slice's last row. */
  minScore: number;
}

interface PopularRow extends Omit<PageRow, 'n'> {
  n: number | null;
  /** Per tier, the largest factor of rows left out because there are too many. */
  factors: number[];
}

/** The slice as ranked from the candidates, with the number of matches if `counts`: one statement. */
export async function popularPage(target: Target, slice: Slice, { counts }: { counts: boolean }): Promise<PopularPage> {
  const values = new Values();
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

function popularSql(target: Target, slice: Slice, strategy: Strategy, counts: boolean, values: Values): string {
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
function scoredSql(plan: QueryPlan, others: readonly { rows: string }[], values: Values): string {
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
  values: Values,
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
