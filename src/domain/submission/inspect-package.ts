/*
 * Reads uploaded packages in processes of their own: unpacking takes the processor for up to seconds, and the parsers get
 * untrusted bytes. The web process keeps one of them warm.
 */
import { fileURLToPath } from 'node:url';
import { canSubmitExperiments, canSubmitPrivileged } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { PackageError, refusedField } from '../../errors.ts';
import { log } from '../../infra/log.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import { readRootPem } from '../../infra/signer/root-certificate.ts';
import { checkAddonName, checkReservedGuid, checkVersionString, isGuid } from '../../package/manifest/identity.ts';
import { type PackageManifest, unsupportedType } from '../../package/manifest/package-manifest.ts';
import type { ReadPackage } from '../../package/manifest/read-package.ts';
import { commonNameOf } from '../../package/signing/end-entity.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { UploadTarget } from '../uploads/who-may-upload.ts';
import { applicationVersionLines } from '../versions/check-compatibility.ts';

/** What a package declares about itself. */
interface InspectedPackage {
  manifest: PackageManifest;
  /** Has a signature of the operator's privileged class. */
  isVendorSigned: boolean;
}

/**
 * Reads a staged package, whose client calls it `fileName`, and checks whether the account may submit packages of its kind.
 * `hasGuid` is false when the add-on is named by the package alone.
 * @throws {PackageError} with the documented text; the errors of `readUploadedPackage`.
 */
export async function inspectPackage(
  account: SignedIn,
  { path }: { path: string },
  fileName: string,
  { hasGuid }: { hasGuid: boolean },
): Promise<InspectedPackage> {
  const { signature, ...manifest } = await readUploadedPackage({
    path,
    fileName,
    knownVersions: await applicationVersionLines(),
    signedAs: config.SIGNATURE_BASE_NAME,
    ...(await trustedSigners()),
  });
  if (!hasGuid) requireWebExtension(manifest);
  if (manifest.isExperiment && !canSubmitExperiments(account)) throw unsupportedType();
  return { manifest, isVendorSigned: isPrivileged(account, { ...manifest, signature }) };
}

/** @throws {PackageError} for a legacy package: it can only become a version of an add-on that the client names. */
export function requireWebExtension({ format }: PackageManifest): void {
  if (format !== 'webextension') throw new PackageError(message('package.legacy_without_url_id'));
}

/** The signatures to verify in uploads: those of the operator's privileged class. Empty without a root certificate. */
async function trustedSigners(): Promise<Pick<PackageRequest, 'trusted'>> {
  const root = await readRootPem();
  return root === null ? {} : { trusted: { roots: [root], ou: config.PRIVILEGED_CLASS } };
}

/**
 * Whether a package has a valid signature of the operator's privileged class for its own id, and therefore keeps it
 * (contract, File: `is_vendor_signed_extension`). Signing drops other signatures. Only staff may upload such a package:
 * anyone else could publish a copy of it under their own account.
 * @throws {PackageError} with the documented text.
 */
function isPrivileged(viewer: Viewer, { signature, guid }: ReadPackage): boolean {
  if (!signature?.ok) return false;
  if (!canSubmitPrivileged(viewer)) {
    throw new PackageError(message('package.vendor_signed', { site: config.SITE_NAME }));
  }
  return guid !== null && signature.id === commonNameOf(guid);
}

const MAX_ADDRESS_GUID = 64;

/** Declared identity of an upload: guid and version in the address of a PUT, or the version field of a POST. */
export interface SubmittedAs {
  guid: string | null;
  /** Null when the client does not declare it. */
  version: string | null;
}

/**
 * The version of a package, which must be the declared one.
 * @throws {PackageError} with the documented text when the manifest names another version, or the number is malformed;
 * {InvalidInputError} on `version` when neither names one.
 */
