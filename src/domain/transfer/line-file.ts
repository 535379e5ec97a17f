/* Reads a file as lines of text: a path or standard input, gzip when the name ends in .gz. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { message } from '../../texts/messages.ts';
import { LineError } from './line-error.ts';

const MEGABYTE = 1024 * 1024;

/** Bytes; lines are read whole. The largest add-ons need a small part of this. */
const MAX_LINE_BYTES = 16 * MEGABYTE;

const NEWLINE = 0x0a;

interface LineFile {
  /**
   * The lines in order, without line ends and byte order mark; a line that is not text is an error in its place. Throws
   * {@link UnreadableFileError} when reading fails.
   */
  lines: AsyncIterable<string | LineError>;
  /** Fraction read, 0 to 1; null when the length is unknown. */
  progress(): number | null;
}

/** A file that is missing, not a file, or damaged; the message names it. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** Opens a file of lines; `-` is standard input. @throws {UnreadableFileError} when it does not exist. */
export async function openLineFile(path: string): Promise<LineFile> {
  if (path === '-') return { lines: splitLines(process.stdin), progress: () => null };
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFileError(error.code === 'ENOENT' ? `There is no file ${path}` : error.message);
  });
  if (found.isDirectory()) throw new UnreadableFileError(`${path} is a folder`);
  let source: ReadStream | null = null;
  // Opened on iteration, where errors are handled.
  async function* bytes(): AsyncGenerator<Uint8Array> {
    source = createReadStream(path, { highWaterMark: MEGABYTE });
    try {
      yield* path.endsWith('.gz') ? decompressed(source) : source;
    } catch (error) {
      throw new UnreadableFileError(`${path} cannot be read: ${(error as Error).message}`);
    }
  }
  return {
    lines: splitLines(bytes()),
    progress: () => (found.size === 0 ? null : (source?.bytesRead ?? 0) / found.size),
  };
}

function decompressed(source: ReadStream): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: MEGABYTE });
  source.on('error', (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
}

/** Splits bytes into lines. A line that is not UTF-8 or too long becomes an error in its place. */
async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string | LineError> {
  let held: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const take = (): string | LineError => {
    const bytes = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    const isTooLong = length > MAX_LINE_BYTES;
    [held, length] = [[], 0];
    if (isTooLong) return new LineError('', message('line.too_long', { max: MAX_LINE_BYTES / MEGABYTE }));
    if (!isUtf8(bytes)) return new LineError('', message('line.not_utf8'));
    const text = bytes.toString('utf8');
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  };
  const withoutMark = (line: string | LineError) => {
    if (!isFirst) return line;
    isFirst = false;
    return typeof line === 'string' && line.startsWith('\uFEFF') ? line.slice(1) : line;
  };
  for await (const chunk of source) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      held.push(rest.subarray(0, end));
      length += end;
      rest = rest.subarray(end + 1);
      yield withoutMark(take());
    }
    length += rest.length;
    // The rest of a line that is too long is dropped.
    if (length <= MAX_LINE_BYTES) held.push(rest);
  }
  if (length > 0) yield withoutMark(take());
}
