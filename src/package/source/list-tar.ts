import { Buffer } from 'node:buffer';
import { message } from '../../texts/messages.ts';
import type { ZipLimits } from '../zip/zip-archive.ts';
import { entryPath, requireInside, type SourceFile, type SourceVisitor } from './entry-path.ts';
import {
  damagedSource,
  oversizedEntry,
  oversizedSource,
  refusedSource,
  shownName,
  truncatedSource,
} from './refusals.ts';

/** Reads a stream of chunks by length. Throws `PackageError` when it has more than `maxBytes`. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #received = 0;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** The next `length` bytes, or null at the end. @throws {PackageError} when the stream ends between. */
  async read(length: number): Promise<Buffer | null> {
    if (this.#chunk.length >= length) return this.#take(length);
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) {
        if (missing === length) return null;
        throw truncatedSource();
      }
      const part = this.#take(Math.min(missing, this.#chunk.length));
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Passes over `length` bytes. @throws {PackageError} when the stream ends before. */
  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) throw truncatedSource();
      missing -= this.#take(Math.min(missing, this.#chunk.length)).length;
    }
  }

  /** Reads to the end of the stream, where its checksums are. */
  async drain(): Promise<void> {
    while (await this.#next());
  }

  #take(length: number): Buffer {
    const taken = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return taken;
  }

  /** Gets the next chunk. Returns false at the end. */
  async #next(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#received += value.length;
    if (this.#received > this.#maxBytes) throw oversizedSource(this.#maxBytes);
    this.#chunk = value;
    return true;
  }
}

const RECORD_BYTES = 512;
/** Size of the extended header of an entry, in bytes: names and times take some hundreds. */
const MAX_EXTENSION_BYTES = 64 * 1024;

const FILES = ['0', '\0', '7'];
const [HARD_LINK, SYMBOLIC_LINK, FOLDER] = ['1', '2', '5'];
/** A label of the archive, which is no file. */
const LABEL = 'V';

/** What extended headers say about the next entry. */
interface Extension {
  path?: Buffer;
  linkPath?: Buffer;
  size?: number;
}

/**
 * Lists an uncompressed tar archive (POSIX.1-2001 pax and ustar, GNU names) without keeping it. Returns the number of its entries.
 * Checks names, targets of links, sizes and number against `limits`; `maxBytes` limits the whole archive, in bytes.
 * @throws {PackageError} for all else, device files and sparse files included.
 */
export async function listTar(
  chunks: AsyncIterable<Buffer>,
  { maxBytes, limits, visit }: { maxBytes: number; limits: ZipLimits; visit?: SourceVisitor },
): Promise<number> {
  const reader = new ByteReader(chunks, maxBytes);
  let entries = 0;
  let isFirst = true;
  let extension: Extension = {};
  for (;;) {
    const header = await reader.read(RECORD_BYTES);
    if (header === null || header.every((byte) => byte === 0)) break;
    if (!hasChecksum(header)) throw isFirst ? refusedSource(message('source.no_tar')) : damagedSource();
    isFirst = false;
    const type = String.fromCharCode(header[156] as number);
    const size = numberAt(header, 124, 12);
    if ('xgLK'.includes(type)) {
      const content = await readExtension(reader, size);
      // Global headers have the comment of the packer.
      if (type !== 'g') extension = { ...extension, ...extensionOf(type, content) };
      continue;
    }
    if (type !== LABEL && ++entries > limits.entries) {
      throw refusedSource(message('source.too_many', { max: limits.entries }));
    }
    const entry = { ...extension, size: extension.size ?? size };
    if (type !== LABEL) checkEntry(header, entry, limits);
    if (visit !== undefined && FILES.includes(type)) {
      await visitFile(
        reader,
        { name: shownName((entry.path ?? nameIn(header)).toString('latin1')), size: entry.size },
        visit,
      );
    } else {
      await reader.skip(padded(entry.size));
    }
    extension = {};
  }
  await reader.drain();
  return entries;
}

const PIECE_BYTES = 64 * 1024;

async function visitFile(reader: ByteReader, file: SourceFile, visit: SourceVisitor): Promise<void> {
  visit(file, Buffer.alloc(0));
  for (let left = file.size; left > 0; ) {
    const piece = await reader.read(Math.min(left, PIECE_BYTES));
    if (piece === null) throw truncatedSource();
    visit(file, piece);
    left -= piece.length;
  }
  await reader.skip(padded(file.size) - file.size);
}

