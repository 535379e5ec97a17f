/*
 * Serves pictures: uploaded ones below `/media/`, placeholders below `/static/`. No credentials are
 * needed, and no part of a URL becomes a path on disk.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blobs } from '../infra/blob-store/blobs.ts';
import { NO_CONTENT_POLICY } from './headers.ts';

/** A picture to send. */
export interface AddressedPicture {
  sha256: string;
  isExact: boolean;
  isPublic: boolean;
}

/** Finds the picture of a URL; null if there is none. */
export type FindPicture = (path: string, modified: string | null) => Promise<AddressedPicture | null>;

/** Placeholder pictures by path. */
const OWN = new Map(
  ['addon-icon-32', 'addon-icon-64', 'anon_user', 'no-preview'].map((name) => [
    `/static/img/${name}.png`,
    join(import.meta.dirname, `../pages/img/${name}.png`),
  ]),
);

const DAY = 86_400;

/** Bytes to send, and their cache lifetime. */
interface Picture {
  etag: string;
  size: number;
  cacheControl: string;
  open(): Readable | Uint8Array;
}

/** Makes the handler of all pictures. It calls `next` for a URL without a picture. */
export function pictureHandler(find: FindPicture) {
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (!/^\/(media|static)\//.test(path) || !['GET', 'HEAD'].includes(request.method ?? '')) return next();
    const picture = OWN.has(path) ? await ownPicture(path) : await storedPicture(find, path, query);
    if (picture === null) return next();
    await send(request, response, picture);
  };
}

async function ownPicture(path: string): Promise<Picture> {
  const bytes = await readFile(OWN.get(path) ?? '');
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  return { etag, size: bytes.length, cacheControl: `public, max-age=${DAY}`, open: () => bytes };
}

async function storedPicture(find: FindPicture, path: string, query: string): Promise<Picture | null> {
  const found = await find(path, new URLSearchParams(query).get('modified'));
  const size = found && (await blobs.size(found.sha256));
  if (found === null || size === null) return null;
  const { sha256, isExact, isPublic } = found;
  const lifetime = isExact ? `max-age=${365 * DAY}, immutable` : 'no-cache';
  const cacheControl = `${isPublic ? 'public' : 'private'}, ${lifetime}`;
  return { etag: `"${sha256}"`, size, cacheControl, open: () => blobs.open(sha256) };
}

async function send(request: IncomingMessage, response: ServerResponse, picture: Picture): Promise<void> {
  response.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cache-Control', picture.cacheControl);
  response.setHeader('ETag', picture.etag);
  if (isKnown(request, picture.etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', 'image/png');
  response.setHeader('Content-Length', picture.size);
  if (request.method === 'HEAD') return void response.end();
  const bytes = picture.open();
  if (bytes instanceof Uint8Array) return void response.end(bytes);
  await pipeline(bytes, response).catch(ignoreDeparture);
}

function isKnown(request: IncomingMessage, etag: string): boolean {
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** A client disconnecting is not an error. */
function ignoreDeparture(error: NodeJS.ErrnoException): void {
  if (!['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error;
}
