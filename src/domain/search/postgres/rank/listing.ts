import { ADDON_TYPES } from '../../../../package/enums.ts';
import { typeCode } from '../../index/codes.ts';
import type { SearchHit, SearchPage } from '../../query/engine.ts';
import { lexemeCondition } from '../../query/filter-lexemes.ts';
import type { OffsetLimit, SearchFilters, SortKey } from '../../query/search-request.ts';
import {
  filterSql,
  idConditions,
  kindConditions,
  placeConditions,
  type RunStatement,
  StatementValues,
} from '../plan/statement.ts';
import { sliceSql } from './ranking.ts';
import { columnsOf, orderOf } from './sorted-page.ts';

/** Sort keys with an index on the listing table; the others have one on the search table. */
const LISTED: readonly SortKey[] = ['downloads', 'hotness', 'rating', 'users'];
/** Above this number of rows an index is walked in order; below it rows are sorted. */
const MANY = 2_000;

/**
 * A slice of the filtered add-ons in the order of `keys`, and their number: two statements. `day` seeds `random`; above `many` add-ons an
 * index is walked.
 */
export async function listingPage(
  run: RunStatement,
  filters: SearchFilters,
  keys: readonly SortKey[],
  slice: OffsetLimit | null,
  day: string,
  many = MANY,
): Promise<SearchPage> {
  const count = await countListed(run, filters);
  const isEmpty = slice === null || slice.offset >= count;
  const ids = isEmpty ? [] : await pageOf(run, filters, keys, slice, count > many, day);
  return { count, hits: ids.map(({ id }): SearchHit => ({ id, score: 1 })) };
}

/** Filters on kinds alone use the maintained counters, minus excluded add-ons; all others count few enough rows. */
async function countListed(run: RunStatement, filters: SearchFilters): Promise<number> {
  const values = new StatementValues();
  const { excluded } = filters;
  if (lexemeCondition(filters) !== null || filters.guids.length > 0) {
    return oneNumber(
      run,
      `SELECT count(*)::int AS n FROM addon_search WHERE true${filterSql(filters, values, 'operator')}`,
      values,
    );
  }
  const kinds = ['true', ...kindConditions(filters, values)].join(' AND ');
  const all = `SELECT coalesce(sum(n), 0)::int FROM search_facet WHERE ${kinds}`;
  if (excluded.ids.length + excluded.names.length === 0) return oneNumber(run, `SELECT (${all}) AS n`, values);
  const but = `SELECT count(*)::int FROM search_listing WHERE ${kinds} AND addon_id = ANY(
    ${values.add(excluded.ids)}::int[] || ARRAY(SELECT id FROM addon WHERE slug = ANY(${values.add(excluded.names)}::citext[])))`;
  return oneNumber(run, `SELECT (${all}) - (${but}) AS n`, values);
}

async function oneNumber(run: RunStatement, sql: string, values: StatementValues): Promise<number> {
  const [row] = await run<{ n: number }>(sql, values.all);
  return row?.n ?? 0;
}

async function pageOf(
  run: RunStatement,
  filters: SearchFilters,
  keys: readonly SortKey[],
  slice: OffsetLimit,
  isLong: boolean,
  day: string,
): Promise<{ id: number }[]> {
  const values = new StatementValues();
  const source = sourceOf(filters, keys, slice, isLong, values);
  const order = keys.includes('random')
    ? `md5(${values.add(`${day}:`)} || addon_id::text) COLLATE "C", addon_id`
    : orderOf(keys);
  return run(`SELECT addon_id AS id FROM ${source} ORDER BY ${order}${sliceSql(slice, values)}`, values.all);
}

/** Source of the rows of a page: an index in order, or all rows. */
function sourceOf(
  filters: SearchFilters,
  keys: readonly SortKey[],
  slice: OffsetLimit,
  isLong: boolean,
  values: StatementValues,
): string {
  const [key] = keys;
  const isWalked = isLong && keys.length === 1 && key !== undefined && key !== 'random';
  const onlyCategory = { ...filters, category: null };
  const isListed = lexemeCondition(onlyCategory) === null && filters.guids.length === 0;
  if (isWalked && isListed && LISTED.includes(key)) return mergedTypes(filters, key, slice, values);
  if (isWalked && !LISTED.includes(key)) return `addon_search WHERE true${filterSql(filters, values, 'function')}`;
  const found = `SELECT * FROM addon_search WHERE true${filterSql(filters, values, 'operator')} OFFSET 0`;
  return `(${found}) AS found`;
}

/**
 * One ordered index scan per type, merged by PostgreSQL. Each is limited to the end of the page, which also makes the planner prefer the
 * index to a sort.
 */
function mergedTypes(filters: SearchFilters, key: SortKey, slice: OffsetLimit, values: StatementValues): string {
  const types = filters.types.length === 0 ? ADDON_TYPES : filters.types;
  const conditions = [
    ...placeConditions(filters, values),
    ...idConditions(filters, values),
    ...categoryConditions(filters, values),
  ];
  const more = conditions.map((condition) => ` AND ${condition}`).join('');
  const order = `ORDER BY ${orderOf([key])} LIMIT ${values.add(slice.offset + slice.limit)}::int`;
  const parts = types.map(
    (type) =>
      `(SELECT addon_id, ${columnsOf([key])} FROM search_listing WHERE type = ${typeCode(type)}${more} ${order})`,
  );
  return `(${parts.join(' UNION ALL ')}) AS listed`;
}

function categoryConditions({ application, types, category }: SearchFilters, values: StatementValues): string[] {
  if (category === null || application === null) return [];
  const [app, slug] = [values.add(application.app), values.add(category)];
  return [
    `cats && ARRAY(SELECT id FROM category WHERE app = ${app} AND lower(slug) = ${slug} AND type = ANY(${values.add(types)}::text[]))`,
  ];
}
