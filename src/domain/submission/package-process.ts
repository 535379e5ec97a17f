/** Entry point of a process that reads uploaded packages. */
import { PackageError } from '../../errors.ts';
import { serveRequests } from '../../infra/process-pool/serve-requests.ts';
import { isKnownAmong } from '../../package/manifest/compatibility.ts';
import { readPackage } from '../../package/manifest/read-package.ts';
import { verifySignedArchive } from '../../package/signing/verify/verify-package.ts';
import type { PackageReply, PackageRequest } from './inspect-package.ts';

serveRequests(async ({ path, fileName, knownVersions, trusted, ...options }: PackageRequest): Promise<PackageReply> => {
  try {
    const result = await readPackage(path, fileName, {
      ...options,
      container: 'packed',
      isKnown: isKnownAmong(knownVersions),
      ...(trusted && { checkSignature: (archive) => verifySignedArchive(archive, trusted) }),
    });
    return { kind: 'read', result };
  } catch (error) {
    if (error instanceof PackageError) return { kind: 'refused', message: error.reason };
    return { kind: 'failed', detail: String(error) };
  }
});
