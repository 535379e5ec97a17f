import type { Condition } from '../../query/condition.ts';
import type { Values } from './statement.ts';

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function written(condition: Condition): string {
  if ('term' in condition) return quoted(condition.term);
  if ('prefix' in condition) return `${quoted(condition.prefix)}:*`;
  if ('any' in condition) return `(${condition.any.map(written).join(' | ')})`;
  return `(${condition.all.map(written).join(' & ')})`;
}

/** A condition as a tsquery in text form; null for one that nothing meets. */
export function tsquery(condition: Condition): string | null {
  return 'any' in condition && condition.any.length === 0 ? null : written(condition);
}

/**
 * How a column of lexemes is held against a condition: `operator` lets PostgreSQL use an index, `function` never does,
 * which is what a statement wants that walks another index in order.
 */
export type Form = 'operator' | 'function';

/** The SQL of a match. */
export function match(form: Form, column: 'name_lex' | 'text_lex', query: string, values: Values): string {
  const value = `${values.add(query)}::tsquery`;
  return form === 'operator' ? `${column} @@ ${value}` : `ts_match_vq(${column}, ${value})`;
}

/**
 * The SQL of a match with any of some conditions; nothing when none can be met. One look-up for each is much faster than
 * one for all where very many rows match.
 */
export function matchAny(
  form: Form,
  column: 'name_lex' | 'text_lex',
  conditions: readonly Condition[],
  values: Values,
): string[] {
  const queries = conditions.flatMap((condition) => tsquery(condition) ?? []);
  if (queries.length === 0) return [];
  if (form === 'function') return [match(form, column, queries.join(' | '), values)];
  return [`${column} @@ ANY (${values.add(queries)}::tsquery[])`];
}
