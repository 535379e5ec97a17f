import { unlink } from 'node:fs/promises';
import { config } from '../../config.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { type VerifiedCopy, withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { stagingPath } from '../../infra/staging/staging.ts';
import { readArchiveManifest } from '../../package/manifest/read-package.ts';
import { writeIdIntoManifest } from '../../package/signing/manifest-id.ts';
import { signPackage } from '../../package/signing/sign-package.ts';
import { verifySignedPackage } from '../../package/signing/verify/verify-package.ts';
import { openZip } from '../../package/zip/read-zip.ts';
import type { ZipArchive } from '../../package/zip/zip-archive.ts';
import { logCertificate } from '../signature-log/signature-log.ts';

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
      baseName: config.SIGNATURE_BASE_NAME,
      replacements: await identity(archive, file),
      onCertificate: ({ serial, issuer }) =>
        logCertificate({
          serial,
          issuer,
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
