import { unlink } from 'node:fs/promises';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { stagingPath } from '../../infra/staging/staging.ts';
import { readArchiveManifest } from '../../package/manifest/read-package.ts';
import { writeIdIntoManifest } from '../../package/signing/manifest-id.ts';
import { signPackage } from '../../package/signing/sign-package.ts';
import { verifySignedPackage } from '../../package/signing/verify/verify-package.ts';
import { openZip } from '../../package/zip/read-zip.ts';
import type { ZipArchive } from '../../package/zip/zip-archive.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import { publishVersion } from './publish-version.ts';
import { logCertificate } from './signature-log.ts';
import type { Stage } from './stages.ts';

/** A file that is to be signed, and the version that it belongs to. */
interface UnsignedFile {
  id: number;
  originalSha256: string;
  format: string;
  versionId: number;
  version: string;
  stage: Stage;
  addonId: number;
  guid: string;
}

/** The unsigned files of a version that passed, where it still waits for its signature. */
async function filesToSign(versionId: number): Promise<UnsignedFile[]> {
  return db.$queryRaw<UnsignedFile[]>`
    SELECT f.id, f.original_sha256 AS "originalSha256", f.format, v.id AS "versionId", v.version, v.stage,
      a.id AS "addonId", a.guid::text
    FROM version v JOIN addon a ON a.id = v.addon_id JOIN file f ON f.version_id = v.id
    WHERE v.id = ${versionId} AND v.deleted_at IS NULL AND v.stage IN ('valid', 'signing') AND f.signed_sha256 IS NULL
    ORDER BY f.id`;
}

/** A signed file in staging, verified by the second implementation and not yet published. */
interface SignedResult {
  path: string;
  size: number;
  sha256: string;
  serial: string;
}

/**
 * The work of the signing job. It may run twice, even at the same moment as a worker that was thought dead: every run
 * logs its own certificate, and the one conditional update at the end lets exactly one result through.
 * @throws when the signer or the store is out of order, so that the job is tried again; nothing is published then.
 */
export async function signVersion(versionId: number, signer: Signer, rootPem: string): Promise<void> {
  const files = await filesToSign(versionId);
  if (files[0]?.stage === 'valid') {
    await changeStage(db, { versionId, from: ['valid'], to: 'signing', action: 'signing-started' });
  }
  for (const file of files) {
    try {
      const result = await blobs.withLocalFile(file.originalSha256, (path) => signFile(file, path, signer, rootPem));
      await blobs.put(result);
      await publishOnce(file, result);
    } catch (error) {
      if (!(error instanceof PackageError)) throw error;
      await giveUp(file, error);
    }
  }
}

/** A package that no signature fits stays that way however often it is tried: its number is given back. */
async function giveUp({ versionId, addonId }: UnsignedFile, { message }: PackageError): Promise<void> {
  const change = { versionId, from: ['signing'], to: 'error', action: 'signing-refused', reason: message } as const;
  await db.$transaction(async (tx) => {
    await changeStage(tx, change);
    await refreshAddonStatus(tx, addonId);
    await publishAddons(tx, [addonId]);
  });
}

async function signFile(file: UnsignedFile, source: string, signer: Signer, rootPem: string): Promise<SignedResult> {
  const path = await stagingPath();
  const archive = await openZip(source, { digests: true });
  try {
    const signed = await signPackage({
      archive,
      output: path,
      addonId: file.guid,
      signer,
      baseName: config.SIGNATURE_BASE_NAME,
      replacements: await identity(archive, file),
      onCertificate: ({ serial, issuer }) =>
        logCertificate({
          serial,
          issuer,
          fileId: file.id,
          guid: file.guid,
          version: file.version,
          inputSha256: file.originalSha256,
        }),
    });
    await requireVerified(path, file.guid, rootPem);
    return { path, size: signed.size, sha256: signed.sha256, serial: signed.certificates[0]?.serial ?? '' };
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    await archive.close();
  }
}

/** A WebExtension without an id gets the add-on's written into its manifest: browsers hold it against the certificate. */
async function identity(archive: ZipArchive, file: UnsignedFile): Promise<Map<string, Buffer>> {
  if (file.format !== 'webextension') return new Map();
  const { guid } = await readArchiveManifest(archive, () => true);
  const entry = archive.entries.find(({ name }) => name === 'manifest.json');
  if (guid !== null || entry === undefined) return new Map();
  return new Map([[entry.name, writeIdIntoManifest(await archive.read(entry), file.guid)]]);
}

/** Nothing is published that the second implementation does not accept. */
async function requireVerified(path: string, guid: string, rootPem: string): Promise<void> {
  const { ok, problems } = await verifySignedPackage(path, { roots: [rootPem], id: guid });
  if (!ok) throw new Error(`The signed file does not verify: ${problems.join('; ')}`);
}

/** Publishes a result unless the file has been signed meanwhile; the loser's bytes are left to the collector. */
async function publishOnce(file: UnsignedFile, result: SignedResult): Promise<void> {
  const published = await db.$transaction(async (tx) => {
    const { count } = await tx.file.updateMany({
      where: { id: file.id, signedSha256: null },
      data: {
        signedSha256: result.sha256,
        sha256: result.sha256,
        size: BigInt(result.size),
        signedAt: new Date(),
        certificateSerial: result.serial,
      },
    });
    if (count === 0) return false;
    await publishVersion(tx, { versionId: file.versionId, from: ['signing'] });
    return true;
  });
  if (!published) log.info({ fileId: file.id }, 'This file was signed by another worker; its result stands.');
}
