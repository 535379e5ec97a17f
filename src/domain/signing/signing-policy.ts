import { createPublicKey } from 'node:crypto';
import { db, Prisma } from '../../infra/db.ts';
import type { Signer, SigningRequest } from '../../infra/signer/signer.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { CLOCK_TOLERANCE_MS } from '../../package/signing/end-entity.ts';
import { issuerOf } from '../../package/signing/issuer.ts';
import { blockReason } from './change-stage.ts';

/** The class of certificates that are signed by themselves; others are the operator's. */
const CLASS = 'Production';
/** A certificate is signed at once after it was logged. */
const MAX_AGE_MINUTES = 15;
/** How long a request may be under way, in addition to what clocks differ. */
const MAX_DELAY_MS = 60_000;

interface Recorded {
  guid: string;
  version: string;
  inputSha256: string;
  issuerSha256: string | null;
  originalSha256: string;
  isRecent: boolean;
  isWaiting: boolean;
}

/**
 * Why the holder of the key refuses to issue a certificate; null when it may. The database must have the certificate in the signature
 * log, for this package of a version that is to be signed now, and nothing else may be in the certificate.
 */
export async function refusalOf(request: SigningRequest, signer: Signer): Promise<string | null> {
  const issuer = issuerOf(signer);
  if (request.organizationalUnit !== CLASS)
    return `certificates of the class ${request.organizationalUnit} are not issued here`;
  if (request.notAfter.getTime() !== issuer.notAfter.getTime()) return 'the certificate must end with its issuer';
  const age = Date.now() - request.notBefore.getTime();
  if (age < 0 || age > 2 * CLOCK_TOLERANCE_MS + MAX_DELAY_MS) return 'the certificate does not begin now';
  if (!isCurveKey(request.publicKey)) return 'the key of the certificate must be one on P-256';
  const recorded = await find(request.serial);
  if (recorded === null) return 'the certificate is not in the signature log';
  const { file, guid } = request;
  if (recorded.guid !== guid || recorded.version !== file?.version || recorded.inputSha256 !== file.inputSha256)
    return 'the signature log has the certificate for another file';
  if (recorded.issuerSha256 !== issuer.sha256) return 'the signature log has the certificate for another issuer';
  if (!recorded.isRecent) return 'the certificate was logged too long ago';
  if (recorded.originalSha256 !== file.inputSha256) return 'the package of the version has another hash';
  return recorded.isWaiting ? null : 'the version does not wait to be signed';
}

function isCurveKey(der: Buffer): boolean {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** A version in stage `signing`, or a published one that an import left unsigned. */
const IS_WAITING = Prisma.sql`f.signed_sha256 IS NULL AND v.deleted_at IS NULL AND a.deleted_at IS NULL AND ${blockReason} IS NULL
  AND (v.stage = 'signing' OR v.stage = 'signed' AND f.is_stored AND f.status = ${FILE_STATUS.public})`;

async function find(serial: string): Promise<Recorded | null> {
  const [row] = await db.$queryRaw<Recorded[]>`
    SELECT c.guid, c.version, c.input_sha256 AS "inputSha256", c.issuer_sha256 AS "issuerSha256",
      f.original_sha256 AS "originalSha256", c.created > now() - make_interval(mins => ${MAX_AGE_MINUTES}) AS "isRecent",
      coalesce(a.guid::text = c.guid AND v.version = c.version AND ${IS_WAITING}, false) AS "isWaiting"
    FROM signing_certificate c JOIN file f ON f.id = c.file_id JOIN version v ON v.id = f.version_id JOIN addon a ON a.id = v.addon_id
    WHERE c.serial = ${serial}`;
  return row ?? null;
}
