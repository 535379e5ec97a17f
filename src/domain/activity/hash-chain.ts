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

/** An entry that a log must have: that with `hash`, and if `size` is given, as the entry of this number, counted from 1. */
export interface ExpectedEntry {
  /** The source of this value, for messages. */
  source: string;
  hash: string;
  size?: bigint;
}

/** The result of the verification of a log. It is whole if `broken` and `problems` are empty. */
export interface LogReport {
  entries: number;
  /** Ids of rows whose content or link to the previous row does not match their hash. */
  broken: bigint[];
  /** Other problems: entries that the log has lost. */
  problems: string[];
}

/** Verifies a whole chain. `read` returns the next rows after an id, none at the end. */
export async function verifyChain<Row extends ChainRow>(
  read: (after: bigint) => Promise<Row[]>,
  rowHash: (row: Row) => string,
  expected: readonly ExpectedEntry[],
): Promise<LogReport> {
  const broken: bigint[] = [];
  const numbers = new Map<string, bigint>([[FIRST_HASH, 0n]]);
  const wanted = new Set(expected.map(({ hash }) => hash));
  let entries = 0;
  let previous: ChainRow = { id: 0n, previousHash: '', hash: FIRST_HASH };
  for (let rows = await read(0n); rows.length > 0; rows = await read(previous.id)) {
    for (const row of rows) {
      entries += 1;
      if (row.previousHash !== previous.hash || row.hash !== rowHash(row)) broken.push(row.id);
      if (wanted.has(row.hash)) numbers.set(row.hash, BigInt(entries));
      previous = row;
    }
  }
  return { entries, broken, problems: expected.flatMap((entry) => lostEntry(entry, numbers.get(entry.hash), entries)) };
}

function lostEntry({ source, hash, size }: ExpectedEntry, number: bigint | undefined, entries: number): string[] {
  const which = size === undefined ? 'the entry' : `entry ${size}`;
  if (number === undefined) {
    return [`${source} names ${which} with hash ${hash}, which the log of ${entries} entries does not have`];
  }
  if (size === undefined || number === size) return [];
  return [`${source} counts ${size} entries up to hash ${hash}, the log has ${number}`];
}
