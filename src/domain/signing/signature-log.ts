import type { SigningCertificate } from '../../generated/prisma/client.ts';
import { db } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { brokenRows, FIRST_HASH, hashOf } from '../activity/hash-chain.ts';

/** The hashed fields of a row of the signature log: all but its own hash. */
type LogEntry = Omit<SigningCertificate, 'id' | 'fileId' | 'hash'>;

/** The hashed values of an entry, in their order. All are public, so anyone can verify the chain. */
export const hashedValues = ({ previousHash, serial, issuer, guid, version, inputSha256, created }: LogEntry) => [
  ...[previousHash, serial, issuer, guid, version, inputSha256, created.toISOString()],
];

const entryHash = (entry: LogEntry): string => hashOf(hashedValues(entry));

/**
 * Appends a certificate to the log, before anything is signed with it; durable when it returns. A lock serialises writers,
 * because each row contains the hash of the previous one.
 */
export async function logCertificate(
  entry: Omit<LogEntry, 'previousHash' | 'created'> & { fileId: number },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_KEYS.signatureLog})`;
    const last = await tx.signingCertificate.findFirst({ orderBy: { id: 'desc' }, select: { hash: true } });
    const { fileId, ...facts } = entry;
    const row = { ...facts, created: new Date(), previousHash: last?.hash ?? FIRST_HASH };
    await tx.signingCertificate.create({ data: { ...row, fileId, hash: entryHash(row) } });
  });
}

const BATCH = 1_000;

/** Verifies the whole log. Returns the ids of broken rows. */
export const brokenLogRows = (): Promise<bigint[]> =>
  brokenRows(
    (after) => db.signingCertificate.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH }),
    (row) => entryHash(row),
  );
