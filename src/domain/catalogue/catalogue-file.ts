/*
 * A catalogue file as lines: from a path or standard input, packed by gzip when its name ends in .gz.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LineError } from './read-value.ts';

const MEGABYTE = 1024 * 1024;

/** A line is read whole; this is some hundred times what the largest add-ons need. */
const LONGEST_LINE = 16 * MEGABYTE;

const NEWLINE = 0x0a;

/** A file that is being read. */
export interface CatalogueFile {
  lines: AsyncIterable<string | LineError>;
  /** The part that has been read, 0 to 1; null when the length is not known. */
  progress(): number | null;
}

/** Opens a catalogue file; `-` is standard input. @throws when there is no such file. */
export async function openCatalogueFile(path: string): Promise<CatalogueFile> {
  if (path === '-') return { lines: splitLines(process.stdin), progress: () => null };
  const { size } = await stat(path);
  const source = createReadStream(path, { highWaterMark: MEGABYTE });
  const bytes = path.endsWith('.gz') ? unpack(source) : source;
  return { lines: splitLines(bytes), progress: () => (size === 0 ? null : source.bytesRead / size) };
}

function unpack(source: Readable): Readable {
  const unpacked = createGunzip({ chunkSize: MEGABYTE });
  source.on('error', (error) => unpacked.destroy(error));
  return source.pipe(unpacked);
}

/** Splits bytes into lines of text. What is not UTF-8, and what is too long, is an error in the place of its line. */
async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string | LineError> {
  let held: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const take = (): string | LineError => {
    const bytes = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    const isTooLong = length > LONGEST_LINE;
    [held, length] = [[], 0];
    if (isTooLong) return new LineError('', `longer than ${LONGEST_LINE / MEGABYTE} MB`);
    if (!isUtf8(bytes)) return new LineError('', 'not UTF-8');
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
    // Of a line that is too long nothing more is kept.
    if (length <= LONGEST_LINE) held.push(rest);
  }
  if (length > 0) yield withoutMark(take());
}
