import type { KeysetPage } from '../../../../graphql/connections.ts';
import { searchRows, withSearchSlot } from '../../../../infra/db.ts';
import { lexemeCondition } from '../../query/filter-lexemes.ts';
import type { SearchFilters } from '../../query/search-request.ts';
import { filterSql, StatementValues } from '../plan/statement.ts';

/** Filters of the catalogue in addition to those of a search. An empty list and null do not filter. */
export interface CatalogueFilters extends SearchFilters {
  /** Category ids; any of them. */
  categories: readonly number[];
  /** Languages of the name; any of them. */
  locales: readonly string[];
  minUsers: number | null;
  isExperimental: boolean | null;
  createdSince: Date | null;
  updatedSince: Date | null;
}

/** `AND …` or nothing. */
function conditions(filters: CatalogueFilters, values: StatementValues): string {
  const { categories, locales, minUsers, isExperimental, createdSince, updatedSince } = filters;
  const inCategories = 'addon_id IN (SELECT c.addon_id FROM addon_category c WHERE c.category_id = ANY';
  const inLanguages = 'EXISTS (SELECT FROM addon a WHERE a.id = addon_search.addon_id AND jsonb_exists_any(a.name,';
  const own = [
    ...(categories.length === 0 ? [] : [`${inCategories}(${values.add(categories)}::int[]))`]),
    ...(locales.length === 0 ? [] : [`${inLanguages} ${values.add(locales)}::text[]))`]),
    ...(minUsers === null ? [] : [`users >= ${values.add(minUsers)}::int`]),
    ...(isExperimental === null ? [] : [`is_experimental = ${values.add(isExperimental)}::bool`]),
    ...(createdSince === null ? [] : [`created >= ${values.add(createdSince)}::timestamptz`]),
    ...(updatedSince === null ? [] : [`last_updated >= ${values.add(updatedSince)}::timestamptz`]),
  ];
  return filterSql(filters, values, 'operator') + own.map((condition) => ` AND ${condition}`).join('');
}

/** The ids of a page, ascending, or descending when inverted: one statement. */
export async function cataloguePage(filters: CatalogueFilters, page: KeysetPage): Promise<{ id: number }[]> {
  const values = new StatementValues();
  const { after, before, limit, inverted } = page;
  const keys = [
    ...(after === null ? [] : [` AND addon_id > ${values.add(after)}::int`]),
    ...(before === null ? [] : [` AND addon_id < ${values.add(before)}::int`]),
  ].join('');
  const where = `true${conditions(filters, values)}${keys}`;
  // Lexeme filters use the text index and sort; all others walk the primary key.
  const isFound = lexemeCondition(filters) !== null || filters.guids.length > 0;
  const source = isFound
    ? `(SELECT addon_id FROM addon_search WHERE ${where} OFFSET 0) found`
    : `addon_search WHERE ${where}`;
  const sql = `SELECT addon_id AS id FROM ${source} ORDER BY addon_id ${inverted ? 'DESC' : 'ASC'} LIMIT ${values.add(limit)}`;
  return withSearchSlot(() => searchRows<{ id: number }>(sql, values.all));
}

/** The number of add-ons in the filtered catalogue. */
export async function countCatalogue(filters: CatalogueFilters): Promise<number> {
  const values = new StatementValues();
  const sql = `SELECT count(*)::int AS n FROM addon_search WHERE true${conditions(filters, values)}`;
  const rows = await withSearchSlot(() => searchRows<{ n: number }>(sql, values.all));
  return rows[0]?.n ?? 0;
}
