/*
 * A page by relevance. Where many rows match, the best of them are nearly always popular or have the query for a name, so
 * the page is ranked from those alone and taken when no other row can be worth as much: exact, and much faster.
 */
import type { Hit } from '../engine.ts';
import type { Slice } from '../page-window.ts';
import { LEVELS, type Level } from '../popularity.ts';
import type { QueryPlan } from '../query-plan.ts';
import type { SearchFilters } from '../search-request.ts';
import { boundWithout, NAME_TIERS, type Tier } from '../tiers.ts';
import { armsOf, tiersQuery, unionOf } from './arms.ts';
import { filterSql } from './filters.ts';
import { LEXICAL_ARRAY, rank } from './ranking.ts';
import { type Run, Values } from './statement.ts';
import { match } from './tsquery.ts';

/** A query among the add-ons that filters leave. */
export interface Target {
  plan: QueryPlan;
  filters: SearchFilters;
}

/** Ranking this many rows costs less than proving that it need not be done. */
const FEW = 1_000;
/** Up to here the less popular level is not worth an attempt. */
const SOME = 10_000;
const DEEPEST_PROOF = 500;
/** The tiers that hardly any rows are in. */
const ENUMERATED_ALWAYS: ReadonlySet<Tier> = new Set<Tier>(['exact', 'whole']);
/** Rows of a tier that are worth enumerating below a level. */
const MOST_ENUMERATED = 2_000;

/** Whether a slice may be proved from popular rows, if there are enough of others. */
export const isProvable = (slice: Slice): boolean => slice.offset + slice.limit <= DEEPEST_PROOF;

/** Rows below the most popular level by their tier, as far as they are known; of many, only that they are. */
export type RowsBelow = ReadonlyMap<Tier, number>;

/** What is counted before a page is proved. */
export interface CountedMatches {
  count: number;
  below: RowsBelow;
}

/**
 * Counts the matches, and where they are many, those that a proof may have to enumerate: in one statement. Where they are
 * very many, so are these, and it is cheaper to count only those that turn out to matter.
 */
export async function countForProof(run: Run, target: Target): Promise<CountedMatches> {
  const [popular] = LEVELS;
  const values = new Values();
  const matches = unionOf(target.plan, target.filters, values);
  const found = NAME_TIERS.flatMap((tier) => {
    const rows = ENUMERATED_ALWAYS.has(tier) || !popular ? null : rowsBelow(target, popular, tier, values);
    return rows === null ? [] : [{ tier, rows: `(SELECT count(*)::int FROM (${rows}) AS few)` }];
  });
  const below =
    found.length === 0
      ? 'NULL'
      : `CASE WHEN n > ${FEW} AND n <= ${SOME} THEN ARRAY[${found.map(({ rows }) => rows)}] END`;
  const [row] = await run<{ n: number; below: number[] | null }>(
    `WITH matches AS MATERIALIZED (SELECT count(*)::int AS n FROM addon_search WHERE ${matches})
    SELECT n, ${below} AS below FROM matches`,
    values.all,
  );
  const count = row?.n ?? 0;
  const known = new Map<Tier, number>(count > SOME ? [] : NAME_TIERS.map((tier) => [tier, 0]));
  for (const [index, rows] of (row?.below ?? []).entries()) {
    const tier = found[index]?.tier;
    if (tier !== undefined) known.set(tier, rows);
  }
  return { count, below: known };
}

/** The slice of a ranking of the matches. */
export async function relevancePage(
  run: Run,
  target: Target,
  slice: Slice,
  { count, below }: CountedMatches,
): Promise<Hit[]> {
  const [popular, lessPopular] = LEVELS;
  const attempts = [
    ...(popular ? [{ level: popular, below }] : []),
    ...(lessPopular && count > SOME ? [{ level: lessPopular }] : []),
  ];
  for (const { level, ...known } of count > FEW && isProvable(slice) ? attempts : []) {
    const page = await provedPage(run, target, slice, level, known);
    if (page !== null) return page;
  }
  return wholeRanking(run, target, slice);
}

