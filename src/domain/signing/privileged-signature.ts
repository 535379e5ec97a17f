import { canSubmitPrivileged } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { readRootPem } from '../../infra/signer/root-certificate.ts';
import type { ReadPackage } from '../../package/manifest/read-package.ts';
import { commonNameOf } from '../../package/signing/end-entity.ts';
import type { PackageRequest } from './read-uploaded-package.ts';

/** The signatures to verify in uploads: those of the operator's privileged class. Empty without a root certificate. */
export async function trustedSigners(): Promise<Pick<PackageRequest, 'trusted'>> {
  const root = await readRootPem();
  return root === null ? {} : { trusted: { roots: [root], ou: config.PRIVILEGED_CLASS } };
}

/**
 * Whether a package has a valid signature of the operator's privileged class for its own id, and therefore keeps it
 * (contract, File: `is_vendor_signed_extension`). Signing drops other signatures. Only staff may upload such a package:
 * anyone else could publish a copy of it under their own account.
 * @throws {PackageError} with the documented text.
 */
export function isPrivileged(viewer: Viewer, { signature, guid }: ReadPackage): boolean {
  if (!signature?.ok) return false;
  if (!canSubmitPrivileged(viewer)) throw new PackageError(`You cannot submit a ${config.SITE_NAME} Signed Extension`);
  return guid !== null && signature.id === commonNameOf(guid);
}
