/* The error texts of archives (contract, Signing). Deployed clients print them to developers. */
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';

/** The error for a file that is not a plain ZIP archive or uses an unsupported feature. */
export function unreadable(): PackageError {
  return new PackageError('Could not parse the manifest file.');
}

/** The error for a file that goes on after the end of its archive. */
export function trailingBytes(count: number): PackageError {
  return new PackageError(message('package.trailing_bytes', { count }));
}

/** The error for an inconsistent or too expensive archive. */
export function invalidArchive(): PackageError {
  return new PackageError('Invalid archive.');
}

/** The error for an entry name. */
export function invalidName(name: string): PackageError {
  return new PackageError(`Invalid file name in archive: ${printable(name)}`);
}

/** The error for a name that is not UTF-8. The wording is older than this rule. */
export function undecodableName(): PackageError {
  return new PackageError('Invalid file name in archive. Please make sure all filenames are utf-8 or latin1 encoded.');
}

/** The error for an entry whose two names differ: that of the header and the Unicode path. */
export function twoNames(name: string, path: string): PackageError {
  return new PackageError(message('package.two_names', { name: printable(name), path: printable(path) }));
}

/** The error for one entry that is too large. */
export function entryTooLarge(name: string): PackageError {
  return new PackageError(`File exceeding size limit in archive: ${printable(name)}`);
}

/** The error for an archive file above its limit in bytes (1 MB = 1,048,576 bytes if that is a whole number). */
export function archiveTooLarge(limit: number): PackageError {
  const megabyte = limit % 1_048_576 === 0 ? 1_048_576 : 1_000_000;
  return new PackageError(`File exceeds the upload limit of ${Math.floor(limit / megabyte)} MB.`);
}

const MAX_PRINTED = 200;
/** Controls, line separators and bidirectional marks, which could forge a line of a terminal or a log. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A name for a message: at most 200 characters, unprintable ones written as `\uXXXX`. */
function printable(name: string): string {
  const characters = Array.from(name.slice(0, 2 * MAX_PRINTED), (character) =>
    UNPRINTABLE.test(character) ? escaped(character) : character,
  );
  return characters.join('').slice(0, MAX_PRINTED).toWellFormed();
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
