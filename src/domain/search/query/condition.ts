/* Boolean conditions on a row's lexemes. Each engine translates the tree to its query language. */

export type Condition =
  | { term: string }
  // `isChecked`: for an engine that tests the rows it finds instead of looking up the prefix.
  | { prefix: string; isChecked?: true }
  | { any: readonly Condition[] }
  | { all: readonly Condition[] };

/** Matches no row. */
export const NEVER: Condition = { any: [] };

export const term = (lexeme: string): Condition => ({ term: lexeme });
export const prefix = (lexeme: string): Condition => ({ prefix: lexeme });

const isNever = (condition: Condition) => 'any' in condition && condition.any.length === 0;

/** Removes duplicates: most readings of a query give the same conditions. */
function distinct(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()];
}

/** Disjunction; NEVER for an empty list. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((condition) => ('any' in condition ? condition.any : [condition]));
  const [first, ...others] = distinct(flat);
  return first === undefined || others.length > 0 ? { any: distinct(flat) } : first;
}

/** Conjunction; NEVER for an empty list, as a query without words has no results. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0 || conditions.some(isNever)) return NEVER;
  const flat = conditions.flatMap((condition) => ('all' in condition ? condition.all : [condition]));
  const [first, ...others] = distinct(flat);
  return first === undefined || others.length > 0 ? { all: distinct(flat) } : first;
}
