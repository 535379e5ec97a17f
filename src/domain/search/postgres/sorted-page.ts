/*
 * A page of a query's matches that is not ordered by relevance alone.
 */
import type { Hit } from '../engine.ts';
import type { Slice } from '../page-window.ts';
import { LEVELS } from '../popularity.ts';
import type { SortKey } from '../search-request.ts';
import { armsOf, unionOf } from './arms.ts';
import { filterSql } from './filters.ts';
import { LEXICAL_ARRAY, rank, sliceSql } from './ranking.ts';
import type { Target } from './relevance-page.ts';
import { type Run, Values } from './statement.ts';

/** The columns of `addon_search` to sort by. */
export const SORT_COLUMNS: Readonly<Record<Exclude<SortKey, 'random' | 'relevance'>, string>> = {
  created: 'created',
  downloads: 'downloads',
  hotness: 'hotness',
  rating: 'rating',
  updated: 'last_updated',
  users: 'users',
};

/** The keys whose column has an index of its own in `addon_search`. */
const INDEXED: readonly SortKey[] = ['created', 'rating', 'updated'];
/** With more matches than this, walking an index in order soon meets enough of them. */
const MANY = 10_000;
const DEEPEST_WALK = 500;

const columnOf = (key: SortKey): string =>
  key === 'relevance' ? 'score' : SORT_COLUMNS[key as keyof typeof SORT_COLUMNS];

/** `ORDER BY` of some keys; what is equal in all of them is in the order of ids, by relevance of users first. */
export function orderOf(keys: readonly SortKey[]): string {
  const ties = keys.at(-1) === 'relevance' ? ['users DESC', 'addon_id'] : ['addon_id'];
  return [...keys.map((key) => `${columnOf(key)} DESC`), ...ties].join(', ');
}

/** The slice of `count` matches in the order of `keys`. */
export async function sortedPage(
  run: Run,
  target: Target,
  keys: readonly SortKey[],
  slice: Slice,
  count: number,
): Promise<Hit[]> {
  if (keys.includes('relevance')) return rankedBy(run, target, keys, slice);
  const [key, other] = keys;
  if (count > MANY && other === undefined && slice.offset + slice.limit <= DEEPEST_WALK) {
    if (key === 'users') return (await mostUsed(run, target, slice)) ?? collected(run, target, keys, slice);
    if (key !== undefined && INDEXED.includes(key)) return walked(run, target, keys, slice);
  }
  return collected(run, target, keys, slice);
}

async function rankedBy(run: Run, { plan, filters }: Target, keys: readonly SortKey[], slice: Slice): Promise<Hit[]> {
  const values = new Values();
  const extra = filterSql(filters, values, 'operator');
  const arms = armsOf(plan, values).map((arm) => ({ ...arm, extra }));
  const columns = keys.filter((key) => key !== 'relevance').map(columnOf);
  return rank(run, { arms, worth: LEXICAL_ARRAY, columns: [...new Set(columns)], order: orderOf(keys) }, slice, values);
}

/** Finds all matches, then sorts them: PostgreSQL would rather walk an index through rows that do not match. */
async function collected(run: Run, target: Target, keys: readonly SortKey[], slice: Slice): Promise<Hit[]> {
  const values = new Values();
  const columns = [...new Set(keys.map(columnOf))].join(', ');
  const where = unionOf(target.plan, target.filters, values);
  const page = `SELECT addon_id FROM (SELECT addon_id, ${columns} FROM addon_search WHERE ${where} OFFSET 0) AS found
    ORDER BY ${orderOf(keys)}${sliceSql(slice, values)}`;
  return scored(run, target, page, values);
}

/** Walks the index of a column, testing each row. */
async function walked(run: Run, target: Target, keys: readonly SortKey[], slice: Slice): Promise<Hit[]> {
  const values = new Values();
  const where = unionOf(target.plan, target.filters, values, { form: 'function' });
  const page = `SELECT addon_id FROM addon_search WHERE ${where} ORDER BY ${orderOf(keys)}${sliceSql(slice, values)}`;
  return scored(run, target, page, values);
}

/** The most used of the popular rows, if these fill the slice: all with as many users are among them. Else null. */
async function mostUsed(run: Run, target: Target, slice: Slice): Promise<Hit[] | null> {
  const [top] = LEVELS;
  const values = new Values();
  const more = ` AND lvl >= ${top?.level} AND users >= ${top?.users}`;
  const where = unionOf(target.plan, target.filters, values, { more });
  const page = `SELECT addon_id FROM (SELECT addon_id, users FROM addon_search WHERE ${where} OFFSET 0) AS found
    ORDER BY ${orderOf(['users'])}${sliceSql(slice, values)}`;
  const hits = await scored(run, target, page, values);
  return hits.length === slice.limit ? hits : null;
}

/** The rows of a page, in its order, with their scores. */
async function scored(run: Run, { plan }: Target, page: string, values: Values): Promise<Hit[]> {
  const arms = armsOf(plan, values, 'function');
  const bits = arms.map((arm) => `CASE WHEN ${arm.where} THEN ${arm.bits} ELSE 0 END`).join(' | ');
  return run<Hit>(
    `WITH page AS MATERIALIZED (SELECT addon_id, row_number() OVER () AS place FROM (${page}) AS sorted)
    SELECT addon_id AS id, (${values.add(LEXICAL_ARRAY)}::float8[])[(${bits}) + 1] * m AS score
    FROM page JOIN addon_search USING (addon_id) ORDER BY place`,
    values.all,
  );
}
