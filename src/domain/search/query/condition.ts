/*
 * What a row's lexemes have to be, as a tree that each engine writes in its own language.
 */

export type Condition =
  | { term: string }
  | { prefix: string }
  | { any: readonly Condition[] }
  | { all: readonly Condition[] };

/** A condition that nothing meets. */
export const NEVER: Condition = { any: [] };

export const term = (lexeme: string): Condition => ({ term: lexeme });
export const prefix = (lexeme: string): Condition => ({ prefix: lexeme });

const isNever = (condition: Condition) => 'any' in condition && condition.any.length === 0;

/** Equal conditions count once: most ways to read a query are the same. */
function distinct(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()];
}

/** One of these; of none, never. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((condition) => ('any' in condition ? condition.any : [condition]));
  const [first, ...others] = distinct(flat);
  return first === undefined || others.length > 0 ? { any: distinct(flat) } : first;
}

/** All of these; of none, never: a query without words finds nothing. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0 || conditions.some(isNever)) return NEVER;
  const flat = conditions.flatMap((condition) => ('all' in condition ? condition.all : [condition]));
  const [first, ...others] = distinct(flat);
  return first === undefined || others.length > 0 ? { all: distinct(flat) } : first;
}