/** The slice of the ranking of all rows. */
export async function wholeRanking(run: Run, { plan, filters }: Target, slice: Slice): Promise<Hit[]> {
  const values = new Values();
  const extra = filterSql(filters, values, 'operator');
  const arms = armsOf(plan, values).map((arm) => ({ ...arm, extra }));
  return rank(run, { arms, worth: LEXICAL_ARRAY }, slice, values);
}

/**
 * The slice as ranked from the rows of a level, and from those below it that match one of the best tiers. Null when rows
 * that were left out could belong into it.
 *
 * A row left out matches none of the enumerated tiers, so the best it can be worth is that of all others together, times
 * the largest factor below the level. One that is not `persistent` gives up when the level does not even fill the slice.
 */
export async function provedPage(
  run: Run,
  target: Target,
  slice: Slice,
  level: Level,
  { persistent = true, below: known }: { persistent?: boolean; below?: RowsBelow } = {},
): Promise<Hit[] | null> {
  const end = slice.offset + slice.limit;
  const enumerated = new Set<Tier>(ENUMERATED_ALWAYS);
  for (const tier of NAME_TIERS) {
    if (!enumerated.has(tier) && (known?.get(tier) ?? Number.POSITIVE_INFINITY) > MOST_ENUMERATED) break;
    enumerated.add(tier);
  }
  let hits = await rankLevel(run, target, end, level, enumerated);
  for (;;) {
    const rest = boundWithout(enumerated);
    const last = hits.length === end ? (hits[end - 1]?.score ?? 0) : 0;
    if (rest === null || last >= rest.bound * level.factor) return hits.slice(slice.offset);
    if (hits.length < end && !persistent) return null;
    if (!(NAME_TIERS as readonly Tier[]).includes(rest.tier)) return null;
    const below = known?.get(rest.tier) ?? (await countBelow(run, target, level, rest.tier));
    if (below > MOST_ENUMERATED) return null;
    enumerated.add(rest.tier);
    if (below > 0) hits = await rankLevel(run, target, end, level, enumerated);
  }
}

async function rankLevel(
  run: Run,
  { plan, filters }: Target,
  limit: number,
  { level }: Level,
  enumerated: ReadonlySet<Tier>,
): Promise<Hit[]> {
  const values = new Values();
  const filter = filterSql(filters, values, 'operator');
  const best = tiersQuery(plan, enumerated);
  const below = best === null ? null : ` AND ${match('operator', 'name_lex', best, values)} AND lvl < ${level}`;
  const arms = armsOf(plan, values).flatMap((arm) => [
    { ...arm, extra: `${filter} AND lvl >= ${level}` },
    ...(below === null ? [] : [{ ...arm, extra: filter + below }]),
  ]);
  return rank(run, { arms, worth: LEXICAL_ARRAY }, { offset: 0, limit }, values);
}

/** Rows below a level in a tier, as far as they matter; null when none can be. */
function rowsBelow({ plan, filters }: Target, { level }: Level, tier: Tier, values: Values): string | null {
  const query = tiersQuery(plan, [tier]);
  if (query === null) return null;
  const where = match('operator', 'name_lex', query, values) + filterSql(filters, values, 'operator');
  return `SELECT FROM addon_search WHERE ${where} AND lvl < ${level} LIMIT ${values.add(MOST_ENUMERATED + 1)}`;
}

async function countBelow(run: Run, target: Target, level: Level, tier: Tier): Promise<number> {
  const values = new Values();
  const rows = rowsBelow(target, level, tier, values);
  if (rows === null) return 0;
  const [row] = await run<{ n: number }>(`SELECT count(*)::int AS n FROM (${rows}) AS few`, values.all);
  return row?.n ?? 0;
}
