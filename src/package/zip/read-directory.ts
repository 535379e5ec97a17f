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
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Bits 1 and 2: compression level, 3: data descriptor, 11: UTF-8. All others change the content. */
const KNOWN_FLAGS = 0x080e;
/** The ratio of smaller entries is not limited: blank files compress a thousandfold. */
const RATIO_FLOOR = 1024 * 1024;

/** One record of the central directory. Its local header is at `localOffset`. */
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
  if (place.size > MAX_DIRECTORY_BYTES) throw brokenArchive('package.zip_directory');
  const bytes = await window.bytes(place.offset, place.size);
  const records: DirectoryRecord[] = [];
  let at = 0;
  for (let index = 0; index < place.count; index += 1) {
    if (at + RECORD_BYTES > bytes.length) throw brokenArchive('package.zip_directory');
    const end =
      at + RECORD_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (end > bytes.length) throw brokenArchive('package.zip_directory');
    records.push(parseRecord(bytes.subarray(at, end), limits, rules));
    at = end;
  }
  if (at !== bytes.length) throw brokenArchive('package.zip_directory');
  requireAffordable(records, window.size, limits);
  requireDistinctNames(records.map((record) => record.name));
  return { records, offset: place.offset };
}

function parseRecord(bytes: Buffer, limits: ZipLimits, rules: ContainerRules): DirectoryRecord {
  if (bytes.readUInt32LE(0) !== RECORD_SIGNATURE) throw brokenArchive('package.zip_directory');
  const extraAt = RECORD_BYTES + bytes.readUInt16LE(28);
  const nameBytes = bytes.subarray(RECORD_BYTES, extraAt);
  const name = decodeEntryName(nameBytes, limits.nameBytes);
  const flags = bytes.readUInt16LE(8);
  const method = bytes.readUInt16LE(10);
  if ((flags & ~KNOWN_FLAGS) !== 0 || (method !== 0 && method !== 8)) {
    throw unsupportedEntry(name, method, flags & ~KNOWN_FLAGS);
  }
  if (bytes.readUInt16LE(34) !== 0) throw brokenArchive('package.zip_split');
  const zip64 = readExtra(bytes.subarray(extraAt, extraAt + bytes.readUInt16LE(30)), nameBytes, rules);
  const written: [number, number, number] = [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)];
  const [size, compressedSize, localOffset] = zip64Values(written, zip64);
  const directory = name.endsWith('/');
  if (!isPlainFile(bytes.readUInt32LE(38), directory)) throw brokenEntry('package.zip_special_file', name);
  const record: DirectoryRecord = {
    name,
    nameBytes,
    directory,
    flags,
    method,
    crc32: bytes.readUInt32LE(16),
    compressedSize,
    size,
    localOffset,
  };
  requireSensibleSizes(record, limits);
  return record;
}

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
