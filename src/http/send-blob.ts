import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { parse as parseRange, type Range } from 'range-parser';
import { config } from '../config.ts';
import { NotFoundError } from '../errors.ts';
import { StoredFileError } from '../infra/blob-store/blob-store.ts';
import { blobs } from '../infra/blob-store/blobs.ts';
import { message } from '../texts/messages.ts';
import { isFresh, sendNotModified } from './conditional.ts';
import { setHeaders } from './headers.ts';
import { HttpRefusal } from './http-refusal.ts';

/** A stored file that a client may download. */
export interface FileReply {
  /** Name of the blob: hex digest of the whole file. */
  sha256: string;
  /** In bytes. */
  size: number;
  name: string;
  contentType: string;
  /** `inline` lets a browser install a package from a link; `attachment` makes it save the file. */
  disposition: 'inline' | 'attachment';
  /** Whether all clients may download it: the store may send it then. */
  isPublic: boolean;
  /** Address of the same bytes on a mirror; null when the service sends them. */
  mirrorUrl: string | null;
}

/** The Content-Disposition of a file that browsers save, with any name (RFC 6266). */
export const savedAs = (name: string): string => contentDisposition(name, { type: 'attachment' });

/** The code of `range-parser` for ranges outside the file. */
const UNSATISFIABLE = 2;

/**
 * Sends a stored file: the whole file, or the range that the client requests (RFC 9110, section 14). Ignores several ranges and
 * malformed ones. Redirects to the mirror when the file has one, or to the store. The connection of a damaged file breaks before its last bytes. A range
 * cannot be verified.
 * @returns whether the client got the whole file, or was redirected to it.
 * @throws {HttpRefusal} 416 for a range that starts after the end; {NotFoundError} for a file that is lost, or damaged and small;
 * {UnavailableError} during an outage of the store.
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, file: FileReply): Promise<boolean> {
  const etag = `"${file.sha256}"`;
  if (file.mirrorUrl !== null) return redirect(request, response, file, file.mirrorUrl);
  const size = await explained(response, blobs.requireSize(file.sha256, file.size));
  if (isFresh(request.headers, etag)) {
    sendNotModified(response, etag);
    return false;
  }
  const storeUrl = await findStoreUrl(request, file);
  if (storeUrl !== null) {
    response.setHeader('Cache-Control', 'no-store');
    return redirect(request, response, file, storeUrl);
  }
  const part = requestedPart(request, size, etag);
  const describe = (): void => {
    setHeaders(response, {
      'Content-Type': file.contentType,
      'Content-Disposition': contentDisposition(file.name, { type: file.disposition }),
      'X-Content-Type-Options': 'nosniff',
      'Accept-Ranges': 'bytes',
      ETag: etag,
      'Content-Length': part === null ? size : part.end - part.start + 1,
    });
    response.statusCode = part === null ? 200 : 206;
    if (part !== null) response.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  };
  if (request.method === 'HEAD') {
    describe();
    response.end();
    return false;
  }
  const isWhole = isWholeFile(part, size);
  const open = () => (part === null || isWhole ? blobs.openVerified(file.sha256) : blobs.openPart(file.sha256, part));
  const isComplete = await explained(response, streamBody(response, open, describe));
  return isWhole && isComplete;
}

/**
 * Address of a public file in the bucket, if the settings allow it. Clients may send the credentials of their request on to another host,
 * where a bucket refuses them, so requests with credentials get the file itself, as do those for which such an address is not valid.
 */
async function findStoreUrl({ method, headers }: IncomingMessage, file: FileReply): Promise<string | null> {
  if (!config.S3_REDIRECTS || !file.isPublic || method !== 'GET' || headers.authorization !== undefined) return null;
  const disposition = contentDisposition(file.name, { type: file.disposition });
  return blobs.publicUrl(file.sha256, { contentType: file.contentType, disposition });
}

/** Returns whether the client was redirected to the whole file. */
function redirect(request: IncomingMessage, response: ServerResponse, file: FileReply, target: string): boolean {
  const etag = `"${file.sha256}"`;
  const isWhole = request.method === 'GET' && !isFresh(request.headers, etag) && coversFile(request, file, etag);
  const headers = { Location: target, 'X-Target-Digest': `sha256:${file.sha256}`, 'Content-Length': 0 };
  response.writeHead(302, headers).end();
  return isWhole;
}

/** Turns a lost or damaged file into 404 (contract, Signing). The store has reported it. */
async function explained<Result>(response: ServerResponse, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoredFileError) || response.headersSent) throw error;
    response.setHeader('Cache-Control', 'no-store');
    throw new NotFoundError(message('file.unusable'));
  }
}

const isWholeFile = (part: Range | null, size: number): boolean =>
  part === null || (part.start === 0 && part.end === size - 1);

/** Whether the request is for all bytes of a file that a mirror sends. */
function coversFile(request: IncomingMessage, { size }: FileReply, etag: string): boolean {
  try {
    return isWholeFile(requestedPart(request, size, etag), size);
  } catch {
    return false;
  }
}

/** The range to send; null for the whole file. */
function requestedPart(request: IncomingMessage, size: number, etag: string): Range | null {
  const header = request.headers.range;
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || header === undefined || (condition !== undefined && condition !== etag)) return null;
  // Clients that write spaces next to the hyphen get the range, too.
  const compact = header.split('-').map((part) => part.trim());
  const { type, code, ranges } = parseRange(size, compact.join('-'));
  if (type !== 'bytes' || header.includes(',')) return null;
  if (code === UNSATISFIABLE) throw unsatisfiable(size);
  return ranges[0] ?? null;
}

const unsatisfiable = (size: number) =>
  new HttpRefusal(416, message('file.range_past_end', { size }), {
    'Content-Range': `bytes */${size}`,
  });

/**
 * Sends a stream, after `describe` has set the headers. Returns whether the client received everything; a client disconnecting is not
 * an error. Opens nothing for a client that has disconnected before.
 * @throws the error of the stream. When it fails before its first chunk, nothing is sent, so that the client gets an error response.
 */
export async function streamBody(
  response: ServerResponse,
  open: () => Readable,
  describe: () => void = () => {},
): Promise<boolean> {
  if (response.destroyed) return false;
  const source = open();
  await once(source, 'readable');
  if (response.destroyed) {
    source.destroy();
    return false;
  }
  describe();
  try {
    await pipeline(source, response);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(code)) throw error;
    return false;
  }
}
