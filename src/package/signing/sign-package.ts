import { createHash } from 'node:crypto';
import type { Signer } from '../../infra/signer/signer.ts';
import { inTurn } from '../zip/in-turn.ts';
import { writeZip, type ZipSource } from '../zip/write-zip.ts';
import type { ZipArchive, ZipEntry } from '../zip/zip-archive.ts';
import { signCms } from './cms.ts';
import { signCose } from './cose.ts';
import { type CertificateRecord, issueEndEntity } from './end-entity.ts';
import { issuerOf } from './issuer.ts';
import { jarManifest, type ManifestSection, manifestSection, signatureFile } from './jar-manifest.ts';
import { isReplacedBySigning, requireSignable, signatureFileNames } from './signable.ts';

/** What `signPackage` takes. */
export interface SignPackageOptions {
  archive: ZipArchive;
  /** Path of the file to write; it must not exist, and is not to be published before it has been verified. */
  output: string;
  addonId: string;
  signer: Signer;
  /** Name of the `.sf` and `.rsa` files in META-INF; `addon` when absent. */
  baseName?: string;
  /** The class of the certificate, its OU; `Production` when absent. */
  organizationalUnit?: string;
  /** New contents of files of the archive by name, for example a manifest.json with the id written into it. */
  replacements?: ReadonlyMap<string, Buffer>;
  /** Writes the row of the certificate log; nothing is signed before it has resolved. */
  onCertificate: (certificate: CertificateRecord) => Promise<void>;
  /** The version and the recorded hash of the package, for signers with a policy of their own. */
  file?: { version: string; inputSha256: string };
  now?: Date;
}

/** A signed file: its size in bytes, the SHA-256 of all of it (hex) and the certificates made for it. */
export interface SignedPackage {
  size: number;
  sha256: string;
  certificates: CertificateRecord[];
  /** Number of files, the five signature files included. */
  entries: number;
}

/** The files to sign in their original order, without directories and without what signing replaces. */
function contentEntries(archive: ZipArchive): ZipEntry[] {
  return archive.entries.filter((entry) => !entry.directory && !isReplacedBySigning(entry.name));
}

async function contentSources(
  options: SignPackageOptions,
): Promise<{ sources: ZipSource[]; sections: ManifestSection[] }> {
  const { archive, replacements } = options;
  const sources: ZipSource[] = [];
  const sections: ManifestSection[] = [];
  for (const entry of contentEntries(archive)) {
    const data = replacements?.get(entry.name);
    const digest = data ? sha256(data) : await hashEntry(archive, entry);
    sections.push(manifestSection(entry.name, digest));
    sources.push(data ? { name: entry.name, data } : { name: entry.name, copy: { archive, entry } });
  }
  const names = new Set(sections.map((section) => section.name));
  const missing = [...(replacements?.keys() ?? [])].find((name) => !names.has(name));
  if (missing !== undefined) throw new Error(`The package has no file ${missing} to replace.`);
  return { sources, sections };
}

/** The SHA-256 of an entry's inflated content: known from its verification, or read in pieces so that memory stays small. */
async function hashEntry(archive: ZipArchive, entry: ZipEntry): Promise<Buffer> {
  if (entry.sha256) return entry.sha256;
  const hash = createHash('sha256');
  await archive.readTo(entry, (piece) => {
    hash.update(piece);
  });
  return hash.digest();
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/**
 * Signs a package twice with one new P-256 certificate, as browsers require: a COSE signature over cose.manifest and a PKCS#7
 * signature over the JAR signature file, which covers the COSE files too. Files keep their order and compressed bytes;
 * directories, earlier signatures and the reserved file are dropped; the five signature files come last.
 * @throws {PackageError} for a package that cannot be signed, and what `onCertificate`, the signer or the disk throws; nothing
 * is left at `output` then.
 */
export async function signPackage(options: SignPackageOptions): Promise<SignedPackage> {
  const now = options.now ?? new Date();
  const { signer, addonId } = options;
  if (addonId === '') throw new Error('A package cannot be signed without an add-on id.');
  const baseName = options.baseName ?? 'addon';
  // Before a certificate is issued.
  requireSignable(
    options.archive.entries.map(({ name }) => name),
    baseName,
  );
  const names = signatureFileNames(baseName);
  const { sources, sections } = await inTurn(options.archive.size, () => contentSources(options));
  const coseManifest = jarManifest(sections);
  const coseSection = manifestSection(names.coseManifest, sha256(coseManifest));
  const organizationalUnit = options.organizationalUnit ?? 'Production';
  const { onCertificate, file = null } = options;
  const endEntity = await issueEndEntity({ addonId, organizationalUnit, signer, file, onCertificate, now });

  const { intermediates, name: issuer } = issuerOf(signer);
  const { certificate, key, serial } = endEntity;
  const coseSignature = signCose({ payload: coseManifest, certificate, intermediates, key });
  const allSections = [...sections, coseSection, manifestSection(names.coseSignature, sha256(coseSignature))];
  const manifest = jarManifest(allSections);
  const content = signatureFile(manifest, allSections);
  const block = signCms({ content, certificate, intermediates, issuer, serial, key, signingTime: now });

  sources.push(
    { name: names.coseManifest, data: coseManifest },
    { name: names.coseSignature, data: coseSignature },
    { name: names.manifest, data: manifest },
    { name: names.signatureFile, data: content },
    { name: names.signatureBlock, data: block },
  );
  const written = await inTurn(options.archive.size, () => writeZip(options.output, sources));
  return { ...written, certificates: [endEntity.record], entries: sources.length };
}
