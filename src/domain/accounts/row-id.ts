const MAX_ID = 2_147_483_647;

/** The row that a global id names; 0, which no row has, for one that cannot be a row's. */
export function rowId(id: string | number): number {
  const number = Number(id);
  return Number.isInteger(number) && number > 0 && number <= MAX_ID ? number : 0;
}
