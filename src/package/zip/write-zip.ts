import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { nameFault, requireDistinctNames } from './entry-name.ts';
import { invalidName, longName } from './refusals.ts';
import { DEFAULT_ZIP_LIMITS, type ZipArchive, type ZipEntry } from './zip-archive.ts';

/** One entry to write: a compressed body copied from another archive, or content to compress. */
export type ZipSource =
  | { name: string; copy: { archive: ZipArchive; entry: ZipEntry } }
  | { name: string; data: Buffer };

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const VERSION = 20;
const UTF8_FLAG = 0x0800;
/** 1980-01-01, the earliest DOS date; the time is 00:00:00. */
const DOS_DATE = (1 << 5) | 1;
const MAX_ENTRIES = 0xfffe;
const MAX_BYTES = 0xfffffffe;
const WRITE_BYTES = 1024 * 1024;
/** Bytes between syncs to the disk, so that the final sync is short. */
const SYNC_BYTES = 32 * 1024 * 1024;

/** The fields common to the local header and the directory record of an entry. */
interface EntryFields extends Pick<ZipEntry, 'method' | 'crc32' | 'compressedSize' | 'size'> {
  name: Buffer;
  offset: number;
}

/**
 * Writes a new archive with `sources` in their order to `path`, which must not exist, and syncs it to the disk. It has only
 * names and bodies, so that equal sources give equal bytes. Returns size in bytes and SHA-256 in hex of the file.
 * @throws {PackageError} for a name that `openZip` would refuse, `RangeError` for content that needs zip64, or the file system's
 * error; then nothing is left at `path`, unless it existed before.
 */
export async function writeZip(path: string, sources: ZipSource[]): Promise<{ size: number; sha256: string }> {
  requireWritable(sources);
  const handle = await open(path, 'wx', 0o600);
  try {
    const output = new HashedOutput(handle, Math.min(WRITE_BYTES, mostBytes(sources)));
    const written: EntryFields[] = [];
    for (const source of sources) written.push(await writeEntry(output, source));
    await writeDirectory(output, written);
    const sha256 = await output.finish();
    await handle.close();
    return { size: output.size, sha256 };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(path);
    throw error;
  }
}

function requireWritable(sources: ZipSource[]): void {
  if (sources.length > MAX_ENTRIES) throw new RangeError(`An archive of ${sources.length} entries needs zip64.`);
  for (const { name, ...source } of sources) {
    if (Buffer.byteLength(name) > DEFAULT_ZIP_LIMITS.nameBytes) throw longName(name, DEFAULT_ZIP_LIMITS.nameBytes);
    const isDirectory = 'data' in source && name.endsWith('/');
    const fault = isDirectory
      ? 'package.name_empty_part'
      : name.isWellFormed()
        ? nameFault(name)
        : 'package.name_control';
    if (fault !== null) throw invalidName(name, fault);
  }
  requireDistinctNames(sources.map(({ name }) => name));
}

/** An upper bound of the size of the archive in bytes. */
function mostBytes(sources: readonly ZipSource[]): number {
  const sizeOf = (source: ZipSource): number =>
    'copy' in source ? source.copy.entry.compressedSize : source.data.length;
  const headers = ({ name }: ZipSource): number => 76 + 2 * Buffer.byteLength(name);
  return sources.reduce((sum, source) => sum + headers(source) + sizeOf(source), 22);
}

async function writeEntry(output: HashedOutput, source: ZipSource): Promise<EntryFields> {
  const name = Buffer.from(source.name);
  if ('copy' in source) {
    const { archive, entry } = source.copy;
    const { method, crc32, compressedSize, size } = entry;
    const fields: EntryFields = { name, method, crc32, compressedSize, size, offset: output.size };
    await output.write(localHeader(fields));
    await archive.readRawTo(entry, (piece) => output.write(piece));
    return fields;
  }
  const { method, body } = await compress(source.data);
  const fields: EntryFields = {
    name,
    method,
    crc32: crc32(source.data),
    compressedSize: body.length,
    size: source.data.length,
    offset: output.size,
  };
  await output.write(localHeader(fields));
  await output.write(body);
  return fields;
}

/** Deflates, unless that saves nothing or so much that a strict reader would refuse the ratio. */
async function compress(data: Buffer): Promise<{ method: 0 | 8; body: Buffer }> {
  const body = await deflate(data);
  const isWorthIt = body.length < data.length && data.length <= body.length * DEFAULT_ZIP_LIMITS.ratio;
  return isWorthIt ? { method: 8, body } : { method: 0, body: data };
}

/** APPNOTE 4.3.7. */
function localHeader(fields: EntryFields): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeSharedFields(header, 4, fields);
  return Buffer.concat([header, fields.name]);
}

/** APPNOTE 4.3.12 and 4.3.16. */
async function writeDirectory(output: HashedOutput, written: readonly EntryFields[]): Promise<void> {
  const offset = output.size;
  for (const fields of written) {
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(VERSION, 4);
    writeSharedFields(record, 6, fields);
    record.writeUInt32LE(fields.offset, 42);
    await output.write(Buffer.concat([record, fields.name]));
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  end.writeUInt32LE(output.size - offset, 12);
  end.writeUInt32LE(offset, 16);
  await output.write(end);
}

function writeSharedFields(target: Buffer, at: number, fields: EntryFields): void {
  target.writeUInt16LE(VERSION, at);
  target.writeUInt16LE(UTF8_FLAG, at + 2);
  target.writeUInt16LE(fields.method, at + 4);
  target.writeUInt16LE(DOS_DATE, at + 8);
  target.writeUInt32LE(fields.crc32, at + 10);
  target.writeUInt32LE(fields.compressedSize, at + 14);
  target.writeUInt32LE(fields.size, at + 18);
  target.writeUInt16LE(fields.name.length, at + 22);
}

/** Buffers writes in a reused buffer and hashes everything. */
class HashedOutput {
  size = 0;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #waiting: Buffer;
  #waitingBytes = 0;
  #unsynced = 0;
  #syncing: Promise<unknown> = Promise.resolve();

  constructor(handle: FileHandle, bufferBytes: number) {
    this.#handle = handle;
    this.#waiting = Buffer.allocUnsafeSlow(bufferBytes);
  }

  async write(bytes: Buffer): Promise<void> {
    this.size += bytes.length;
    if (this.size > MAX_BYTES) throw new RangeError('An archive of more than 4 GB needs zip64.');
    this.#hash.update(bytes);
    for (let taken = 0; taken < bytes.length; ) {
      const count = bytes.copy(this.#waiting, this.#waitingBytes, taken);
      taken += count;
      this.#waitingBytes += count;
      if (this.#waitingBytes === this.#waiting.length) await this.#flush();
    }
  }

  /** Writes the rest and syncs the file; returns the SHA-256 of everything in hex. */
  async finish(): Promise<string> {
    await this.#flush();
    const [begun] = await Promise.allSettled([this.#syncing]);
    await this.#handle.sync();
    // The system reports a failed sync once, to that call only.
    if (begun.status === 'rejected') throw begun.reason;
    return this.#hash.digest('hex');
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(this.#waiting.subarray(0, this.#waitingBytes));
    this.#unsynced += this.#waitingBytes;
    this.#waitingBytes = 0;
    if (this.#unsynced < SYNC_BYTES) return;
    this.#unsynced = 0;
    this.#syncing = this.#syncing.then(() => this.#handle.datasync());
    this.#syncing.catch(() => undefined);
  }
}
