import type { Buffer } from 'node:buffer';
import type { ContainerRules } from './container-rules.ts';
import { decodeEntryName, requireDistinctNames } from './entry-name.ts';
import { readExtra, zip64Values } from './extra-fields.ts';
import type { FileWindow } from './file-window.ts';
import { findDirectory } from './find-directory.ts';
import {
  brokenArchive,
  brokenEntry,
  entryTooLarge,
  tooCompressed,
  tooLargeUnpacked,
  tooManyEntries,
  unsupportedEntry,
} from './refusals.ts';
import type { ZipEntry, ZipLimits } from './zip-archive.ts';

const RECORD_SIGNATURE = 0x02014b50;
const RECORD_BYTES = 46;
/** Enough for the default limits: 20,000 records of 46 bytes with names of 512 bytes and some extra fields. */
export const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Bits 1 and 2: compression level, 3: data descriptor, 11: UTF-8. All others change the content. */
const KNOWN_FLAGS = 0x080e;
/** The ratio of smaller entries is not limited: blank files compress a thousandfold. */
const RATIO_FLOOR = 1024 * 1024;

/** One record of the central directory that passed every check. Its local header is at `localOffset`. */
export interface DirectoryRecord extends Omit<ZipEntry, 'dataOffset' | 'sha256'> {
  nameBytes: Buffer;
  flags: number;
  localOffset: number;
}

/**
 * The records of the central directory (APPNOTE 4.3.12) in their order, and its offset. Checks everything that needs no
 * entry: names, features, declared sizes. Throws `PackageError`.
 */
export async function readDirectory(
  window: FileWindow,
  limits: ZipLimits,
  rules: ContainerRules,
): Promise<{ records: DirectoryRecord[]; offset: number }> {
  const place = await findDirectory(window, rules);
  if (place.count > limits.entries) throw tooManyEntries(place.count, limits.entries);
  if (place.size > MAX_DIRECTORY_BYTES) throw damagedDirectory();
  const bytes = await window.bytes(place.offset, place.size);
  const records: DirectoryRecord[] = [];
  let at = 0;
  while (records.length < place.count) {
    const written = recordAt(bytes, at, damagedDirectory);
    records.push(checkRecord(written, limits, rules));
    at = written.end;
  }
  if (at !== bytes.length) throw damagedDirectory();
  requireAffordable(records, window.size, limits);
  requireDistinctNames(records.map((record) => record.name));
  return { records, offset: place.offset };
}

const damagedDirectory = () => brokenArchive('package.zip_directory');

/**
 * The record at `at` of a central directory (APPNOTE 4.3.12) as it is written, without any check of its values.
 * @throws the error of `damaged` when it is not there, or incomplete.
 */
export function recordAt(bytes: Buffer, at: number, damaged: () => Error) {
  if (at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_SIGNATURE) throw damaged();
  const nameAt = at + RECORD_BYTES;
  const extraAt = nameAt + bytes.readUInt16LE(at + 28);
  const commentAt = extraAt + bytes.readUInt16LE(at + 30);
  const end = commentAt + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) throw damaged();
  return {
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc32: bytes.readUInt32LE(at + 16),
    compressedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    disk: bytes.readUInt16LE(at + 34),
    /** The Unix mode in the upper half. */
    attributes: bytes.readUInt32LE(at + 38),
    localOffset: bytes.readUInt32LE(at + 42),
    nameBytes: bytes.subarray(nameAt, extraAt),
    extra: bytes.subarray(extraAt, commentAt),
    end,
  };
}

type WrittenRecord = ReturnType<typeof recordAt>;

function checkRecord(written: WrittenRecord, limits: ZipLimits, rules: ContainerRules): DirectoryRecord {
  const { nameBytes, flags, method, crc32 } = written;
  const name = decodeEntryName(nameBytes, limits.nameBytes);
  if ((flags & ~KNOWN_FLAGS) !== 0 || !isSupported(method)) throw unsupportedEntry(name, method, flags & ~KNOWN_FLAGS);
  if (written.disk !== 0) throw brokenArchive('package.zip_split');
  const zip64 = readExtra(written.extra, nameBytes, rules);
  const fields: [number, number, number] = [written.size, written.compressedSize, written.localOffset];
  const [size, compressedSize, localOffset] = zip64Values(fields, zip64);
  const directory = name.endsWith('/');
  if (!isPlainFile(written.attributes, directory)) throw brokenEntry('package.zip_special_file', name);
  const record = { name, nameBytes, directory, flags, method, crc32, compressedSize, size, localOffset };
  requireSensibleSizes(record, limits);
  return record;
}

/** Whether entries of this compression method can be inflated. */
export const isSupported = (method: number): method is ZipEntry['method'] => method === 0 || method === 8;

/**
 * Whether the external attributes are those of a regular file, or of a directory if the name is one. Most packers write a
 * Unix mode to the upper half, whichever system they claim.
 */
function isPlainFile(attributes: number, directory: boolean): boolean {
  const unixType = (attributes >>> 16) & 0o170000;
  if (unixType !== 0 && unixType !== 0o100000 && unixType !== 0o040000) return false;
  return directory || (unixType !== 0o040000 && (attributes & 0x10) === 0);
}

function requireSensibleSizes(record: DirectoryRecord, limits: ZipLimits): void {
  if (Math.max(record.size, record.compressedSize) > limits.entryBytes) throw entryTooLarge(record.name);
  if (record.method === 0 && record.size !== record.compressedSize) throw brokenEntry('package.zip_sizes', record.name);
  if (record.directory && record.size !== 0) throw brokenEntry('package.zip_sizes', record.name);
  if (inflatesTooWell(record.size, record.compressedSize, limits)) throw tooCompressed(limits.ratio);
}

function requireAffordable(records: readonly DirectoryRecord[], archiveBytes: number, limits: ZipLimits): void {
  const inflated = records.reduce((sum, record) => sum + record.size, 0);
  if (inflated > limits.inflatedBytes) throw tooLargeUnpacked(limits.inflatedBytes);
  if (inflatesTooWell(inflated, archiveBytes, limits)) throw tooCompressed(limits.ratio);
}

function inflatesTooWell(inflated: number, compressed: number, limits: ZipLimits): boolean {
  return inflated > RATIO_FLOOR && inflated > compressed * limits.ratio;
}
