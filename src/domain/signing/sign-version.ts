import { PackageError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/stored-file-error.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import type { Message } from '../../texts/messages.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { setFileStatus } from '../versions/file-status.ts';
import { changeStage } from './change-stage.ts';
import { type SignedFile, signFile, storeSignature, type UnsignedFile } from './sign-file.ts';
import { lockForSigning } from './signing-blocked.ts';
import { unusableReason } from './stored-reason.ts';

/** OpenSearch descriptions carry no signature, and packages with the operator's privileged signature keep it. */
async function filesToSign(versionId: number): Promise<UnsignedFile[]> {
  return db.$queryRaw<UnsignedFile[]>`
    SELECT f.id, f.original_sha256 AS "originalSha256", f.format, v.id AS "versionId", v.version,
      a.id AS "addonId", a.guid::text
    FROM version v JOIN addon a ON a.id = v.addon_id JOIN file f ON f.version_id = v.id
    WHERE v.id = ${versionId} AND f.signed_sha256 IS NULL AND f.format <> 'opensearch' AND NOT f.is_vendor_signed_extension
    ORDER BY f.id`;
}

/** What else belongs to the publication of a signed version, in its transaction. */
export type OnPublished = (tx: Transaction, versionId: number) => Promise<void>;

/**
 * Signs and publishes a version in stage `signing`. May run twice, even at the same time as a worker that was considered
 * dead: each run logs a certificate of its own, and the conditional update at the end publishes one result only. Does
 * nothing while the version is blocked (see `lockForSigning`); the reconciler enqueues the job again afterwards.
 * @throws when the signer or the blob store fails, so that the job is retried; nothing is published then.
 */
export async function signVersion(
  versionId: number,
  signer: Signer,
  rootPem: string,
  { logger = log, onPublished }: { logger?: typeof log; onPublished?: OnPublished } = {},
): Promise<void> {
  if (!(await db.$transaction((tx) => maySign(tx, versionId)))) return;
  const signedFiles: SignedFile[] = [];
  for (const file of await filesToSign(versionId)) {
    try {
      signedFiles.push(await signFile(file, signer, rootPem));
    } catch (error) {
      const reason = reasonToGiveUp(error);
      if (reason === null) throw error;
      await giveUp(file, reason);
      return;
    }
  }
  const isPublished = await db.$transaction(async (tx) => {
    const published = await publishVersion(tx, versionId, signedFiles);
    if (published) await onPublished?.(tx, versionId);
    return published;
  });
  // The blob collector removes the files of a result that is not published.
  if (!isPublished) logger.info({ versionId }, 'The version was signed by another worker, deleted or disabled.');
}

async function maySign(tx: Transaction, versionId: number): Promise<boolean> {
  const { isBlocked } = await lockForSigning(tx, versionId);
  return !isBlocked && (await tx.version.count({ where: { id: versionId, stage: 'signing', deletedAt: null } })) > 0;
}

/** A package that cannot carry a signature, is lost or was replaced fails on every attempt. Null for other errors. */
function reasonToGiveUp(error: unknown): Message | null {
  if (error instanceof PackageError) return error.reason;
  return error instanceof StoredFileError ? unusableReason(error) : null;
}

/** The upload ends in `error` and frees its number. */
async function giveUp({ versionId, addonId }: UnsignedFile, reason: Message): Promise<void> {
  const change = { versionId, from: ['signing'], to: 'error', action: 'signing-refused', reason } as const;
  await db.$transaction(async (tx) => {
    await lockForSigning(tx, versionId);
    await changeStage(tx, change);
    await refreshAddonStatus(tx, addonId);
    await publishAddons(tx, [addonId]);
  });
}

/**
 * Publishes a version in stage `signing` with its signed files. Status and current version of the add-on depend on listed
 * versions only, so an unlisted version changes nothing else in the catalogue. Returns false and writes nothing when the
 * version is in another stage, deleted or blocked (see `lockForSigning`).
 */
async function publishVersion(
  tx: Transaction,
  versionId: number,
  signedFiles: readonly SignedFile[],
): Promise<boolean> {
  if ((await lockForSigning(tx, versionId)).isBlocked) return false;
  const published = await changeStage(tx, { versionId, from: ['signing'], to: 'signed', action: 'published' });
  if (published === null) return false;
  for (const file of signedFiles) await storeSignature(tx, file);
  await setFileStatus(tx, versionId, FILE_STATUS.public);
  if (published.channel === 'unlisted') return true;
  const { addonId } = published;
  await tx.addon.update({ where: { id: addonId }, data: { lastUpdated: new Date() } });
  await refreshAddonStatus(tx, addonId);
  await publishAddons(tx, [addonId]);
  return true;
}
