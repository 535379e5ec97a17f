import { PackageError } from '../../errors.ts';

/** The error for an archive of source code that cannot be listed, or exceeds a limit. */
export function brokenArchive(): PackageError {
  return new PackageError('Invalid or broken archive.');
}
