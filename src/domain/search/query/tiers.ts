/* Boolean conditions on a row's lexemes. Each engine translates the tree to its query language. */

export type LexemeCondition =
  | { term: string }
  // `isChecked`: for an engine that tests the rows it finds instead of looking up the prefix.
  | { prefix: string; isChecked?: true }
  | { any: readonly LexemeCondition[] }
  | { all: readonly LexemeCondition[] };

/** Matches no row. */
export const MATCHES_NOTHING: LexemeCondition = { any: [] };

export const termCondition = (lexeme: string): LexemeCondition => ({ term: lexeme });
export const prefixCondition = (lexeme: string): LexemeCondition => ({ prefix: lexeme });

const isNever = (condition: LexemeCondition) => 'any' in condition && condition.any.length === 0;

const keys = new WeakMap<LexemeCondition, string>();

/** A text that equal conditions share. Conditions are built from the leaves up, so the keys of parts are remembered. */
function keyOf(condition: LexemeCondition): string {
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
function distinct(conditions: readonly LexemeCondition[]): LexemeCondition[] {
  return conditions.length < 2
    ? [...conditions]
    : [...new Map(conditions.map((condition) => [keyOf(condition), condition])).values()];
}

/** Disjunction; NEVER for an empty list. */
export function anyOf(conditions: readonly LexemeCondition[]): LexemeCondition {
  const any = distinct(conditions.flatMap((condition) => ('any' in condition ? condition.any : [condition])));
  const [first, ...others] = any;
  return first === undefined || others.length > 0 ? { any } : first;
}

/** Conjunction; NEVER for an empty list, as a query without words has no results. */
export function allOf(conditions: readonly LexemeCondition[]): LexemeCondition {
  if (conditions.length === 0 || conditions.some(isNever)) return MATCHES_NOTHING;
  const all = distinct(conditions.flatMap((condition) => ('all' in condition ? condition.all : [condition])));
  const [first, ...others] = all;
  return first === undefined || others.length > 0 ? { all } : first;
}

/*
 * The relevance model: the ways in which a query can match an add-on, and their weights. The popularity levels of the search
 * table and early termination depend on these numbers: after a change, review `popularity.ts` and the checks of the migration.
 */

/** Tiers with their weights, in descending order; the order is also that of their bits. */
export const TIERS = [
  ['exact', 100],
  ['whole', 60],
  ['start', 44],
  ['phrase', 40],
  ['all', 32],
  ['begun', 28],
  ['prefix', 24],
  ['summary', 10],
  ['tag', 8],
  ['description', 5],
  ['across', 3],
] as const;

export type Tier = (typeof TIERS)[number][0];

export const NAME_TIERS = [
  'exact',
  'whole',
  'start',
  'phrase',
  'all',
  'begun',
  'prefix',
] as const satisfies readonly Tier[];
export const TEXT_TIERS = ['summary', 'description', 'across'] as const satisfies readonly Tier[];

/** Loose tiers, used when no strict tier matches: the whole name misspelt, or its words. */
export const LOOSE_TIERS = [
  ['looseName', 2.5],
  ['looseWords', 1],
] as const;

type LooseTier = (typeof LOOSE_TIERS)[number][0];

/** Factor of each further matching tier. */
export const FURTHER_TIER_FACTOR = 0.05;

/** Score of a match: the highest matched weight plus a twentieth of each other one. `weights` is in descending order. */
function lexicalOf(weights: readonly number[]): number {
  const [best = 0, ...others] = weights;
  return best + FURTHER_TIER_FACTOR * others.reduce((sum, weight) => sum + weight, 0);
}

function lexicalTable(weights: readonly number[]): readonly number[] {
  return Array.from({ length: 2 ** weights.length }, (_, bits) =>
    lexicalOf(weights.filter((_weight, index) => (bits & (1 << index)) !== 0)),
  );
}

/** Score of each set of tiers, indexed by the sum of their bits; 2,048 numbers. */
export const LEXICAL_SCORES: readonly number[] = lexicalTable(TIERS.map(([, weight]) => weight));

/** Score of each set of loose tiers. */
export const LOOSE_LEXICAL: readonly number[] = lexicalTable(LOOSE_TIERS.map(([, weight]) => weight));

/** The bit of a tier. */
export function tierBit(tier: Tier): number {
  return 1 << TIERS.findIndex(([name]) => name === tier);
}

/** The bit of a loose tier. */
export function looseBit(tier: LooseTier): number {
  return 1 << LOOSE_TIERS.findIndex(([name]) => name === tier);
}

/**
 * Upper bound of the score of an add-on that matches none of the `excluded` tiers, and its best possible tier; null when all are
 * excluded.
 */
export function boundWithout(excluded: ReadonlySet<Tier>): { tier: Tier; bound: number } | null {
  const left = TIERS.filter(([tier]) => !excluded.has(tier));
  const best = left[0];
  return best === undefined ? null : { tier: best[0], bound: lexicalOf(left.map(([, weight]) => weight)) };
}
