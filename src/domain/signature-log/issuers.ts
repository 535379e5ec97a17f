/*
 * The intermediate certificates that signed files of this installation. Each is recorded before its first use, with a row of the audit
 * log, so that the signature log can name it by its hash.
 */
import { X509Certificate } from 'node:crypto';
import { db } from '../../infra/db.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { issuerOf } from '../../package/signing/issuer.ts';
import { recordAudit } from '../activity/record-audit.ts';

const PREFIX = 'signing-issuer ';

/** An intermediate certificate, and how often the signature log has it. */
interface SigningIssuer {
  /** SHA-256 of its DER, hex. */
  sha256: string;
  subject: string;
  pem: string;
  validTo: string;
  recorded: Date;
  certificates: number;
  /** When its newest certificate was logged. */
  lastUsed: Date | null;
}

/** Records the intermediate certificate of a signer, once. */
export async function recordIssuer(signer: Signer): Promise<void> {
  const { sha256, nameText: subject } = issuerOf(signer);
  const certificate = new X509Certificate(signer.chain()[0] ?? Buffer.alloc(0));
  const value = { subject, pem: certificate.toString(), validTo: certificate.validToDate.toISOString() };
  await db.$transaction(async (tx) => {
    const row = { name: PREFIX + sha256, value };
    const { count } = await tx.serviceState.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) return;
    const { validTo } = value;
    await recordAudit(tx, 'worker', 'signing-issuer-used', { sha256, subject, validTo });
  });
}

/** All recorded intermediate certificates, in the order of their first use. */
export const signingIssuers = (): Promise<SigningIssuer[]> =>
  db.$queryRaw<SigningIssuer[]>`
    SELECT substr(s.name, length(${PREFIX}) + 1) AS sha256, s.value ->> 'subject' AS subject, s.value ->> 'pem' AS pem,
      s.value ->> 'validTo' AS "validTo", s.modified AS recorded, coalesce(c.certificates, 0)::int AS certificates,
      c.last_used AS "lastUsed"
    FROM service_state s LEFT JOIN (
      SELECT issuer_sha256, count(*) AS certificates, max(created) AS last_used FROM signing_certificate GROUP BY issuer_sha256
    ) c ON ${PREFIX} || c.issuer_sha256 = s.name
    WHERE starts_with(s.name, ${PREFIX}) ORDER BY s.modified, s.name`;

/** Entries of the signature log that name an issuer which is not recorded, or another subject than it has, as problems. */
export async function unknownIssuers(): Promise<string[]> {
  const rows = await db.$queryRaw<{ serial: string; count: bigint }[]>`
    SELECT c.serial, count(*) OVER () AS count FROM signing_certificate c
    WHERE c.issuer_sha256 IS NOT NULL AND NOT EXISTS (
      SELECT FROM service_state s WHERE s.name = ${PREFIX} || c.issuer_sha256 AND s.value ->> 'subject' = c.issuer)
    ORDER BY c.id LIMIT 1`;
  return rows.map(({ serial, count }) => `${count} certificate(s) have an unknown issuer, the first is ${serial}`);
}
