import { Buffer } from 'node:buffer';
import { PackageError } from '../../errors.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { ZipLimits } from '../zip/zip-archive.ts';

/** The error for an archive of source code that cannot be listed, or exceeds a limit. Its text says which fault it has. */
export const refusedSource = (reason: Message): PackageError => new PackageError(reason);

/** The error for an archive whose structure or checksums are wrong. */
export const damagedSource = (): PackageError => refusedSource(message('source.damaged'));

/** The error for an archive whose end is missing. */
export const truncatedSource = (): PackageError => refusedSource(message('source.truncated'));

/** The error for a file in the archive that is too large. */
export const oversizedEntry = (name: string, { entryBytes }: ZipLimits): PackageError =>
  refusedSource(message('source.entry_too_large', { name: shownName(name), max: entryBytes }));

/** The error for an archive that contains more than `max` bytes. */
export const oversizedSource = (max: number): PackageError =>
  refusedSource(message('source.too_large_unpacked', { max }));

/** The error for an archive that takes more processor time than the limit, in seconds. */
export const sourceTooSlow = (seconds: number): PackageError => refusedSource(message('source.too_slow', { seconds }));

/** A name in an archive, its bytes as Latin-1, for a message: names of most archives are UTF-8. */
export const shownName = (name: string): string => printable(Buffer.from(name, 'latin1').toString());
