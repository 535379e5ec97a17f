import type { Buffer } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { FileWindow } from './file-window.ts';
import { brokenEntry } from './refusals.ts';
import type { ZipEntry } from './zip-archive.ts';

/** Entries up to this size are inflated in one call: twice as fast as a stream, and blocks for 10 ms at most. */
const MAX_SYNC_BYTES = 4 * 1024 * 1024;
const STREAM_CHUNK_BYTES = 128 * 1024;

/**
 * Passes the inflated content of `entry` to `take`, in pieces when it is large. Throws `PackageError` as soon as there is
 * more content than declared, and at the end when there is less, when the CRC differs, or when the deflate stream does not
 * end with the last byte of the body (a hidden second stream would be copied into the signed file).
 */
export async function inflateEntry(window: FileWindow, entry: ZipEntry, take: (piece: Buffer) => void): Promise<void> {
  const crc =
    Math.max(entry.size, entry.compressedSize) <= MAX_SYNC_BYTES
      ? takeWhole(await window.bytes(entry.dataOffset, entry.compressedSize), entry, take)
      : await takePieces(window, entry, take);
  if (crc !== entry.crc32) throw damaged(entry.name);
}

function takeWhole(body: Buffer, entry: ZipEntry, take: (piece: Buffer) => void): number {
  const content = entry.method === 0 ? body : inflateWhole(body, entry);
  if (content.length !== entry.size) throw damaged(entry.name);
  if (content.length > 0) take(content);
  return crc32(content);
}

function inflateWhole(body: Buffer, { name, size }: ZipEntry): Buffer {
  try {
    const options = { info: true, maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) };
    // With `info`, the result includes the engine, which counts the consumed bytes.
    const { buffer, engine } = inflateRawSync(body, options) as unknown as { buffer: Buffer; engine: InflateRaw };
    if (engine.bytesWritten !== body.length) throw damaged(name);
    return buffer;
  } catch (error) {
    throw asRefusal(error, name);
  }
}

/** Returns the CRC. Never passes on more than the declared bytes. */
async function takePieces(window: FileWindow, entry: ZipEntry, take: (piece: Buffer) => void): Promise<number> {
  const pieces = window.pieces(entry.dataOffset, entry.compressedSize);
  let crc = 0;
  let size = 0;
  const drain = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      size += piece.length;
      if (size > entry.size) throw damaged(entry.name);
      crc = crc32(piece, crc);
      take(piece);
    }
  };
  if (entry.method === 0) {
    await drain(pieces);
  } else {
    const inflate = createInflateRaw({ chunkSize: STREAM_CHUNK_BYTES });
    await pipeline(pieces, inflate, drain).catch((error: unknown) => {
      throw asRefusal(error, entry.name);
    });
    if (inflate.bytesWritten !== entry.compressedSize) throw damaged(entry.name);
  }
  if (size !== entry.size) throw damaged(entry.name);
  return crc;
}

const damaged = (name: string) => brokenEntry('package.zip_damaged_entry', name);

/** Errors of zlib are faults of the package; others, such as a failing disk, are not. */
function asRefusal(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE' ? damaged(name) : error;
}
