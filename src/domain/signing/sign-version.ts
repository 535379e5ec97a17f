import { unlink } from 'node:fs/promises';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { type VerifiedCopy, withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { stagingPath } from '../../infra/staging/staging.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { readArchiveManifest } from '../../package/manifest/read-package.ts';
import { writeIdIntoManifest } from '../../package/signing/manifest-id.ts';
import { signPackage } from '../../package/signing/sign-package.ts';
import { verifySignedPackage } from '../../package/signing/verify/verify-package.ts';
import { openZip } from '../../package/zip/read-zip.ts';
import type { ZipArchive } from '../../package/zip/zip-archive.ts';
import type { Message } from '../../texts/messages.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { logCertificate } from '../signature-log/signature-log.ts';
import { setFileStatus } from '../versions/file-status.ts';
import { changeStage, lockForSigning, unusableReason } from './change-stage.ts';

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
type OnPublished = (tx: Transaction, versionId: number) => Promise<void>;

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

/** A file to sign, and the version that it belongs to. */
export interface UnsignedFile {
  id: number;
  originalSha256: string;
  format: string;
  versionId: number;
  version: string;
  addonId: number;
  guid: string;
}

/** A signed file in the blob store, verified by the second implementation. `size` is in bytes. */
export interface SignedFile {
  fileId: number;
  size: number;
  sha256: string;
  serial: string;
}

/**
 * Signs a private copy of a stored file, verifies the result and stores it, too. The file's row is the caller's to change.
 * @throws {PackageError} for a package that cannot carry a signature, {StoredFileError} when the store has lost the file or has other
 * bytes, and what the signer or the blob store throws.
 */
export function signFile(file: UnsignedFile, signer: Signer, rootPem: string): Promise<SignedFile> {
  return withVerifiedCopy(file.originalSha256, (copy) => signCopy(file, copy, signer, rootPem));
}

/** Makes a signed file the one that downloads serve. */
export async function storeSignature(tx: Transaction, { fileId, size, sha256, serial }: SignedFile): Promise<void> {
  await tx.file.update({
    where: { id: fileId },
    data: { signedSha256: sha256, sha256, size: BigInt(size), signedAt: new Date(), certificateSerial: serial },
  });
}

async function signCopy(file: UnsignedFile, copy: VerifiedCopy, signer: Signer, rootPem: string): Promise<SignedFile> {
  const path = await stagingPath();
  const archive = await openZip(copy.path, { container: 'packed', digests: true });
  try {
    const signed = await signPackage({
      archive,
      output: path,
      addonId: file.guid,
      signer,
      file: { version: file.version, inputSha256: copy.sha256 },
      baseName: config.SIGNATURE_BASE_NAME,
      replacements: await identity(archive, file),
      onCertificate: ({ serial, issuer, issuerSha256 }) =>
        logCertificate({
          serial,
          issuer,
          issuerSha256,
          fileId: file.id,
          guid: file.guid,
          version: file.version,
          inputSha256: copy.sha256,
        }),
    });
    await requireVerified(path, file.guid, rootPem);
    const { size, sha256 } = signed;
    await blobs.put({ path, sha256 });
    return { fileId: file.id, size, sha256, serial: signed.certificates[0]?.serial ?? '' };
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    await archive.close();
  }
}

/** Writes the add-on's id into the manifest of a WebExtension without one: browsers compare it with the certificate. */
async function identity(archive: ZipArchive, file: UnsignedFile): Promise<Map<string, Buffer>> {
  if (file.format !== 'webextension') return new Map();
  const { guid } = await readArchiveManifest(archive);
  const entry = archive.entries.find(({ name }) => name === 'manifest.json');
  if (guid !== null || entry === undefined) return new Map();
  return new Map([[entry.name, writeIdIntoManifest(await archive.read(entry), file.guid)]]);
}

/** @throws when the second implementation does not accept the signed file. */
async function requireVerified(path: string, guid: string, rootPem: string): Promise<void> {
  const { ok, problems } = await verifySignedPackage(path, { roots: [rootPem], id: guid });
  if (!ok) throw new Error(`The signed file does not verify: ${problems.join('; ')}`);
}
