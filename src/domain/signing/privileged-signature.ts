import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { readRootPem } from '../../infra/signer/root-certificate.ts';
import type { ReadPackage } from '../../package/manifest/read-package.ts';
import { verifySignedPackage } from '../../package/signing/verify/verify-package.ts';

/**
 * Refuses a package that already carries a valid signature of the operator's privileged class: who could send one in
 * again would have it offered under an account of his own. Other signatures are no matter, as signing drops them.
 * @throws {PackageError} with the documented text.
 */
export async function refusePrivilegedSignature(path: string, { isSigned }: ReadPackage): Promise<void> {
  if (!isSigned) return;
  const root = await readRootPem();
  if (root === null) return;
  const { ok } = await verifySignedPackage(path, { roots: [root], ou: config.PRIVILEGED_CLASS });
  if (ok) throw new PackageError(`You cannot submit a ${config.SITE_NAME} Signed Extension`);
}
