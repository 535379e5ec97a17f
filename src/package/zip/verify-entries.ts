import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContainerRules } from './container-rules.ts';
import { inflateEntry } from './entry-body.ts';
import { readExtra, safeNumber, zip64Values } from './extra-fields.ts';
import type { FileWindow } from './file-window.ts';
import type { DirectoryRecord } from './read-directory.ts';
import { brokenArchive, brokenEntry } from './refusals.ts';
import type { OpenZipOptions, ZipEntry } from './zip-archive.ts';

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HAS_DESCRIPTOR = 0x0008;
/** Without and with a signature, then the same in zip64. */
const DESCRIPTOR_LENGTHS = [12, 16, 20, 24];
const SHORT_DESCRIPTOR_BYTES = 16;
/** The compression level, which a streaming packer learns only after it wrote the local header. */
const LEVEL_FLAGS = 0x0006;
/** Bytes of work between yields to the event loop; each entry counts as 16 KiB more than its content. */
const WORK_PER_TURN = 4 * 1024 * 1024;
const WORK_PER_ENTRY = 16 * 1024;

const differs = (name: string) => brokenEntry('package.zip_header_differs', name);

interface VerifyEntriesOptions extends Pick<OpenZipOptions, 'visit'> {
  digests: boolean | undefined;
  rules: ContainerRules;
}

/**
 * Reads the archive from its first byte to the central directory at `offset` and checks that it consists of the recorded
 * entries only: local headers equal their records, bodies are valid, no gap and no overlap. Hashes and visits the contents
 * as the options say. Returns the entries in the order of the directory. Throws `PackageError`.
 */
export async function verifyEntries(
  window: FileWindow,
  { records, offset: directoryOffset }: { records: readonly DirectoryRecord[]; offset: number },
  options: VerifyEntriesOptions,
): Promise<ZipEntry[]> {
  const inPlace = records.toSorted((a, b) => a.localOffset - b.localOffset);
  requireRoom(inPlace, directoryOffset);
  const entries = new Map<DirectoryRecord, ZipEntry>();
  let position = 0;
  let work = 0;
  for (const [index, record] of inPlace.entries()) {
    if (record.localOffset !== position) throw brokenEntry('package.zip_gap', record.name);
    const entry = await readLocalHeader(window, record, options.rules);
    await verifyBody(window, entry, options);
    position = inPlace[index + 1]?.localOffset ?? directoryOffset;
    await verifyDescriptor(window, record, { start: entry.dataOffset + entry.compressedSize, end: position }, options);
    entries.set(record, entry);
    work += entry.size + WORK_PER_ENTRY;
    if (work >= WORK_PER_TURN) {
      work = 0;
      await nextTurn();
    }
  }
  return records.flatMap((record) => entries.get(record) ?? []);
}

async function verifyBody(
  window: FileWindow,
  entry: ZipEntry,
  { digests, visit }: VerifyEntriesOptions,
): Promise<void> {
  const hash = digests && !entry.directory ? createHash('sha256') : undefined;
  await inflateEntry(window, entry, (piece) => {
    hash?.update(piece);
    visit?.(entry, piece);
  });
  if (hash) entry.sha256 = hash.digest();
}

/** Refuses overlapping entries from their declared sizes alone, before the first byte is inflated. */
function requireRoom(inPlace: readonly DirectoryRecord[], directoryOffset: number): void {
  if ((inPlace[0]?.localOffset ?? directoryOffset) !== 0) throw brokenArchive('package.zip_prefix');
  for (const [index, record] of inPlace.entries()) {
    const next = inPlace[index + 1]?.localOffset ?? directoryOffset;
    if (record.localOffset + HEADER_BYTES + record.nameBytes.length + record.compressedSize > next) {
      throw brokenEntry('package.zip_gap', record.name);
    }
  }
}

/**
 * The entry of a record, after comparing its local header (APPNOTE 4.3.7) with the record; dates and versions may differ, because they
 * are never copied. Throws `PackageError`.
 */
export async function readLocalHeader(
  window: FileWindow,
  record: DirectoryRecord,
  rules: ContainerRules,
): Promise<ZipEntry> {
  const header = await window.bytes(record.localOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw differs(record.name);
  if (((header.readUInt16LE(6) ^ record.flags) & ~LEVEL_FLAGS) !== 0) throw differs(record.name);
  if (header.readUInt16LE(8) !== record.method) throw differs(record.name);
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  const rest = await window.bytes(record.localOffset + HEADER_BYTES, nameLength + extraLength);
  if (!rest.subarray(0, nameLength).equals(record.nameBytes)) throw differs(record.name);
  const zip64 = readExtra(rest.subarray(nameLength), record.nameBytes, rules);
  if (!hasTrueSizes(header, record, zip64, rules)) throw differs(record.name);
  const { name, directory, method, crc32, compressedSize, size } = record;
  const dataOffset = record.localOffset + HEADER_BYTES + nameLength + extraLength;
  return { name, directory, method, crc32, compressedSize, size, dataOffset };
}

/** Packers that write a data descriptor leave fields empty; most leave all three, some fill those that they know. */
function hasTrueSizes(header: Buffer, record: DirectoryRecord, zip64: Buffer | null, rules: ContainerRules): boolean {
  const written: [number, number] = [header.readUInt32LE(22), header.readUInt32LE(18)];
  const fields = [header.readUInt32LE(14), ...zip64Values(written, zip64)];
  const expected = [record.crc32, record.size, record.compressedSize];
  const isTrue = (field: number, index: number): boolean => field === expected[index];
  if (fields.every(isTrue)) return true;
  if ((record.flags & HAS_DESCRIPTOR) === 0) return false;
  if (fields.some((field) => field !== 0)) rules.requirePacked(() => differs(record.name));
  return fields.every((field, index) => field === 0 || isTrue(field, index));
}

/**
 * Checks that a body is followed by its data descriptor (APPNOTE 4.3.9), which must repeat the record, and by nothing else. Its
 * signature is optional; its sizes have eight bytes in zip64.
 */
async function verifyDescriptor(
  window: FileWindow,
  record: DirectoryRecord,
  { start, end }: { start: number; end: number },
  { rules }: VerifyEntriesOptions,
): Promise<void> {
  const length = end - start;
  if ((record.flags & HAS_DESCRIPTOR) === 0) {
    if (length !== 0) throw differs(record.name);
    return;
  }
  if (!DESCRIPTOR_LENGTHS.includes(length)) throw differs(record.name);
  const bytes = await window.bytes(start, length);
  const isSigned = length % 8 === 0;
  if (isSigned && bytes.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE) throw differs(record.name);
  const [crc, ...sizes] = descriptorValues(bytes.subarray(isSigned ? 4 : 0));
  if (length > SHORT_DESCRIPTOR_BYTES) rules.requirePacked(() => differs(record.name));
  const isTrue = crc === record.crc32 && sizes[0] === record.compressedSize && sizes[1] === record.size;
  if (!isTrue) throw differs(record.name);
}

/** CRC-32, compressed and inflated size. */
function descriptorValues(bytes: Buffer): number[] {
  const crc = bytes.readUInt32LE(0);
  if (bytes.length === 12) return [crc, bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  return [crc, safeNumber(bytes, 4), safeNumber(bytes, 12)];
}
