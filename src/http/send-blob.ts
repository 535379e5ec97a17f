import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UnavailableError } from '../errors.ts';
import { blobs } from '../infra/blob-store/blobs.ts';
import { isFresh, sendNotModified } from './conditional.ts';
import { HttpRefusal } from './http-refusal.ts';

/** A stored file as it is offered for download. */
export interface FileReply {
  /** Hex, of the whole file: its name in the store. */
  sha256: string;
  /** In bytes. */
  size: number;
  name: string;
  contentType: string;
}

/** A part of a file, both ends inclusive, in bytes. */
interface Part {
  start: number;
  end: number;
}

/**
 * Sends a stored file for saving, whole or the single range that was asked for (RFC 9110, section 14). Several ranges
 * and a range that cannot be read are answered with the whole file; who has the file learns that.
 * @throws {HttpRefusal} 416 for a range that starts behind the end.
 * @throws {UnavailableError} when the file is not in the store.
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, file: FileReply): Promise<void> {
  const size = await blobs.size(file.sha256);
  if (size === null) throw new UnavailableError();
  const etag = `"${file.sha256}"`;
  if (isFresh(request.headers, etag)) return sendNotModified(response, etag);
  const part = requestedPart(request, size, etag);
  setFileHeaders(response, file, etag);
  response.statusCode = part === null ? 200 : 206;
  response.setHeader('Content-Length', part === null ? size : part.end - part.start + 1);
  if (part !== null) response.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const pieces = part === null ? [blobs.open(file.sha256), checkWhole(file.sha256)] : [blobs.open(file.sha256, part)];
  await pipeline([...pieces, response]).catch(ignoreDeparture);
}

function setFileHeaders(response: ServerResponse, file: FileReply, etag: string): void {
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', attachment(file.name));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', etag);
}

/** The range to send, or null for the whole file. */
function requestedPart(request: IncomingMessage, size: number, etag: string): Part | null {
  const header = request.headers.range;
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || header === undefined || (condition !== undefined && condition !== etag)) return null;
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header);
  if (match === null) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '') return last === '' ? null : lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) throw unsatisfiable(size);
  return { start, end };
}

function lastBytes(count: number, size: number): Part {
  if (count === 0) throw unsatisfiable(size);
  return { start: Math.max(0, size - count), end: size - 1 };
}

const unsatisfiable = (size: number) =>
  new HttpRefusal(416, 'The requested range starts behind the end of the file.', {
    'Content-Range': `bytes */${size}`,
  });

/** The name for saving, as plain ASCII and in full (RFC 6266). */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${full}`}`;
}

/**
 * Passes a whole file on and hashes it. The last piece is held back until the hash is right, so a file that has decayed
 * on the disk is never received as complete.
 */
function checkWhole(sha256: string): Transform {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      if (held !== null) this.push(held);
      held = chunk;
      done();
    },
    flush(done) {
      if (hash.digest('hex') === sha256) done(null, held);
      else done(new Error(`the stored file ${sha256} has other bytes than its name says`));
    },
  });
}

/** A reader who leaves before the end is none of our errors. */
function ignoreDeparture(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
}
