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

const keys = new WeakMap<Condition, string>();

/** A text that equal conditions share. Conditions are built from the leaves up, so the keys of parts are remembered. */
function keyOf(condition: Condition): string {
  if ('term' in condition) return `t${condition.term}`;
  if ('prefix' in condition) return `p${condition.prefix}`;
  const known = keys.get(condition);
  if (known !== undefined) return known;
  const isAny = 'any' in condition;
  const parts = (isAny ? condition.any : condition.all).map(keyOf).join('\0');
  const key = `${isAny ? '|' : '&'}\u0001${parts}\u0002`;
  keys.set(condition, key);
  return key;
}

/** Removes duplicates: most readings of a query give the same conditions. */
function distinct(conditions: readonly Condition[]): Condition[] {
  return conditions.length < 2
    ? [...conditions]
    : [...new Map(conditions.map((condition) => [keyOf(condition), condition])).values()];
}

/** Disjunction; NEVER for an empty list. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const any = distinct(conditions.flatMap((condition) => ('any' in condition ? condition.any : [condition])));
  const [first, ...others] = any;
  return first === undefined || others.length > 0 ? { any } : first;
}

/** Conjunction; NEVER for an empty list, as a query without words has no results. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0 || conditions.some(isNever)) return NEVER;
  const all = distinct(conditions.flatMap((condition) => ('all' in condition ? condition.all : [condition])));
  const [first, ...others] = all;
  return first === undefined || others.length > 0 ? { all } : first;
}
