import { createHash } from 'node:crypto';
import { db } from '../../infra/db.ts';

/** A row of the signature log as it is hashed: everything but its own hash. */
export interface LogEntry {
  serial: string;
  issuer: string;
  guid: string;
  version: string;
  inputSha256: string;
  created: Date;
  previousHash: string;
}

/** What the first row has in place of the hash of a row before it. */
export const FIRST_HASH = '0'.repeat(64);

const LOG_LOCK = 7_302_001;

/**
 * The hash of a log row: SHA-256 (hex) over its fields as a JSON array, the hash of the row before included. Anybody can
 * follow the chain with the public fields.
 */
function entryHash(entry: LogEntry): string {
  const fields = [
    entry.previousHash,
    entry.serial,
    entry.issuer,
    entry.guid,
    entry.version,
    entry.inputSha256,
    entry.created.toISOString(),
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/**
 * Appends a certificate to the log, durably, before anything is signed with it. One writer at a time, so that each row
 * follows the one before.
 */
export async function logCertificate(
  entry: Omit<LogEntry, 'previousHash' | 'created'> & { fileId: number },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOG_LOCK})`;
    const last = await tx.signingCertificate.findFirst({ orderBy: { id: 'desc' }, select: { hash: true } });
    const { fileId, ...facts } = entry;
    const row = { ...facts, created: new Date(), previousHash: last?.hash ?? FIRST_HASH };
    await tx.signingCertificate.create({ data: { ...row, fileId, hash: entryHash(row) } });
  });
}

/** Follows the whole chain and returns the ids of the rows that do not fit the one before. */
export async function brokenLogRows(): Promise<bigint[]> {
  const broken: bigint[] = [];
  let previous = FIRST_HASH;
  let last = 0n;
  for (;;) {
    const rows = await db.signingCertificate.findMany({
      where: { id: { gt: last } },
      orderBy: { id: 'asc' },
      take: 1000,
    });
    if (rows.length === 0) return broken;
    for (const row of rows) {
      if (row.previousHash !== previous || row.hash !== entryHash(row)) broken.push(row.id);
      previous = row.hash;
      last = row.id;
    }
  }
}
