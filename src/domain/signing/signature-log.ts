import { createHash } from 'node:crypto';
import { db } from '../../infra/db.ts';

/** The hashed fields of a row of the signature log: all but its own hash. */
export interface LogEntry {
  serial: string;
  issuer: string;
  guid: string;
  version: string;
  inputSha256: string;
  created: Date;
  previousHash: string;
}

/** `previousHash` of the first row. */
export const FIRST_HASH = '0'.repeat(64);

const LOG_LOCK = 7_302_001;

/**
 * Hash of a log row: SHA-256 (hex) of the JSON array of its fields, `previousHash` included. All fields are public, so
 * anyone can verify the chain.
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
 * Appends a certificate to the log, before anything is signed with it; durable when it returns. A lock serialises writers,
 * because each row contains the hash of the previous one.
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

/** Verifies the whole chain and returns the ids of broken rows. */
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
