/* Filters as SQL. `addon_search` and `search_listing` share the columns; only the former has lexemes. */

import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../../package/enums.ts';
import { floorApplicationVersion } from '../../../../package/versions/application-version.ts';
import { typeLexeme, VERSION_COLUMNS } from '../../index/addon-row.ts';
import { bitOf, NOT_INSTALLABLE, typeCode } from '../../index/codes.ts';
import { lexemeCondition } from '../../query/filter-lexemes.ts';
import type { ApplicationFilter, SearchFilters } from '../../query/search-request.ts';
import { allOf, anyOf, type Condition, term } from '../../query/tiers.ts';
import { type Form, match, tsquery, type Values } from './statement.ts';

/** Conditions on application, version and platform, and on the type. */
export function kindConditions(filters: SearchFilters, values: Values): string[] {
  return [...typeConditions(filters, values), ...placeConditions(filters, values)];
}

function typeConditions({ types }: SearchFilters, values: Values): string[] {
  const [code, other] = types.map(typeCode);
  if (code === undefined) return [];
  return [other === undefined ? `type = ${code}` : `type = ANY(${values.add(types.map(typeCode))}::int2[])`];
}

/** Conditions on application, version, platform and installability. */
export function placeConditions({ application, platform, isInstallable }: SearchFilters, values: Values): string[] {
  const platforms = platform === null ? 0 : bitOf(PLATFORMS, platform) | bitOf(PLATFORMS, 'all');
  return [
    ...(application === null ? [] : applicationConditions(application, values)),
    ...(platform === null ? [] : [`platforms & ${platforms} <> 0`]),
    ...(isInstallable === undefined ? [] : [isInstallable ? INSTALLABLE : `NOT (${INSTALLABLE})`]),
  ];
}

/** SQL condition that an add-on has a file that today's clients can install. */
const INSTALLABLE = `type <> ${typeCode('persona')} AND platforms & ${NOT_INSTALLABLE} = 0`;

function applicationConditions({ app, version }: ApplicationFilter, values: Values): string[] {
  const made = `apps & ${bitOf(APPLICATIONS, app)} <> 0`;
  if (version === null) return [made];
  const [min, max] = VERSION_COLUMNS[app];
  return [
    made,
    `(${min} IS NULL OR ${min} <= ${values.add(version)}::int8)`,
    `(${max} IS NULL OR ${max} >= ${values.add(floorApplicationVersion(version))}::int8)`,
  ];
}

/** Conditions on the ids of add-ons. */
export function idConditions({ guids, excluded }: SearchFilters, values: Values): string[] {
  const some = (column: string, names: readonly string[]) =>
    `ARRAY(SELECT id FROM addon WHERE ${column} = ANY(${values.add(names)}::citext[]))`;
  return [
    ...(guids.length === 0 ? [] : [`addon_id = ANY(${some('guid', guids)})`]),
    ...(excluded.ids.length === 0 ? [] : [`addon_id <> ALL(${values.add(excluded.ids)}::int[])`]),
    ...(excluded.names.length === 0 ? [] : [`addon_id <> ALL(${some('slug', excluded.names)})`]),
  ];
}

/** The filters in two parts: a text index can combine the lexeme filters with the query. */
interface FilterParts {
  /** `AND …` or nothing. */
  columns: string;
  lexemes: Condition | null;
}

/** All filters, for the search table. Rare types are looked up by lexeme. */
export function filterParts(filters: SearchFilters, values: Values): FilterParts {
  const { types } = filters;
  const byLexeme = types.length > 0 && types.length < ADDON_TYPES.length - 1 && !types.includes('persona');
  const ofType = byLexeme ? [anyOf(types.map((type) => term(typeLexeme(type))))] : [];
  const others = lexemeCondition(filters);
  const wanted = [...ofType, ...(others === null ? [] : [others])];
  const conditions = [
    ...(byLexeme ? placeConditions(filters, values) : kindConditions(filters, values)),
    ...idConditions(filters, values),
  ];
  return {
    columns: conditions.map((condition) => ` AND ${condition}`).join(''),
    lexemes: wanted.length === 0 ? null : allOf(wanted),
  };
}

/** `AND …` for a condition on lexemes, or nothing for none. */
export function andMatch(lexemes: Condition | null, values: Values, form: Form): string {
  if (lexemes === null) return '';
  const query = tsquery(lexemes);
  return ` AND ${query === null ? 'false' : match(form, 'name_lex', query, values)}`;
}

/** All filters as one text: `AND …` or nothing. */
export function filterSql(filters: SearchFilters, values: Values, form: Form): string {
  const { columns, lexemes } = filterParts(filters, values);
  return columns + andMatch(lexemes, values, form);
}
