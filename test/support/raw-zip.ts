import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';

/** Values of one of the two headers of an entry that differ from the correct ones. */
export interface HeaderClaims {
  signature?: number;
  name?: string | Buffer;
  flags?: number;
  method?: number;
  crc32?: number;
  compressedSize?: number;
  size?: number;
  extra?: Buffer;
  /** Length fields that differ from the following data. */
  nameLength?: number;
  extraLength?: number;
}

/** An entry of `rawZip`. `local` and `central` override the values of their header. */
export interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** Deflates the content, which is stored by default. */
  deflated?: boolean;
  /** The body in the archive, if it is not made from `content`. */
  body?: Buffer;
  both?: HeaderClaims;
  local?: HeaderClaims;
  central?: HeaderClaims & {
    madeBy?: number;
    attributes?: number;
    comment?: string;
    commentLength?: number;
    disk?: number;
    offset?: number;
  };
  /** Bytes between the body and the next entry, for instance a data descriptor. */
  after?: Buffer;
  /** Writes only one of the two headers. */
  only?: 'local' | 'central';
}

/** The end record, and data around the archive. */
export interface RawEnd {
  prefix?: Buffer;
  /** Adds the length of the prefix to all offsets, as self-extracting archives do. */
  countPrefix?: boolean;
  beforeDirectory?: Buffer;
  afterDirectory?: Buffer;
  trailing?: Buffer;
  comment?: string | Buffer;
  commentLength?: number;
  disk?: number;
  directoryDisk?: number;
  countHere?: number;
  count?: number;
  directorySize?: number;
  directoryOffset?: number;
  /** Lists the entries in reverse order. */
  reversedDirectory?: boolean;
  /** Adds the end record of zip64 and its locator. */
  zip64?: boolean;
}

/** Writes a ZIP archive without any checks, with the given flaws. */
export function rawZip(entries: readonly RawEntry[], end: RawEnd = {}): Buffer {
  const prefix = end.prefix ?? Buffer.alloc(0);
  const base = end.countPrefix ? prefix.length : 0;
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = base;
  for (const entry of entries) {
    const body = entry.body ?? (entry.deflated ? deflateRawSync(contentOf(entry)) : contentOf(entry));
    if (entry.only !== 'local') records.push(centralRecord(entry, body, offset));
    if (entry.only === 'central') continue;
    const written = Buffer.concat([localHeader(entry, body), body, entry.after ?? Buffer.alloc(0)]);
    parts.push(written);
    offset += written.length;
  }
  const before = end.beforeDirectory ?? Buffer.alloc(0);
  const listed = end.reversedDirectory ? records.toReversed() : records;
  const directory = Buffer.concat([...listed, end.afterDirectory ?? Buffer.alloc(0)]);
  const place = [records.length, directory.length, offset + before.length] as const;
  const tail = Buffer.concat([end.zip64 ? zip64End(...place) : Buffer.alloc(0), endRecord(end, ...place)]);
  return Buffer.concat([prefix, ...parts, before, directory, tail, end.trailing ?? Buffer.alloc(0)]);
}

/** A data descriptor (APPNOTE 4.3.9) for `content`, with or without its signature. */
export function descriptor(content: string, { deflated = false, signed = true, crc = crc32(content) } = {}): Buffer {
  const size = Buffer.byteLength(content);
  const compressed = deflated ? deflateRawSync(Buffer.from(content)).length : size;
  const fields = Buffer.alloc(signed ? 16 : 12);
  if (signed) fields.writeUInt32LE(0x08074b50, 0);
  const at = fields.length - 12;
  fields.writeUInt32LE(crc, at);
  fields.writeUInt32LE(compressed, at + 4);
  fields.writeUInt32LE(size, at + 8);
  return fields;
}

/** The same with sizes of eight bytes and a signature. */
export function longDescriptor(content: string): Buffer {
  const size = Buffer.byteLength(content);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x08074b50, 0);
  head.writeUInt32LE(crc32(content), 4);
  return Buffer.concat([head, numbers(size, size)]);
}

/** The extra field of zip64 with these values. */
export function zip64(...values: number[]): Buffer {
  return extraField(0x0001, numbers(...values));
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * index);
  return bytes;
}

