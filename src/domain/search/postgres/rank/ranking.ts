/*
 * SQL of ranked pages. The bits of the tier conditions that a row matches are summed, the sum indexes the table of scores from
 * `query/tiers.ts`, and the score is multiplied by the row's popularity factor. Ties are broken by users and id, as in the other engine.
 *
 * Pages by relevance: `relevance-page.ts`. Pages in another order: `sorted-page.ts`. Without a query: `listing.ts`. Misspelt queries:
 * `partial-match-page.ts`. The whole catalogue by cursor: `catalogue-page.ts`.
 */

import { POPULARITY_LEVELS } from '../../index/popularity.ts';
import type { SearchHit, SearchPage } from '../../query/engine.ts';
import type { OffsetLimit } from '../../query/search-request.ts';
import { LEXICAL_SCORES } from '../../query/tiers.ts';
import { binaryArray, type StatementValues } from '../plan/statement.ts';
import type { SearchTarget, TierCondition } from '../plan/tier-conditions.ts';

/** The scores of sets of tiers, for a parameter. */
export const TIER_SCORES = binaryArray(LEXICAL_SCORES);

export const BY_SCORE = 'score DESC, users DESC, addon_id';

export interface Ranking {
  overlapping: readonly TierCondition[];
  /** Conditions that are the only match of their rows; no row is in two of them. */
  disjoint?: readonly TierCondition[];
  /** `AND …` for every condition, or nothing. */
  filter: string;
  /** Score of each sum of bits. */
  tierScores: Buffer;
  /** Further columns to sort by. */
  columns?: readonly string[];
  /** Rows with a lower score may be left out. */
  minScore?: number;
}

/** The statement that scores the rows of tier conditions: `addon_id`, `score`, `users` and the other columns. Null without conditions. */
export function scoresSql(
  { overlapping, disjoint = [], filter, tierScores, columns = [], minScore = 0 }: Ranking,
  values: StatementValues,
): string | null {
  if (overlapping.length + disjoint.length === 0) return null;
  const lexical = `${values.addOnce(tierScores)}::float8[]`;
  const kept = ['addon_id', 'm', ...new Set(['users', ...columns])].join(', ');
  const rowsOf = (conditions: readonly TierCondition[]) =>
    conditions
      .map(({ where, bits }) => `SELECT ${kept}, ${bits} AS b FROM addon_search WHERE ${where}${filter}`)
      .join(' UNION ALL ');
  const aboveMinimum = (conditions: readonly TierCondition[]) =>
    conditions.map((condition) => ({ ...condition, where: condition.where + minScoreSql(condition, minScore) }));
  const grouped = `SELECT ${kept}, (${lexical})[bit_or(b) + 1] * m AS score FROM (${rowsOf(overlapping)}) AS found GROUP BY ${kept}`;
  if (disjoint.length === 0) return grouped;
  const single = `SELECT ${kept}, (${lexical})[b + 1] * m AS score FROM (${rowsOf(aboveMinimum(disjoint))}) AS one`;
  if (overlapping.length === 0) return single;
  return `WITH several AS MATERIALIZED (${grouped})
    SELECT * FROM several
    UNION ALL ${single} WHERE addon_id NOT IN (SELECT addon_id FROM several)`;
}

/** `AND …` for a single condition, whose rows' scores depend only on their factor. */
function minScoreSql({ bits }: TierCondition, minScore: number): string {
  // Small margin for rounding.
  const factor = (minScore / (LEXICAL_SCORES[bits] ?? 0)) * (1 - 1e-9);
  const level = POPULARITY_LEVELS.find((each) => factor >= each.factor);
  return minScore === 0 ? '' : ` AND m >= ${factor}${level === undefined ? '' : ` AND lvl >= ${level.level}`}`;
}

/** `LIMIT` and `OFFSET` of a slice. */
export function sliceSql({ offset, limit }: OffsetLimit, values: StatementValues): string {
  return ` LIMIT ${values.add(limit)}::int OFFSET ${values.add(offset)}::int`;
}

/**
 * The statement that returns a slice of rows with `addon_id` and `score`, and the number of all rows or the value of the expression
 * `number`; see `readPage`.
 */
export function pageSql(
  rows: string,
  order: string,
  slice: OffsetLimit | null,
  values: StatementValues,
  number = '(SELECT count(*)::int FROM found)',
): string {
  const sorted = slice === null ? 'LIMIT 0' : `ORDER BY ${order}${sliceSql(slice, values)}`;
  return `WITH found AS MATERIALIZED (${rows}),
      page AS (SELECT addon_id, score, row_number() OVER () AS place FROM (SELECT * FROM found ${sorted}) AS sorted)
    SELECT ${number} AS n, addon_id AS id, score
    FROM (SELECT) AS one LEFT JOIN page ON true ORDER BY place`;
}

/** A row of a page; an empty page has one row without an id. */
export interface RankedRow {
  n: number;
  id: number | null;
  score: number;
}

/** The hits of a page. */
export const hitsOf = (rows: readonly Omit<RankedRow, 'n'>[]): SearchHit[] =>
  rows.flatMap(({ id, score }) => (id === null ? [] : [{ id, score }]));

/** The hits of a page and the number of all. */
export const readPage = (rows: readonly RankedRow[]): SearchPage => ({ count: rows[0]?.n ?? 0, hits: hitsOf(rows) });

/** The slice of a ranking, and the number of its rows: one statement. */
export async function rankedPage(
  { run }: SearchTarget,
  ranking: Ranking,
  order: string,
  slice: OffsetLimit | null,
  values: StatementValues,
): Promise<SearchPage> {
  const scores = scoresSql(ranking, values);
  if (scores === null) return { count: 0, hits: [] };
  return readPage(await run<RankedRow>(pageSql(scores, order, slice, values), values.all));
}
