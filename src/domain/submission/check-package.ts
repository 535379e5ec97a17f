import { config } from '../../config.ts';
import { InvalidInputError, PackageError, refusedField } from '../../errors.ts';
import type { Database } from '../../infra/db.ts';
import { checkAddonName, checkReservedGuid, checkVersionString, isGuid } from '../../package/manifest/identity.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { UploadTarget } from '../uploads/who-may-upload.ts';

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

/**
 * A listed version requires a category, a summary and a licence of its add-on (contract, Signing).
 * @throws {InvalidInputError} with the documented text.
 */
export async function requireListingMetadata(tx: Database, addonId: number): Promise<void> {
  const addon = await tx.addon.findUniqueOrThrow({
    where: { id: addonId },
    select: { summary: true, licenseId: true, _count: { select: { categories: true } } },
  });
  const isMissing = {
    categories: addon._count.categories === 0,
    summary: Object.keys((addon.summary ?? {}) as object).length === 0,
    license: addon.licenseId === null,
  };
  const missing = Object.entries(isMissing).flatMap(([name, isAbsent]) => (isAbsent ? [name] : []));
  if (missing.length === 0) return;
  throw new InvalidInputError(message('upload.missing_metadata', { names: missing.join(', ') }));
}
