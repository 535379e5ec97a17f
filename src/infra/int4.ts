/** The range of the column type `integer`, which database ids have. */
export const MIN_INT4 = -2_147_483_648;
export const MAX_INT4 = 2_147_483_647;