export function packageVersionOf(manifest: PackageManifest, declared: string | null): string {
  const version = manifest.version ?? declared;
  if (version === null) throw refusedField('version', message('field.required'));
  if (manifest.version === null) checkVersionString(version);
  else if (declared !== null && declared !== version) {
    throw new PackageError(message('package.version_mismatch', { declared: printable(declared), version }));
  }
  return version;
}

/**
 * The guid of the add-on that a package belongs to, or null when the service must generate one: neither the WebExtension
 * nor the address has an id.
 * @throws {PackageError} when the ids of package, address and add-on differ.
 */
export function resolveGuid(
  manifest: PackageManifest,
  submitted: SubmittedAs,
  addon: UploadTarget | null,
): string | null {
  if (submitted.guid === null) return manifest.guid;
  if (manifest.guid === null) {
    requireAddressGuid(manifest, submitted.guid);
    return addon?.guid ?? submitted.guid;
  }
  const expected = addon?.guid ?? submitted.guid;
  if (manifest.guid !== expected) {
    const facts = { guid: printable(manifest.guid), site: config.SITE_NAME, expected: printable(expected) };
    throw new PackageError(message('package.id_of_other_addon', facts));
  }
  return expected;
}

function requireAddressGuid(manifest: PackageManifest, guid: string): void {
  if (manifest.format === 'install-rdf') throw new PackageError(message('package.legacy_without_id'));
  if (!isGuid(guid)) throw new PackageError(message('package.invalid_url_guid', { guid: printable(guid) }));
  if (guid.length > MAX_ADDRESS_GUID) {
    throw new PackageError(message('package.url_guid_too_long'));
  }
}

/** @throws {PackageError} when package and add-on have different types. */
export function checkType(manifest: PackageManifest, addon: UploadTarget): void {
  if (manifest.type !== addon.type) {
    const facts = { type: manifest.type, site: config.SITE_NAME, expected: addon.type };
    throw new PackageError(message('package.other_type', facts));
  }
}

/** Refuses reserved names, and reserved ids of new add-ons. */
export function checkReserved(manifest: PackageManifest, newGuid: string | null): void {
  if (newGuid !== null) checkReservedGuid(newGuid, config.RESERVED_GUID_SUFFIXES);
  for (const name of Object.values(manifest.name)) checkAddonName(name, config.RESERVED_NAMES);
}

export interface PackageRequest {
  /** Path of the staged file. */
  path: string;
  /** The client's name for the file. */
  fileName: string;
  /** Application versions that packages may name, as `isKnownAmong` takes them. */
  knownVersions: string;
  /** Roots and class of the signatures to verify; none are when it is absent. */
  trusted?: { roots: string[]; ou: string };
  /** Base name of the signature files that the package will get. */
  signedAs: string;
}

const ENTRY = fileURLToPath(new URL('./package-process.ts', import.meta.url));
const HEAP_MB = 256;
const PROCESSOR_S = 60;

/** The limits are far above what the largest package takes. */
const pool = new ParserPool(ENTRY, HEAP_MB, {
  concurrency: 2,
  runsPerProcess: 1_000,
  processorMs: PROCESSOR_S * 1_000,
  wallMs: 240_000,
  rssMb: 1_024,
  idleRssMb: 400,
  idleMs: 30_000,
  attempts: 2,
});

/**
 * What an uploaded package declares about itself.
 * @throws {PackageError} with the documented text, also when reading exceeds the limits or crashes twice.
 * @throws {UnavailableError} when no process can be started or the file cannot be read.
 */
function readUploadedPackage(request: PackageRequest): Promise<ReadPackage> {
  return pool.parse(request, (reason) => new PackageError(readingFailed(reason)));
}

const readingFailed = (reason: string): Message =>
  reason === 'timeout' ? message('package.reader_timeout', { seconds: PROCESSOR_S }) : message('package.reader_failed');

/** Starts one process and keeps it, so that the first upload need not wait for its start. Never rejects. */
export async function warmPackageReader(): Promise<void> {
  await pool.warm(1).catch((error) => log.warn({ err: error }, 'The package reader does not start.'));
}