function checkEntry(header: Buffer, { path, linkPath, size = 0 }: Extension, limits: ZipLimits): void {
  const type = String.fromCharCode(header[156] as number);
  const name = entryPath(path ?? nameIn(header), limits.nameBytes);
  if (FILES.includes(type)) {
    if (size > limits.entryBytes) throw oversizedEntry(name, limits);
    return;
  }
  const target = linkPath ?? textAt(header, 157, 100);
  if (type === HARD_LINK) entryPath(target, limits.nameBytes);
  else if (type === SYMBOLIC_LINK) requireInside(name, target, limits.nameBytes);
  else if (type !== FOLDER) throw refusedSource(message('source.special_file', { name: shownName(name) }));
  // Programs disagree on whether content follows.
  if (size !== 0) throw refusedSource(message('source.unexpected_content', { name: shownName(name) }));
}

/** The checksum of a header counts its own field as spaces; old programs added signed bytes. */
function hasChecksum(header: Buffer): boolean {
  let unsigned = 0;
  let signed = 0;
  for (const [at, byte] of header.entries()) {
    const counted = at >= 148 && at < 156 ? 0x20 : byte;
    unsigned += counted;
    signed += counted > 127 ? counted - 256 : counted;
  }
  const expected = numberIn(header.subarray(148, 156));
  return expected === unsigned || expected === signed;
}

function numberAt(header: Buffer, at: number, length: number): number {
  const number = numberIn(header.subarray(at, at + length));
  if (number === null) throw damagedSource();
  return number;
}

/** A number in octal digits, or in binary if the first bit is set; null for another field. */
function numberIn(field: Buffer): number | null {
  const { length } = field;
  if (field[0] === 0x80) {
    // Six bytes hold more than any limit.
    if (field.subarray(1, length - 6).some((byte) => byte !== 0)) return null;
    return field.readUIntBE(length - 6, 6);
  }
  const digits = field
    .toString('latin1')
    .replace(/^ +/, '')
    .replace(/[ \0].*$/s, '');
  if (!/^[0-7]*$/.test(digits)) return null;
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** The bytes of a field up to the first NUL. */
function textAt(header: Buffer, at: number, length: number): Buffer {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

function nameIn(header: Buffer): Buffer {
  const name = textAt(header, 0, 100);
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textAt(header, 345, 155) : Buffer.alloc(0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
}

const padded = (size: number): number => Math.ceil(size / RECORD_BYTES) * RECORD_BYTES;

async function readExtension(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_EXTENSION_BYTES) {
    throw refusedSource(message('source.extended_header', { max: MAX_EXTENSION_BYTES }));
  }
  const content = await reader.read(padded(size));
  if (content === null) throw truncatedSource();
  return content.subarray(0, size);
}

function extensionOf(type: string, content: Buffer): Extension {
  if (type === 'L') return { path: textAt(content, 0, content.length) };
  if (type === 'K') return { linkPath: textAt(content, 0, content.length) };
  return paxRecords(content);
}

/** Records of the form `length key=value\n`, the length in decimal and of the whole record. */
function paxRecords(content: Buffer): Extension {
  const extension: Extension = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(/^[1-9]\d{0,5}$/.exec(content.toString('latin1', at, Math.max(at, space)))?.[0] ?? 0);
    const record = content.subarray(space + 1, at + length);
    const equals = record.indexOf(0x3d);
    if (at + length > content.length || equals < 1 || record.at(-1) !== 0x0a) throw damagedSource();
    const key = record.toString('latin1', 0, equals);
    const value = record.subarray(equals + 1, -1);
    if (key.startsWith('GNU.sparse.')) throw refusedSource(message('source.sparse_file'));
    if (key === 'path') extension.path = value;
    else if (key === 'linkpath') extension.linkPath = value;
    else if (key === 'size') extension.size = decimal(value);
    at += length;
  }
  return extension;
}

function decimal(value: Buffer): number {
  const text = value.toString('latin1');
  if (!/^\d{1,12}$/.test(text)) throw damagedSource();
  return Number(text);
}