/** The header of a CRX file, with parts of the given lengths. */
export function crxHeader(version: number, lengths: number[]): Buffer {
  const head = Buffer.alloc(8 + 4 * lengths.length);
  head.write('Cr24', 'latin1');
  for (const [index, value] of [version, ...lengths].entries()) head.writeUInt32LE(value, 4 + 4 * index);
  return Buffer.concat([head, ...lengths.map((length) => Buffer.alloc(length, 7))]);
}

/** One extra field (APPNOTE 4.5) with `bytes` of content. */
export function extraField(id: number, bytes: Buffer = Buffer.alloc(0), length: number = bytes.length): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(length, 2);
  return Buffer.concat([head, bytes]);
}

function contentOf(entry: RawEntry): Buffer {
  return Buffer.from(entry.content ?? '');
}

function localHeader(entry: RawEntry, body: Buffer): Buffer {
  const header = Buffer.alloc(30);
  const claims: HeaderClaims = { ...entry.both, ...entry.local };
  header.writeUInt32LE(claims.signature ?? 0x04034b50, 0);
  const tail = writeClaims(header, 4, entry, claims, body);
  return Buffer.concat([header, tail]);
}

function centralRecord(entry: RawEntry, body: Buffer, offset: number): Buffer {
  const record = Buffer.alloc(46);
  const claims = { ...entry.both, ...entry.central };
  record.writeUInt32LE(claims.signature ?? 0x02014b50, 0);
  record.writeUInt16LE(claims.madeBy ?? 0x0314, 4);
  const tail = writeClaims(record, 6, entry, claims, body);
  record.writeUInt16LE(claims.commentLength ?? Buffer.byteLength(claims.comment ?? ''), 32);
  record.writeUInt16LE(claims.disk ?? 0, 34);
  record.writeUInt32LE(claims.attributes ?? 0, 38);
  record.writeUInt32LE(claims.offset ?? offset, 42);
  return Buffer.concat([record, tail, Buffer.from(claims.comment ?? '')]);
}

/** Writes the fields that both headers share; returns name and extra field. */
function writeClaims(header: Buffer, at: number, entry: RawEntry, claims: HeaderClaims, body: Buffer): Buffer {
  const content = contentOf(entry);
  const name = Buffer.from(claims.name ?? entry.name);
  const extra = claims.extra ?? Buffer.alloc(0);
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(claims.flags ?? 0x0800, at + 2);
  header.writeUInt16LE(claims.method ?? (entry.deflated ? 8 : 0), at + 4);
  header.writeUInt16LE(0x21, at + 8);
  header.writeUInt32LE(claims.crc32 ?? crc32(content), at + 10);
  header.writeUInt32LE(claims.compressedSize ?? body.length, at + 14);
  header.writeUInt32LE(claims.size ?? content.length, at + 18);
  header.writeUInt16LE(claims.nameLength ?? name.length, at + 22);
  header.writeUInt16LE(claims.extraLength ?? extra.length, at + 24);
  return Buffer.concat([name, extra]);
}

function endRecord(end: RawEnd, count: number, directorySize: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(end.disk ?? 0, 4);
  record.writeUInt16LE(end.directoryDisk ?? 0, 6);
  record.writeUInt16LE(end.countHere ?? end.count ?? count & 0xffff, 8);
  record.writeUInt16LE(end.count ?? count & 0xffff, 10);
  record.writeUInt32LE(end.directorySize ?? directorySize, 12);
  record.writeUInt32LE(end.directoryOffset ?? directoryOffset, 16);
  record.writeUInt16LE(end.commentLength ?? Buffer.byteLength(end.comment ?? ''), 20);
  return Buffer.concat([record, Buffer.from(end.comment ?? '')]);
}

/** The end record of zip64 (APPNOTE 4.3.14) and its locator. */
function zip64End(count: number, directorySize: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(24);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  const locator = Buffer.alloc(8);
  locator.writeUInt32LE(0x07064b50, 0);
  return Buffer.concat([
    record,
    numbers(count, count, directorySize, directoryOffset),
    locator,
    numbers(directoryOffset + directorySize),
    Buffer.from([1, 0, 0, 0]),
  ]);
}
