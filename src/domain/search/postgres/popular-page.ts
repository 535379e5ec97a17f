/*
 * A page by relevance from few rows. Where very many rows match, the best of them are nearly always popular or match in a way
 * that few do: the page is ranked from those alone, and taken when no other row can be worth as much.
 */
import type { Hit } from '../engine.ts';
import type { Slice } from '../page-window.ts';
import { POPULAR } from '../popularity.ts';
import type { QueryPlan } from '../query-plan.ts';
import { boundWithout, TIERS, type Tier } from '../tiers.ts';
import { armsOf, bitsOfRow, type Target, tiersQuery, tierWheres } from './arms.ts';
import { countSql } from './count.ts';
import { filterSql } from './filters.ts';
import { BY_SCORE, LEXICAL_ARRAY, type PageRow, readPage, scoresSql } from './ranking.ts';
import { type Run, Values } from './statement.ts';

/** A page that ends deeper than this has too many rows in it that are not popular. */
const DEEPEST = 500;
/** As many less popular rows of a tier are ranked as well; where there are more, the tier is left out. */
const MOST_OTHERS = 500;
/** The tiers that may have few rows of a usual word, best first: only the two least ones have about as many as there are matches. */
const RARE_TIERS: readonly Tier[] = TIERS.map(([tier]) => tier).slice(0, -2);

/** Whether a slice may be found among popular rows. */
export const isShallow = ({ offset, limit }: Slice): boolean => offset + limit <= DEEPEST;

/** The number of all matches, and the slice of them, if it is known for certain. */
export interface PopularPage {
  count: number;
  hits: readonly Hit[] | null;
}

interface PopularRow extends PageRow {
  others: (number | null)[];
}

/**
 * The slice as ranked from the popular rows, and from those others that match in one of the best tiers: one statement.
 *
 * Tier by tier, best first, the others are counted: as long as they are few, and as long as a row of that tier could be
 * worth more than the last of the popular ones on the page. A row that is left out matches none of those tiers, so it is
 * worth less than all further tiers together, times the least factor of popular rows.
 */
export async function popularPage(
  run: Run,
  target: Target,
  slice: Slice,
  { counts = true }: { counts?: boolean } = {},
): Promise<PopularPage> {
  const values = new Values();
  const end = slice.offset + slice.limit;
  const sql = popularSql(target, end, values);
  const n = counts ? `(${countSql(target, values)})` : '0';
  const rows = await run<PopularRow>(
    `${sql} SELECT ${n} AS n, ARRAY[${RARE_TIERS.map(othersOf)}] AS others, addon_id AS id, score
    FROM (SELECT) AS one LEFT JOIN page ON true ORDER BY place`,
    values.all,
  );
  const { count, hits } = readPage(rows);
  const isCertain = (counts && hits.length === count) || isProved(hits, end, rows[0]?.others ?? []);
  return { count, hits: isCertain ? hits.slice(slice.offset) : null };
}

function isProved(hits: readonly Hit[], end: number, others: readonly (number | null)[]): boolean {
  const ranked = new Set<Tier>();
  for (const [index, tier] of RARE_TIERS.entries()) {
    if ((others[index] ?? Number.POSITIVE_INFINITY) > MOST_OTHERS) break;
    ranked.add(tier);
  }
  const last = hits.length < end ? 0 : (hits.at(-1)?.score ?? 0);
  return last >= boundBelow(ranked);
}

/** The most that a row is worth which is not popular and matches none of these tiers. */
const boundBelow = (ranked: ReadonlySet<Tier>): number => (boundWithout(ranked)?.bound ?? 0) * POPULAR.factor;

const othersOf = (tier: Tier) => `(SELECT n FROM others_${tier})`;
const areFew = (tier: Tier) => `${othersOf(tier)} <= ${MOST_OTHERS}`;

function popularSql({ plan, filters }: Target, end: number, values: Values): string {
  const filter = filterSql(filters, values, 'operator');
  const limit = `ORDER BY ${BY_SCORE} LIMIT ${values.add(end)}::int`;
  const scores = scoresSql(
    { together: armsOf(plan, values), filter: `${filter} AND lvl >= ${POPULAR.level}`, worth: LEXICAL_ARRAY },
    values,
  );
  const counts = RARE_TIERS.map((tier, index) => {
    const before = index === 0 ? 'true' : areFew(RARE_TIERS[index - 1] as Tier);
    const matters = `${before} AND (SELECT score FROM last) < ${boundBelow(new Set(RARE_TIERS.slice(0, index)))}`;
    // In one condition PostgreSQL would look up the filters alone, and with the limit inside it would look up nothing.
    const rows = unpopular(plan, tier, filter, values).map((sql) => `SELECT FROM (${sql} OFFSET 0) AS rows`);
    const few = rows.length === 0 ? 'SELECT LIMIT 0' : `${rows.join(' UNION ALL ')} LIMIT ${MOST_OTHERS + 1}`;
    const count = `(SELECT count(*)::int FROM (${few}) AS few)`;
    return `others_${tier} AS MATERIALIZED (SELECT CASE WHEN ${matters} THEN ${count} END AS n)`;
  });
  return `WITH popular AS MATERIALIZED (SELECT addon_id, users, score FROM (${scores}) AS scored ${limit}),
    last AS MATERIALIZED (SELECT CASE WHEN count(*) = ${end} THEN min(score) ELSE 0 END AS score FROM popular),
    ${counts.join(', ')},
    others AS MATERIALIZED (${othersSql({ plan, filters }, filter, values)}),
    best AS (
      SELECT * FROM popular
      UNION ALL
      SELECT row.* FROM others CROSS JOIN LATERAL (
        SELECT addon_id, users, (${values.add(LEXICAL_ARRAY)}::float8[])[${bitsOfRow(plan, values)} + 1] * m
        FROM addon_search WHERE addon_id = others.addon_id OFFSET 0
      ) AS row
    ),
    page AS (SELECT *, row_number() OVER () AS place FROM (SELECT * FROM best ${limit}) AS sorted)`;
}

/** The ids of the less popular rows in the tiers that have few of them, all better tiers having few as well. */
function othersSql({ plan }: Target, filter: string, values: Values): string {
  const inNames = RARE_TIERS.filter((tier) => tier in plan.names);
  const queries = inNames.map((tier, index) => {
    const query = tiersQuery(plan, inNames.slice(0, index + 1));
    return `WHEN ${areFew(tier)} THEN ${values.add(query)}::tsquery`;
  });
  const names = `name_lex @@ (SELECT CASE ${queries.reverse().join(' ')} END)`;
  const texts = RARE_TIERS.filter((tier) => !(tier in plan.names)).flatMap((tier) =>
    unpopular(plan, tier, filter, values).map((sql) => `${sql} AND ${areFew(tier)}`),
  );
  return [lessPopular(names, filter), ...texts].join(' UNION ');
}

/** The less popular rows of a tier, in as many statements as there are ways to look them up. */
const unpopular = (plan: QueryPlan, tier: Tier, filter: string, values: Values): string[] =>
  tierWheres(plan, tier, values).map((where) => lessPopular(where, filter));

const lessPopular = (where: string, filter: string): string =>
  `SELECT addon_id FROM addon_search WHERE ${where}${filter} AND lvl < ${POPULAR.level}`;
