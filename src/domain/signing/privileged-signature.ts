import { canSubmitPrivileged } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { readRootPem } from '../../infra/signer/root-certificate.ts';
import type { ReadPackage } from '../../package/manifest/read-package.ts';
import { verifySignedPackage } from '../../package/signing/verify/verify-package.ts';

/**
 * Whether a package already carries a valid signature of the operator's privileged class for its own id: it then keeps
 * that one (contract, File: `is_vendor_signed_extension`). Other signatures are no matter, as signing drops them.
 * Who could send one of these in again would have it offered under an account of his own, so only staff may.
 * @throws {PackageError} with the documented text.
 */
export async function readPrivilegedSignature(
  viewer: Viewer,
  path: string,
  { isSigned, guid }: ReadPackage,
): Promise<boolean> {
  const root = isSigned ? await readRootPem() : null;
  if (root === null) return false;
  const privileged = { roots: [root], ou: config.PRIVILEGED_CLASS };
  const { ok } = await verifySignedPackage(path, privileged);
  if (!ok) return false;
  if (!canSubmitPrivileged(viewer)) throw new PackageError(`You cannot submit a ${config.SITE_NAME} Signed Extension`);
  return guid !== null && (await verifySignedPackage(path, { ...privileged, id: guid })).ok;
}
