import { Buffer } from 'node:buffer';
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { inflateEntry } from '../zip/entry-body.ts';
import type { FileWindow } from '../zip/file-window.ts';
import { type DirectoryPlace, END_BYTES, END_SIGNATURE, placeIn, readTail } from '../zip/find-directory.ts';
import { isSupported, MAX_DIRECTORY_BYTES, recordAt } from '../zip/read-directory.ts';
import type { ZipEntry, ZipLimits } from '../zip/zip-archive.ts';
import { entryPath, requireInside, type SourceVisitor } from './entry-path.ts';
import type { ProcessorTime } from './processor-time.ts';
import { oversizedEntry, oversizedSource, refusedSource, shownName, truncatedSource } from './refusals.ts';

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
/** Encrypted content, patches, strong encryption and hidden headers. */
const UNREADABLE_FLAGS = 0x2061;
const LINK_TYPE = 0o120000;
const TYPES = [0, 0o100000, 0o040000, LINK_TYPE];

/** A record of the directory; `localOffset` is where the header before its content is, in bytes. */
interface SourceRecord extends Omit<ZipEntry, 'dataOffset' | 'directory'> {
  isLink: boolean;
  localOffset: number;
}

/**
 * Lists a ZIP archive of source code and verifies sizes and checksums of its contents, without keeping them. Accepts more than packages
 * may have, such as a comment, which packers of repositories write, and symbolic links. Returns the number of its entries.
 * @throws {PackageError} when `time` does not suffice, for a broken archive, one above `limits`, encrypted entries, zip64, and methods other than deflate.
 */
export async function listZip(
  window: FileWindow,
  limits: ZipLimits,
  time: ProcessorTime,
  visit?: SourceVisitor,
): Promise<number> {
  if (window.size < END_BYTES) throw truncatedSource();
  const { offset, size, count } = await findDirectory(window);
  if (count > limits.entries || size > MAX_DIRECTORY_BYTES) {
    throw refusedSource(message('source.too_many', { max: limits.entries }));
  }
  const records = readRecords(await window.bytes(offset, size), count, limits);
  requireAffordable(records, window.size, limits);
  records.sort((a, b) => a.localOffset - b.localOffset);
  if (count > 0 && records[0]?.localOffset !== 0) throw refusedSource(message('source.zip_prefix'));
  for (const record of records) {
    time.require();
    await verifyContent(window, record, { end: offset, nameBytes: limits.nameBytes, visit });
  }
  return count;
}

const damagedDirectory = () => refusedSource(message('source.zip_directory'));

/** The end record, which a comment may follow (APPNOTE 4.3.16). */
async function findDirectory(window: FileWindow): Promise<DirectoryPlace> {
  const tail = await readTail(window);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    const rest = tail.length - END_BYTES - at;
    if (tail.readUInt32LE(at) !== END_SIGNATURE || tail.readUInt16LE(at + 20) !== rest) continue;
    const place = placeIn(tail.subarray(at));
    const isWhole = tail.readUInt32LE(at + 4) === 0 && tail.readUInt16LE(at + 8) === place.count;
    if (place.count === 0xffff || place.offset === 0xffffffff) throw refusedSource(message('source.zip64'));
    if (!isWhole) throw refusedSource(message('source.zip_split'));
    if (place.offset + place.size > window.size - END_BYTES - rest) throw damagedDirectory();
    return place;
  }
  throw refusedSource(message('source.zip_end'));
}

function readRecords(bytes: Buffer, count: number, { nameBytes }: ZipLimits): SourceRecord[] {
  const records: SourceRecord[] = [];
  for (let at = 0; records.length < count; ) {
    const { method, flags, attributes, end, ...record } = recordAt(bytes, at, damagedDirectory);
    const path = entryPath(record.nameBytes, nameBytes);
    const name = shownName(path);
    const type = (attributes >>> 16) & 0o170000;
    if ((flags & UNREADABLE_FLAGS) !== 0) throw refusedSource(message('source.encrypted', { name }));
    if (!isSupported(method)) throw refusedSource(message('source.method', { name, method }));
    if (!TYPES.includes(type)) throw refusedSource(message('source.special_file', { name }));
    records.push({ ...record, name: path, method, isLink: type === LINK_TYPE });
    at = end;
  }
  return records;
}

/** Entries that overlap would need more work than the size of the archive permits. */
function requireAffordable(records: readonly SourceRecord[], archiveBytes: number, limits: ZipLimits): void {
  const inflated = records.reduce((sum, { size }) => sum + size, 0);
  const packed = records.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  const oversized = records.find(({ size }) => size > limits.entryBytes);
  if (oversized !== undefined) throw oversizedEntry(oversized.name, limits);
  if (packed > archiveBytes) throw damagedDirectory();
  const max = maxInflated(archiveBytes, limits);
  if (inflated > max) throw oversizedSource(max);
}

/** The ratio of small archives is not limited. */
const RATIO_FLOOR = 1024 * 1024;

/** How many bytes an archive of `archiveBytes` may contain. */
export function maxInflated(archiveBytes: number, { inflatedBytes, ratio }: ZipLimits): number {
  return Math.min(inflatedBytes, Math.max(RATIO_FLOOR, archiveBytes * ratio));
}

const damagedEntry = (name: string) => refusedSource(message('source.damaged_entry', { name: shownName(name) }));

async function verifyContent(
  window: FileWindow,
  { localOffset, isLink, ...record }: SourceRecord,
  { end, nameBytes, visit }: { end: number; nameBytes: number; visit: SourceVisitor | undefined },
): Promise<void> {
  if (localOffset + HEADER_BYTES > end) throw damagedEntry(record.name);
  const header = await window.bytes(localOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE) throw damagedEntry(record.name);
  const dataOffset = localOffset + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (dataOffset + record.compressedSize > end) throw damagedEntry(record.name);
  if (isLink && record.size > nameBytes) throw damagedEntry(record.name);
  const target: Buffer[] = [];
  const file = { name: shownName(record.name), size: record.size };
  const isVisited = visit !== undefined && !isLink && !/[/\\]$/.test(record.name);
  if (isVisited) visit(file, Buffer.alloc(0));
  const keep = (piece: Buffer) => {
    if (isLink) target.push(Buffer.from(piece));
    else if (isVisited) visit(file, piece);
  };
  await inflateEntry(window, { ...record, directory: false, dataOffset }, keep).catch((error: unknown) => {
    throw error instanceof PackageError ? damagedEntry(record.name) : error;
  });
  if (isLink) requireInside(record.name, Buffer.concat(target), nameBytes);
}
