import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inflateEntry } from './entry-body.ts';
import { isHarmlessExtra } from './extra-fields.ts';
import type { FileWindow } from './file-window.ts';
import type { DirectoryRecord } from './read-directory.ts';
import { invalidArchive, unreadable } from './refusals.ts';
import type { OpenZipOptions, ZipEntry } from './zip-archive.ts';

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HAS_DESCRIPTOR = 0x0008;
/** The compression level, which a streaming packer learns only after it wrote the local header. */
const LEVEL_FLAGS = 0x0006;
/** Bytes of work between yields to the event loop; each entry counts as 16 KiB more than its content. */
const WORK_PER_TURN = 4 * 1024 * 1024;
const WORK_PER_ENTRY = 16 * 1024;

interface VerifyEntriesOptions extends Pick<OpenZipOptions, 'visit'> {
  digests: boolean | undefined;
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
  for (const record of inPlace) {
    if (record.localOffset !== position) throw invalidArchive();
    const entry = await readLocalHeader(window, record);
    await verifyBody(window, entry, options);
    position = entry.dataOffset + entry.compressedSize + (await descriptorBytes(window, record, entry));
    entries.set(record, entry);
    work += entry.size + WORK_PER_ENTRY;
    if (work >= WORK_PER_TURN) {
      work = 0;
      await nextTurn();
    }
  }
  if (position !== directoryOffset) throw invalidArchive();
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
  if ((inPlace[0]?.localOffset ?? directoryOffset) !== 0) throw unreadable();
  for (const [index, record] of inPlace.entries()) {
    const next = inPlace[index + 1]?.localOffset ?? directoryOffset;
    if (record.localOffset + HEADER_BYTES + record.nameBytes.length + record.compressedSize > next) {
      throw invalidArchive();
    }
  }
}

/**
 * The entry of a record, after comparing its local header (APPNOTE 4.3.7) with the record; dates and versions may differ, because they
 * are never copied. Throws `PackageError`.
 */
export async function readLocalHeader(window: FileWindow, record: DirectoryRecord): Promise<ZipEntry> {
  const header = await window.bytes(record.localOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw invalidArchive();
  if (((header.readUInt16LE(6) ^ record.flags) & ~LEVEL_FLAGS) !== 0) throw invalidArchive();
  if (header.readUInt16LE(8) !== record.method) throw invalidArchive();
  if (!hasTrueSizes(header, record)) throw invalidArchive();
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  const rest = await window.bytes(record.localOffset + HEADER_BYTES, nameLength + extraLength);
  if (!rest.subarray(0, nameLength).equals(record.nameBytes)) throw invalidArchive();
  if (!isHarmlessExtra(rest.subarray(nameLength))) throw unreadable();
  const { name, directory, method, crc32, compressedSize, size } = record;
  const dataOffset = record.localOffset + HEADER_BYTES + nameLength + extraLength;
  return { name, directory, method, crc32, compressedSize, size, dataOffset };
}

/** A packer that writes a data descriptor leaves the three fields empty, or fills them all. */
function hasTrueSizes(header: Buffer, record: DirectoryRecord): boolean {
  const fields = [header.readUInt32LE(14), header.readUInt32LE(18), header.readUInt32LE(22)];
  const isEmpty = fields.every((field) => field === 0);
  if (isEmpty && (record.flags & HAS_DESCRIPTOR) !== 0) return true;
  return fields[0] === record.crc32 && fields[1] === record.compressedSize && fields[2] === record.size;
}

/** Length of the data descriptor after the body (APPNOTE 4.3.9), which must repeat the record; its signature is optional. */
async function descriptorBytes(window: FileWindow, record: DirectoryRecord, entry: ZipEntry): Promise<number> {
  if ((record.flags & HAS_DESCRIPTOR) === 0) return 0;
  const at = entry.dataOffset + entry.compressedSize;
  const start = (await window.bytes(at, 4)).readUInt32LE(0) === DESCRIPTOR_SIGNATURE ? 4 : 0;
  const fields = await window.bytes(at + start, 12);
  const isTrue =
    fields.readUInt32LE(0) === record.crc32 &&
    fields.readUInt32LE(4) === record.compressedSize &&
    fields.readUInt32LE(8) === record.size;
  if (!isTrue) throw invalidArchive();
  return start + 12;
}
