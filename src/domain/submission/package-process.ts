/** Entry point of a process that reads uploaded packages. */
import { serveParser } from '../../infra/process-pool/serve-parser.ts';
import { isKnownAmong } from '../../package/manifest/compatibility.ts';
import { readPackage } from '../../package/manifest/read-package.ts';
import { verifySignedArchive } from '../../package/signing/verify/verify-package.ts';
import type { PackageRequest } from './inspect-package.ts';

serveParser(({ path, fileName, knownVersions, trusted, ...options }: PackageRequest) =>
  readPackage(path, fileName, {
    ...options,
    container: 'packed',
    isKnown: isKnownAmong(knownVersions),
    ...(trusted && { checkSignature: (archive) => verifySignedArchive(archive, trusted) }),
  }),
);
