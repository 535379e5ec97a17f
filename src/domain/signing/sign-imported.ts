/*
 * Signs packages that an import stored as published and unsigned. Versions keep their dates and states. An import does not
 * start it: packages of another service have signatures that the operator may want to keep.
 */
import { PackageError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { type Database, db, Prisma } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { settleAll } from '../../infra/settle-all.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { enqueueAll, signImportedTask } from '../../jobs/tasks.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { blockReason } from './change-stage.ts';
import { type SignedFile, signFile, storeSignature, type UnsignedFile } from './sign-version.ts';

/** Files signed concurrently: most of the time passes in waiting for disk and database. */
const AT_A_TIME = 3;

/** SQL: file `f` of version `v` of add-on `a` is published, could carry a signature, and has none. */
const isUnsigned = Prisma.sql`f.is_stored AND f.signed_sha256 IS NULL AND f.format <> 'opensearch'
  AND NOT f.is_vendor_signed_extension AND f.status = ${FILE_STATUS.public} AND v.stage = 'signed'
  AND v.deleted_at IS NULL AND a.deleted_at IS NULL AND ${blockReason} IS NULL`;

/** Ids of those add-ons that have unsigned published packages, the most used first. */
export async function addonsToSign(guids: readonly string[]): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id FROM addon a WHERE a.guid = ANY(${guids}::citext[]) AND EXISTS (
      SELECT FROM version v JOIN file f ON f.version_id = v.id WHERE v.addon_id = a.id AND ${isUnsigned})
    ORDER BY a.average_daily_users DESC, a.id`;
  return rows.map(({ id }) => id);
}

/** Adds a job for each add-on that signs its packages. */
export const queueImportedSigning = (addonIds: readonly number[]): Promise<void> =>
  enqueueAll(
    (text, values) => db.$queryRawUnsafe(text, ...values),
    signImportedTask,
    addonIds.map((addonId) => ({ addonId })),
    { isKeyed: true },
  );

/**
 * Signs the unsigned published packages of an add-on and publishes them together. Those that cannot carry a signature, and
 * those that the store has lost or has with other bytes, stay as they are. May run twice, even at the same time: one result counts.
 * @throws when the signer or the blob store fails, so that the job is retried; nothing is changed then.
 */
export async function signImported(addonId: number, signer: Signer, rootPem: string): Promise<void> {
  const results = new Map<string, SignedFile>();
  const files = await filesToSign(db, addonId);
  for (let start = 0; start < files.length; start += AT_A_TIME) {
    const sign = async (file: UnsignedFile) => {
      const signed = await signUnlessRefused(file, signer, rootPem);
      if (signed !== null) results.set(keyOf(file), signed);
    };
    await settleAll(files.slice(start, start + AT_A_TIME).map(sign));
  }
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM addon WHERE id = ${addonId} FOR NO KEY UPDATE`;
    for (const file of await filesToSign(tx, addonId)) {
      const signed = results.get(keyOf(file));
      if (signed !== undefined) await storeSignature(tx, signed);
    }
    await publishAddons(tx, [addonId]);
  });
}

/** Null for a package that cannot be signed, which is logged. */
async function signUnlessRefused(file: UnsignedFile, signer: Signer, rootPem: string): Promise<SignedFile | null> {
  try {
    return await signFile(file, signer, rootPem);
  } catch (error) {
    if (!(error instanceof PackageError || error instanceof StoredFileError)) throw error;
    const { id: fileId, versionId, guid } = file;
    log.warn({ fileId, versionId, guid, err: error }, 'An imported package cannot be signed.');
    return null;
  }
}

/** A file and its content, which another import may have replaced. */
const keyOf = ({ id, originalSha256 }: UnsignedFile): string => `${id} ${originalSha256}`;

const filesToSign = (database: Database, addonId: number): Promise<UnsignedFile[]> =>
  database.$queryRaw<UnsignedFile[]>`
    SELECT f.id, f.original_sha256 AS "originalSha256", f.format, v.id AS "versionId", v.version,
      a.id AS "addonId", a.guid::text
    FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id
    WHERE a.id = ${addonId} AND ${isUnsigned} ORDER BY f.id`;
