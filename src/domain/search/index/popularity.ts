/*
 * The popularity factor of a score, 0.5 to 2.125: it orders equally good matches and cannot lift a poor match over a good one.
 */

export const LARGEST_FACTOR = 2.125;

interface Popularity {
  averageDailyUsers: number;
  isExperimental: boolean;
  isFeatured: boolean;
}

/** The factor of an add-on, 0.5 to 2.125. */
export function popularityFactor({ averageDailyUsers, isExperimental, isFeatured }: Popularity): number {
  const users = Math.max(0, averageDailyUsers);
  const factor = 0.5 + (isExperimental ? 0 : 0.5) + 0.125 * Math.log10(1 + users) + (isFeatured ? 0.25 : 0);
  return Math.min(LARGEST_FACTOR, factor);
}

/** A popularity level: few rows are at or above it, and a partial index finds them. */
export interface PopularityLevel {
  level: 1 | 2;
  /** Rows below this level have a smaller factor … */
  factor: number;
  /** … and fewer users. */
  users: number;
}

/** In descending order. The checks of the migration contain the same numbers. */
export const POPULARITY_LEVELS: readonly PopularityLevel[] = [
  { level: 2, factor: 1.3, users: 250 },
  { level: 1, factor: 1.15, users: 15 },
];

/** The level whose rows are scanned first for every query. */
export const TOP_LEVEL = POPULARITY_LEVELS[0] as PopularityLevel;

/** The level of an add-on with this factor and number of users. */
export function levelOf(factor: number, users: number): 0 | 1 | 2 {
  return POPULARITY_LEVELS.find((step) => factor >= step.factor || users >= step.users)?.level ?? 0;
}
