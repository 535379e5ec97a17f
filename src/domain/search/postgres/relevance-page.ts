import type { Hit, SearchPage } from '../engine/engine.ts';
import type { Slice } from '../query/page-window.ts';
import { countSql } from './plan/count.ts';
import { filterSql } from './plan/filters.ts';
import { Values } from './plan/statement.ts';
import { dividedTierConditions, type Target, tierConditionsOf } from './plan/tier-conditions.ts';
import { popularPage } from './popular/early-termination.ts';
import { BY_SCORE, type PageRow, pageSql, rankedPage, readPage, scoresSql, TIER_SCORES } from './rank/ranking.ts';

/** Ranking this many rows costs less than proving that it need not be done. */
const FEW = 8_000;
/** The same without counting the matches. */
const FEW_UNCOUNTED = 2_500;
/** Popular rows may fill a page that ends within this share of the matches. */
const PART_POPULAR = 20;

/** Whether popular rows may fill a slice, and are much fewer than the matches. */
const isPopularEnough = ({ offset, limit }: Slice, expected: number, few: number): boolean =>
  expected > Math.max(few, PART_POPULAR * (offset + limit));

/** The slice of a ranking of the matches, and their number: one statement where few are expected, else at most two. */
export async function relevancePage(target: Target, slice: Slice, expected: number): Promise<SearchPage> {
  if (!isPopularEnough(slice, expected, FEW)) return wholeRanking(target, slice, expected);
  const { count, hits, minScore } = await popularPage(target, slice, { counts: true });
  if (count !== null && (hits !== null || slice.offset >= count)) return { count, hits: hits ?? [] };
  return restOfRanking(target, slice, minScore, count ?? 'counted');
}

/** The slice of a ranking of the matches without their number: at most two statements. */
export async function suggestionsPage(target: Target, slice: Slice, expected: number): Promise<readonly Hit[]> {
  if (!isPopularEnough(slice, expected, FEW_UNCOUNTED)) return (await wholeRanking(target, slice, expected)).hits;
  const { hits, minScore } = await popularPage(target, slice, { counts: false });
  return hits ?? (await restOfRanking(target, slice, minScore, 0)).hits;
}

/** The slice of the ranking of all rows, and their number. */
async function wholeRanking(target: Target, slice: Slice, expected: number): Promise<SearchPage> {
  const { plan, filters, hasRareWord = false } = target;
  const values = new Values();
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
  target: Target,
  slice: Slice,
  minScore: number,
  number: number | 'counted',
): Promise<SearchPage> {
  const values = new Values();
  const filter = filterSql(target.filters, values, 'operator');
  const conditions = dividedTierConditions(target.plan, values);
  const mayLeaveOut = minScore > 0 && conditions.disjoint.length > 0;
  const rows = mayLeaveOut ? scoresSql({ ...conditions, filter, tierScores: TIER_SCORES, minScore }, values) : null;
  if (rows === null) return wholeRanking(target, slice, Number.POSITIVE_INFINITY);
  const count = number === 'counted' ? `(${countSql(target, values)})` : `${number}`;
  const page = readPage(await target.run<PageRow>(pageSql(rows, BY_SCORE, slice, values, count), values.all));
  const last = page.hits.length < slice.limit ? 0 : (page.hits.at(-1)?.score ?? 0);
  return last < minScore ? wholeRanking(target, slice, Number.POSITIVE_INFINITY) : page;
}
