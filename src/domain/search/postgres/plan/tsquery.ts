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
  const queries = conditions.flatMap((condition) => tsquery(condition) ?? []);
  if (queries.length === 0) return [];
  if (form === 'function') return [match(form, column, queries.join(' | '), values)];
  return [`${column} @@ ANY (${values.add(queries)}::tsquery[])`];
}
