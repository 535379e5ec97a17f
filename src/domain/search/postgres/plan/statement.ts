import type { Condition } from '../../query/condition.ts';
import { lookUpOf, needsCheck } from './row-checks.ts';

/** Runs one statement and returns its rows. */
export type Run = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

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
export class Values {
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

function written(condition: Condition): string {
  if ('term' in condition) return quoted(condition.term);
  if ('prefix' in condition) return `${quoted(condition.prefix)}:*`;
  if ('any' in condition) return `(${condition.any.map(written).join(' | ')})`;
  return `(${condition.all.map(written).join(' & ')})`;
}

/** A condition as tsquery text; null when it matches no row. */
export function tsquery(condition: Condition): string | null {
  return 'any' in condition && condition.any.length === 0 ? null : written(condition);
}

/**
 * How a lexeme column is matched: `operator` may use the text index; `function` never does, for statements that walk another index in
 * order.
 */
export type Form = 'operator' | 'function';

/** The SQL of a match. */
export function match(form: Form, column: 'name_lex' | 'text_lex', query: string, values: Values): string {
  const value = `${values.add(query)}::tsquery`;
  return form === 'operator' ? `${column} @@ ${value}` : `ts_match_vq(${column}, ${value})`;
}

/** The SQL of a condition; null when it matches no row. Checked parts are tested in the rows that the index finds. */
export function matchCondition(
  form: Form,
  column: 'name_lex' | 'text_lex',
  condition: Condition,
  values: Values,
): string | null {
  const query = tsquery(condition);
  if (query === null) return null;
  const lookUp = form === 'operator' && needsCheck(condition) ? lookUpOf(condition) : null;
  if (lookUp === null) return match(form, column, query, values);
  return `(${match(form, column, tsquery(lookUp) ?? '', values)} AND ${match('function', column, query, values)})`;
}

/**
 * SQL that matches any of the conditions; none when no condition can match. One look-up per condition is much faster than one for all
 * when very many rows match.
 */
export function matchAny(
  form: Form,
  column: 'name_lex' | 'text_lex',
  conditions: readonly Condition[],
  values: Values,
): string[] {
  const matchable = conditions.filter((condition) => tsquery(condition) !== null);
  if (matchable.length === 0) return [];
  if (form === 'function') return [match(form, column, matchable.map(written).join(' | '), values)];
  const checked = matchable.filter(needsCheck);
  const queries = matchable.filter((condition) => !needsCheck(condition)).map(written);
  return [
    ...(queries.length === 0 ? [] : [`${column} @@ ANY (${values.add(queries)}::tsquery[])`]),
    ...checked.map((condition) => matchCondition(form, column, condition, values) ?? 'false'),
  ];
}
