/*
 * A certificate authority with packages signed by it, in a temporary folder. The keys are real, and the code under test makes
 * every signature.
 */
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Extension } from '@peculiar/asn1-x509';
import { openFileSigner } from '../../../src/infra/signer/file-signer.ts';
import type { SignatureAlgorithm, Signer } from '../../../src/infra/signer/signer.ts';
import { createAuthorities } from '../../../src/package/signing/authorities.ts';
import {
  authorityExtensions,
  buildCertificate,
  distinguishedName,
  keyIdentifier,
  publicKeyOf,
  randomSerial,
} from '../../../src/package/signing/certificates.ts';
import { type SignedPackage, type SignPackageOptions, signPackage } from '../../../src/package/signing/sign-package.ts';
import { type Verification, verifySignedPackage } from '../../../src/package/signing/verify/verify-package.ts';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { writeZip } from '../../../src/package/zip/write-zip.ts';
import { type PackageFiles, zip } from '../../support/packages.ts';

export const ADDON_ID = 'notes@example.com';

/** A small add-on whose file names sort differently from their order in the archive. */
export const ADDON_FILES: PackageFiles = {
  'manifest.json': JSON.stringify({ manifest_version: 2, name: 'Notes', version: '1.0' }),
  'background.js': 'browser.runtime.onInstalled.addListener(() => {});\n'.repeat(40),
  '_locales/en/messages.json': '{}',
};

let counter = 0;

/** A new folder, removed by `remove`; `next` returns unused paths in it. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'addons-signing-'));
  return {
    path,
    next: (extension: string) => join(path, `file-${++counter}${extension}`),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

export type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

export function newKeyPair(kind: 'P-256' | 'P-384' | 'P-521' | 1024 | 2048 | 4096): { privateKey: KeyObject } {
  return typeof kind === 'number'
    ? generateKeyPairSync('rsa', { modulusLength: kind })
    : generateKeyPairSync('ec', { namedCurve: kind });
}

function algorithmFor(key: KeyObject): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'rsa-sha256';
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'ecdsa-sha384' : 'ecdsa-sha256';
}

export interface CertificateParts {
  key: KeyObject;
  name: string;
  issuer: { key: KeyObject; name: string };
  extensions: Extension[];
  notBefore?: Date;
  notAfter?: Date;
}

/** A DER certificate with any contents. */
export async function certificate(parts: CertificateParts): Promise<Buffer> {
  const hash = algorithmFor(parts.issuer.key) === 'ecdsa-sha384' ? 'sha384' : 'sha256';
  return buildCertificate({
    serial: randomSerial().bytes,
    subject: distinguishedName({ C: 'NL', O: 'Example Operator', CN: parts.name }),
    issuer: distinguishedName({ C: 'NL', O: 'Example Operator', CN: parts.issuer.name }),
    notBefore: parts.notBefore ?? new Date(Date.now() - 3_600_000),
    notAfter: parts.notAfter ?? new Date(Date.now() + 365 * 86_400_000),
    publicKey: publicKeyOf(parts.key),
    extensions: parts.extensions,
    algorithm: algorithmFor(parts.issuer.key),
    sign: async (tbs) => sign(hash, tbs, parts.issuer.key),
  });
}

export function keyIdOf(key: KeyObject): Buffer {
  return keyIdentifier(publicKeyOf(key));
}

export interface ChainOptions {
  rootKey?: KeyObject;
  intermediateKey?: KeyObject;
  /** Extensions of the intermediate in addition to the standard ones. */
  moreExtensions?: Extension[];
  notAfter?: Date;
}

/** A root and an intermediate of an operator. */
export async function operatorChain(options: ChainOptions = {}) {
  const rootKey = options.rootKey ?? newKeyPair('P-384').privateKey;
  const intermediateKey = options.intermediateKey ?? newKeyPair('P-256').privateKey;
  const root = { key: rootKey, name: 'Example root' };
  const rootCertificate = await certificate({
    ...root,
    issuer: root,
    extensions: authorityExtensions(keyIdOf(rootKey), null, 1),
  });
  const extensions = authorityExtensions(keyIdOf(intermediateKey), keyIdOf(rootKey), 0);
  const intermediate = await certificate({
    key: intermediateKey,
    name: 'Example intermediate',
    issuer: root,
    extensions: [...extensions, ...(options.moreExtensions ?? [])],
    notAfter: options.notAfter,
  });
  return { rootKey, intermediateKey, intermediate, root: rootCertificate };
}

export function pem(der: Buffer): string {
  return new X509Certificate(der).toString();
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Writes key and chain to files, as an operator does, and opens them. */
export async function openChain(folder: Folder, key: string, chain: string): Promise<Signer> {
  const keyFile = folder.next('.key');
  const chainFile = folder.next('.pem');
  await writeFile(keyFile, key);
  await chmod(keyFile, 0o600);
  await writeFile(chainFile, chain);
  return openFileSigner({ keyFile, chainFile });
}

/** A signer with a new authority, and helpers that sign and verify with it. */
export async function signingFixture(given?: { signer: Signer; rootPem: string }) {
  const folder = await temporaryFolder();
  const made = await createAuthorities();
  const own = {
    signer: await openChain(folder, made.intermediateKey, made.intermediateCertificate + made.rootCertificate),
    rootPem: made.rootCertificate,
  };
  const { signer, rootPem } = given ?? own;

  async function store(files: PackageFiles | Buffer): Promise<string> {
    const path = folder.next('.zip');
    await writeFile(path, Buffer.isBuffer(files) ? files : await zip(files));
    return path;
  }

  async function signFile(input: string, options: Partial<SignPackageOptions> = {}) {
    const archive = await openZip(input);
    const path = folder.next('.xpi');
    try {
      const defaults = { archive, output: path, addonId: ADDON_ID, signer, onCertificate: async () => {} };
      const signed: SignedPackage = await signPackage({ ...defaults, ...options });
      return { ...signed, path, input };
    } finally {
      await archive.close();
    }
  }

  return {
    folder,
    signer,
    rootPem,
    store,
    signFile,
    sign: async (files: PackageFiles = ADDON_FILES, options: Partial<SignPackageOptions> = {}) =>
      signFile(await store(files), options),
    verify: (path: string, id: string = ADDON_ID): Promise<Verification> =>
      verifySignedPackage(path, { roots: [rootPem], id }),
  };
}

export type SigningFixture = Awaited<ReturnType<typeof signingFixture>>;

/** All files of an archive by name, in order. */
export async function filesOf(path: string): Promise<Map<string, Buffer>> {
  const archive = await openZip(path);
  try {
    const files = new Map<string, Buffer>();
    for (const entry of archive.entries) files.set(entry.name, await archive.read(entry));
    return files;
  } finally {
    await archive.close();
  }
}

/** A copy of an archive with its files edited in memory; the copy is a well-formed archive. */
export async function editedCopy(
  folder: Folder,
  path: string,
  edit: (files: Map<string, Buffer>) => void,
): Promise<string> {
  const files = await filesOf(path);
  edit(files);
  const copy = folder.next('.xpi');
  await writeZip(
    copy,
    [...files].map(([name, data]) => ({ name, data })),
  );
  return copy;
}
