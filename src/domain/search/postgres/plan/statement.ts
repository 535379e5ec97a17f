import { floorApplicationVersion } from '../../../../package/application-version.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../../package/enums.ts';
import { COMPATIBILITY_COLUMNS, typeLexeme } from '../../index/addon-row.ts';
import { bitOf, NOT_INSTALLABLE, typeCode } from '../../index/codes.ts';
import { lexemeCondition } from '../../query/filter-lexemes.ts';
import { acrossTexts, type QueryPlan } from '../../query/query-plan.ts';
import type { ApplicationFilter, SearchFilters } from '../../query/search-request.ts';
import { allOf, anyOf, type LexemeCondition, MATCHES_NOTHING, termCondition } from '../../query/tiers.ts';

/* Filters as SQL. `addon_search` and `search_listing` share the columns; only the former has lexemes. */

/** Conditions on application, version and platform, and on the type. */
export function kindConditions(filters: SearchFilters, values: StatementValues): string[] {
  return [...typeConditions(filters, values), ...placeConditions(filters, values)];
}

function typeConditions({ types }: SearchFilters, values: StatementValues): string[] {
  const [code, other] = types.map(typeCode);
  if (code === undefined) return [];
  return [other === undefined ? `type = ${code}` : `type = ANY(${values.add(types.map(typeCode))}::int2[])`];
}

/** Conditions on application, version, platform and installability. */
export function placeConditions(
  { application, platform, isInstallable }: SearchFilters,
  values: StatementValues,
): string[] {
  const platforms = platform === null ? 0 : bitOf(PLATFORMS, platform) | bitOf(PLATFORMS, 'all');
  return [
    ...(application === null ? [] : applicationConditions(application, values)),
    ...(platform === null ? [] : [`platforms & ${platforms} <> 0`]),
    ...(isInstallable === undefined ? [] : [isInstallable ? INSTALLABLE : `NOT (${INSTALLABLE})`]),
  ];
}

/** SQL condition that an add-on has a file that today's clients can install. */
const INSTALLABLE = `type <> ${typeCode('persona')} AND platforms & ${NOT_INSTALLABLE} = 0`;

function applicationConditions({ app, version }: ApplicationFilter, values: StatementValues): string[] {
  const made = `apps & ${bitOf(APPLICATIONS, app)} <> 0`;
  if (version === null) return [made];
  const [min, max] = COMPATIBILITY_COLUMNS[app];
  return [
    made,
    `(${min} IS NULL OR ${min} <= ${values.add(version)}::int8)`,
    `(${max} IS NULL OR ${max} >= ${values.add(floorApplicationVersion(version))}::int8)`,
  ];
}

/** Conditions on the ids of add-ons. */
export function idConditions({ guids, excluded }: SearchFilters, values: StatementValues): string[] {
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
  lexemes: LexemeCondition | null;
}

