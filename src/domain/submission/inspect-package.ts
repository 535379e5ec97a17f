import { canSubmitExperiments } from '../../auth/permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { type PackageManifest, unsupportedType } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { applicationVersionLines } from '../versions/check-compatibility.ts';
import { isPrivileged, trustedSigners } from './check-package.ts';
import { readUploadedPackage } from './read-uploaded-package.ts';

/** What a package says about itself. */
export interface InspectedPackage {
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
