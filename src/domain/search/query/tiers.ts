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
export const OTHERS = 0.05;

/** Score of a match: the highest matched weight plus a twentieth of each other one. `weights` is in descending order. */
function lexicalOf(weights: readonly number[]): number {
  const [best = 0, ...others] = weights;
  return best + OTHERS * others.reduce((sum, weight) => sum + weight, 0);
}

function lexicalTable(weights: readonly number[]): readonly number[] {
  return Array.from({ length: 2 ** weights.length }, (_, bits) =>
    lexicalOf(weights.filter((_weight, index) => (bits & (1 << index)) !== 0)),
  );
}

/** Score of each set of tiers, indexed by the sum of their bits; 2,048 numbers. */
export const LEXICAL: readonly number[] = lexicalTable(TIERS.map(([, weight]) => weight));

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
