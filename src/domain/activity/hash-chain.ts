import { createHash } from 'node:crypto';

/** `previousHash` of the first row of a chain. */
export const FIRST_HASH = '0'.repeat(64);

/** SHA-256 (hex) of the JSON array of the hashed fields of a row. */
export const hashOf = (fields: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex');

interface ChainRow {
  id: bigint;
  previousHash: string;
  hash: string;
}

/**
 * Verifies a whole chain. Returns the ids of rows whose content or link to the previous row does not match their hash. `read`
 * returns the next rows after an id, none at the end.
 */
export async function brokenRows<Row extends ChainRow>(
  read: (after: bigint) => Promise<Row[]>,
  rowHash: (row: Row) => string,
): Promise<bigint[]> {
  const broken: bigint[] = [];
  let previous: ChainRow = { id: 0n, previousHash: '', hash: FIRST_HASH };
  for (let rows = await read(0n); rows.length > 0; rows = await read(previous.id)) {
    for (const row of rows) {
      if (row.previousHash !== previous.hash || row.hash !== rowHash(row)) broken.push(row.id);
      previous = row;
    }
  }
  return broken;
}
