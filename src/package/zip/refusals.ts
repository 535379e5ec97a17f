/* The errors of archives. Their texts begin with documented ones (contract, Signing), which deployed clients print to developers. */
import { PackageError } from '../../errors.ts';
import type { MessageCode } from '../../texts/message-types.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';

/** Faults of one entry that need no other value than its name. */
type EntryFault =
  | 'package.zip_damaged_entry'
  | 'package.zip_gap'
  | 'package.zip_header_differs'
  | 'package.zip_sizes'
  | 'package.zip_special_file';

/** Faults of the whole archive that need no value. */
type ArchiveFault =
  | 'package.crx_header'
  | 'package.empty_file'
  | 'package.not_zip'
  | 'package.zip_directory'
  | 'package.zip_not_plain'
  | 'package.zip_prefix'
  | 'package.zip_split'
  | 'package.zip_truncated';

/** What a name has that no unpacker on every system extracts as it is. */
export type NameFault = Extract<
  MessageCode,
  `package.name_${'control' | 'marks' | 'backslash' | 'drive' | 'space' | 'absolute' | 'empty_part' | 'dots' | 'of_signature' | 'not_signable'}`
>;

/** The error for a file that is no ZIP archive, or cannot be read as one. */
export const brokenArchive = (fault: ArchiveFault): PackageError => new PackageError(message(fault));

/** The error for one entry. */
export const brokenEntry = (fault: EntryFault, name: string): PackageError =>
  new PackageError(message(fault, { name: printable(name) }));

/** The error for a file whose container has what only signing removes. */
export const notPlain = (): PackageError => brokenArchive('package.zip_not_plain');

/** The error for a compression method or a feature of the format that is not supported. `flags` are those that are unknown. */
export function unsupportedEntry(name: string, method: number, flags: number): PackageError {
  const entry = { name: printable(name) };
  if ((flags & 0x2041) !== 0) return new PackageError(message('package.zip_encrypted', entry));
  return new PackageError(
    flags === 0
      ? message('package.zip_method', { ...entry, method: String(method) })
      : message('package.zip_feature', { ...entry, flags: hex(flags) }),
  );
}

/** The error for an extra field that changes what an entry is, or is damaged. */
export const unsupportedExtra = (nameBytes: Buffer, id: number): PackageError =>
  new PackageError(message('package.zip_extra_field', { name: printable(nameBytes.toString('utf8')), id: hex(id) }));

const hex = (value: number): string => `0x${value.toString(16).padStart(4, '0')}`;

/** The error for an archive that would unpack to too many files or bytes. */
export const tooManyEntries = (entries: number, max: number): PackageError =>
  new PackageError(message('package.zip_too_many', { entries, max }));
export const tooLargeUnpacked = (bytes: number): PackageError =>
  new PackageError(message('package.zip_too_large_unpacked', { size: Math.floor(bytes / 1_048_576) }));
export const tooCompressed = (ratio: number): PackageError => new PackageError(message('package.zip_ratio', { ratio }));

/** The error for a file that goes on after the end of its archive. */
export function trailingBytes(count: number): PackageError {
  return new PackageError(message('package.trailing_bytes', { count }));
}

/** The error for an entry name. */
export const invalidName = (name: string, fault: NameFault): PackageError =>
  new PackageError(message(fault, { name: printable(name) }));

/** The error for a name that is longer than `max` bytes. */
export const longName = (name: string, max: number): PackageError =>
  new PackageError(message('package.name_too_long', { name: printable(name), max }));

/** The error for a name that cannot be extracted next to that of `other`. */
export const clashingName = (
  fault: 'package.name_twice' | 'package.name_below_file',
  name: string,
  other: string,
): PackageError => new PackageError(message(fault, { name: printable(name), other: printable(other) }));

/** The error for a name that is not UTF-8. The wording is older than this rule. */
export const undecodableName = (bytes: Buffer): PackageError =>
  new PackageError(message('package.name_encoding', { name: printable(bytes.toString('latin1')) }));

/** The error for an entry whose two names differ: that of the header and the Unicode path. */
export function twoNames(name: string, path: string): PackageError {
  return new PackageError(message('package.two_names', { name: printable(name), path: printable(path) }));
}

/** The error for one entry that is too large. */
export const entryTooLarge = (name: string): PackageError =>
  new PackageError(message('package.entry_too_large', { name: printable(name) }));

/** The error for an archive file above its limit in bytes (1 MB = 1,048,576 bytes if that is a whole number). */
export function archiveTooLarge(limit: number): PackageError {
  const megabyte = limit % 1_048_576 === 0 ? 1_048_576 : 1_000_000;
  return new PackageError(message('upload.too_large', { size: String(Math.floor(limit / megabyte)) }));
}
