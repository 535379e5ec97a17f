import type { SigningCertificate } from '../../generated/prisma/client.ts';
import { db } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { expectedEntries, type GivenCheckpoints } from '../activity/checkpoints.ts';
import { FIRST_HASH, hashOf, type LogReport, verifyChain } from '../activity/hash-chain.ts';
import { unknownIssuers } from './issuers.ts';

/** The hashed fields of a row of the signature log. */
type LogEntry = Omit<SigningCertificate, 'id' | 'fileId' | 'issuerSha256' | 'hash'>;

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
  entry: Omit<LogEntry, 'previousHash' | 'created'> & { fileId: number; issuerSha256?: string },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_KEYS.signatureLog})`;
    const last = await tx.signingCertificate.findFirst({ orderBy: { id: 'desc' }, select: { hash: true } });
    const { fileId, issuerSha256, ...facts } = entry;
    const row = { ...facts, created: new Date(), previousHash: last?.hash ?? FIRST_HASH };
    await tx.signingCertificate.create({
      data: { ...row, fileId, issuerSha256: issuerSha256 ?? null, hash: entryHash(row) },
    });
  });
}

const BATCH = 1_000;

/**
 * Verifies the whole log: the hash chain, that it has the entries of its head, of checkpoints and of all signed files, and that issuers are
 * recorded ones.
 */
export async function verifySignatureLog(given: GivenCheckpoints = {}): Promise<LogReport> {
  const report = await verifyChain(
    (after) => db.signingCertificate.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH }),
    (row) => entryHash(row),
    await expectedEntries('signature', given),
  );
  return { ...report, problems: [...report.problems, ...(await unloggedFiles()), ...(await unknownIssuers())] };
}

/** Signed files whose certificate the log does not have, as problems. */
async function unloggedFiles(): Promise<string[]> {
  const files = await db.$queryRaw<{ id: number; serial: string; count: bigint }[]>`
    SELECT f.id, f.certificate_serial AS serial, count(*) OVER () AS count FROM file f
    WHERE f.certificate_serial IS NOT NULL
      AND NOT EXISTS (SELECT FROM signing_certificate c WHERE c.serial = f.certificate_serial AND c.file_id = f.id)
    ORDER BY f.id LIMIT 1`;
  return files.map(
    ({ id, serial, count }) =>
      `${count} signed file(s) have a certificate that is not in the log, the first is ${serial} of file ${id}`,
  );
}