/** All filters, for the search table. Rare types are looked up by lexeme. */
export function filterParts(filters: SearchFilters, values: StatementValues): FilterParts {
  const { types } = filters;
  const byLexeme = types.length > 0 && types.length < ADDON_TYPES.length - 1 && !types.includes('persona');
  const ofType = byLexeme ? [anyOf(types.map((type) => termCondition(typeLexeme(type))))] : [];
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
export function andMatch(lexemes: LexemeCondition | null, values: StatementValues, form: MatchForm): string {
  if (lexemes === null) return '';
  const query = tsquery(lexemes);
  return ` AND ${query === null ? 'false' : matchClause(form, 'name_lex', query, values)}`;
}

/** All filters as one text: `AND …` or nothing. */
export function filterSql(filters: SearchFilters, values: StatementValues, form: MatchForm): string {
  const { columns, lexemes } = filterParts(filters, values);
  return columns + andMatch(lexemes, values, form);
}

/*
 * Starts of words after other words. PostgreSQL's text index collects all entries that start with a prefix before it combines them with the
 * other words: a tenth of all names may have a word with a letter, and a sixth the word "green". If the other words are rare, checking
 * their rows for the prefix is much cheaper. Only the choice depends on statistics, never the result.
 */

/** Number of all rows, and an estimate of the number of rows that match a condition. */
interface Expected {
  all: number;
  rows: (condition: LexemeCondition) => number;
}

/** Checking more rows than this costs more than the index. */
const MAX_CHECKED = 1_000;
/** Looking up prefixes of a smaller share of the rows is cheap. */
const MIN_SHARE = 0.01;
/** Checking a row takes as long as collecting this many rows of a prefix. */
const COLLECTED_PER_CHECK = 30;

/**
 * A plan whose frequent prefixes are checked in the rows of the other words, where these are at most a few. A union with one checked part
 * checks every row of all parts, so no part may match many.
 */
export function checkFrequentPrefixes(plan: QueryPlan, expected: Expected): QueryPlan {
  const { all, prefix, tag } = plan.names;
  const found = checked(prefix, expected);
  if (!needsCheck(found)) return plan;
  if ([all, tag, ...acrossTexts(plan)].some((way) => expected.rows(way) > MAX_CHECKED)) return plan;
  return { ...plan, names: { ...plan.names, prefix: found } };
}

function checked(condition: LexemeCondition, expected: Expected): LexemeCondition {
  if ('any' in condition) return { any: condition.any.map((each) => checked(each, expected)) };
  if (!('all' in condition)) return condition;
  let collected = 0;
  const isFrequent = (part: LexemeCondition): boolean => {
    const rows = expected.rows(part);
    if (rows < MIN_SHARE * expected.all) return false;
    collected += rows;
    return true;
  };
  const marked = { all: condition.all.map((part) => markPrefixes(part, isFrequent)) };
  const lookUp = collected === 0 ? null : lookUpOf(marked);
  return lookUp !== null && expected.rows(lookUp) * COLLECTED_PER_CHECK <= collected ? marked : condition;
}

function markPrefixes(condition: LexemeCondition, isFrequent: (prefix: LexemeCondition) => boolean): LexemeCondition {
  if ('any' in condition) return { any: condition.any.map((part) => markPrefixes(part, isFrequent)) };
  if ('all' in condition) return { all: condition.all.map((part) => markPrefixes(part, isFrequent)) };
  return 'prefix' in condition && isFrequent(condition) ? { ...condition, isChecked: true } : condition;
}

/** Whether a part of a condition has a property. */
function mentions(condition: LexemeCondition, has: (condition: LexemeCondition) => boolean): boolean {
  const parts = 'any' in condition ? condition.any : 'all' in condition ? condition.all : [];
  return has(condition) || parts.some((part) => mentions(part, has));
}

/** Whether rows that the index finds must be checked. */
export function needsCheck(condition: LexemeCondition): boolean {
  return mentions(condition, (part) => 'prefix' in part && part.isChecked === true);
}

/** What the index must find of a condition; null if that is every row. */
function lookUpOf(condition: LexemeCondition): LexemeCondition | null {
  if ('prefix' in condition) return condition.isChecked ? null : condition;
  if ('any' in condition) {
    const parts = condition.any.map(lookUpOf);
    return parts.includes(null) ? null : { any: parts.map((part) => part ?? MATCHES_NOTHING) };
  }
  if (!('all' in condition)) return condition;
  const parts = condition.all.flatMap((part) => lookUpOf(part) ?? []);
  return parts.length === 0 ? null : { all: parts };
}

/** Runs one statement and returns its rows. */
export type RunStatement = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

/** Numbers as a PostgreSQL array text. */
export const numberArray = (numbers: readonly number[]): string => `{${numbers.join()}}`;

const FLOAT8 = 701;
const FLOAT8_BYTES = 8;

/** Numbers as a PostgreSQL array of float8 in binary form, which the server reads five times faster than text. */
export function binaryArray(numbers: readonly number[]): Buffer {
  // One dimension without nulls, whose first index is 1; then the length and the bytes of each number.
  const header = [1, 0, FLOAT8, numbers.length, 1];
  const bytes = Buffer.alloc(4 * header.length + (4 + FLOAT8_BYTES) * numbers.length);
  let end = 0;
  for (const number of header) end = bytes.writeInt32BE(number, end);
  for (const number of numbers) end = bytes.writeDoubleBE(number, bytes.writeInt32BE(FLOAT8_BYTES, end));
  return bytes;
}

/** Collects the parameters of a statement; each is referenced by position. */
export class StatementValues {
  readonly all: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }

  /** Adds a large constant, once for all its uses, and returns its placeholder. */
  addOnce(value: unknown): string {
    const place = this.all.indexOf(value);
    return place < 0 ? this.add(value) : `$${place + 1}`;
  }
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function written(condition: LexemeCondition): string {
  if ('term' in condition) return quoted(condition.term);
  if ('prefix' in condition) return `${quoted(condition.prefix)}:*`;
  if ('any' in condition) return `(${condition.any.map(written).join(' | ')})`;
  return `(${condition.all.map(written).join(' & ')})`;
}

/** A condition as tsquery text; null when it matches no row. */
export function tsquery(condition: LexemeCondition): string | null {
  return 'any' in condition && condition.any.length === 0 ? null : written(condition);
}

/**
 * How a lexeme column is matched: `operator` may use the text index; `function` never does, for statements that walk another index in
 * order.
 */
export type MatchForm = 'operator' | 'function';

/** The SQL of a match. */
export function matchClause(
  form: MatchForm,
  column: 'name_lex' | 'text_lex',
  query: string,
  values: StatementValues,
): string {
  const value = `${values.add(query)}::tsquery`;
  return form === 'operator' ? `${column} @@ ${value}` : `ts_match_vq(${column}, ${value})`;
}

/** The SQL of a condition; null when it matches no row. Checked parts are tested in the rows that the index finds. */
export function matchCondition(
  form: MatchForm,
  column: 'name_lex' | 'text_lex',
  condition: LexemeCondition,
  values: StatementValues,
): string | null {
  const query = tsquery(condition);
  if (query === null) return null;
  const lookUp = form === 'operator' && needsCheck(condition) ? lookUpOf(condition) : null;
  if (lookUp === null) return matchClause(form, column, query, values);
  return `(${matchClause(form, column, tsquery(lookUp) ?? '', values)} AND ${matchClause('function', column, query, values)})`;
}

/**
 * SQL that matches any of the conditions; none when no condition can match. One look-up per condition is much faster than one for all
 * when very many rows match.
 */
export function matchAny(
  form: MatchForm,
  column: 'name_lex' | 'text_lex',
  conditions: readonly LexemeCondition[],
  values: StatementValues,
): string[] {
  const matchable = conditions.filter((condition) => tsquery(condition) !== null);
  if (matchable.length === 0) return [];
  if (form === 'function') return [matchClause(form, column, matchable.map(written).join(' | '), values)];
  const checked = matchable.filter(needsCheck);
  const queries = matchable.filter((condition) => !needsCheck(condition)).map(written);
  return [
    ...(queries.length === 0 ? [] : [`${column} @@ ANY (${values.add(queries)}::tsquery[])`]),
    ...checked.map((condition) => matchCondition(form, column, condition, values) ?? 'false'),
  ];
}
