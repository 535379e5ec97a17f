import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';

/** The error for an archive of source code that cannot be listed, or exceeds a limit. */
export function brokenArchive(): PackageError {
  return new PackageError('Invalid or broken archive.');
}

/** The error for an archive that takes more processor time than the limit, in seconds. */
export function sourceTooSlow(seconds: number): PackageError {
  return new PackageError(message('source.too_slow', { seconds }));
}
