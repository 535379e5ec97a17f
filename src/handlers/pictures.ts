/*
 * Serves pictures: uploaded ones below `/media/`, placeholders below `/static/`, icons of the site. No credentials are
 * needed, and no part of a URL becomes a path on disk.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { findPicture } from '../domain/pictures/find-picture.ts';
import { isFresh, sendNotModified } from '../http/conditional.ts';
import { NO_CONTENT_POLICY, setHeaders } from '../http/headers.ts';
import { isRead } from '../http/request-target.ts';
import { streamBody } from '../http/send-blob.ts';
import { StoredFileError } from '../infra/blob-store/blob-store.ts';
import { blobs } from '../infra/blob-store/blobs.ts';

const FOLDER = join(import.meta.dirname, '../pages/img');

/** Placeholder pictures, and icons of the site that programs look for, by path. */
const OWN = new Map([
  ...['addon-icon-32', 'addon-icon-64', 'anon_user', 'no-preview'].map((name): [string, string] => [
    `/static/img/${name}.png`,
    join(FOLDER, `${name}.png`),
  ]),
  ...['favicon.ico', 'apple-touch-icon.png'].map((name): [string, string] => [`/${name}`, join(FOLDER, name)]),
]);

const DAY = 86_400;
const PNG = 'image/png';

/** Bytes to send, and their cache lifetime. */
interface Picture {
  etag: string;
  size: number;
  cacheControl: string;
  contentType: string;
  readonly open: () => Readable;
}

/** Serves all pictures. Calls `next` for a URL without a picture, and for one that is lost or damaged. */
export async function servePicture(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  if (!(OWN.has(path) || /^\/(media|static)\//.test(path)) || !isRead(request)) return next();
  try {
    const picture = OWN.has(path) ? await ownPicture(path) : await storedPicture(path, query);
    if (picture === null) return next();
    await send(request, response, picture);
  } catch (error) {
    if (!(error instanceof StoredFileError) || response.headersSent) throw error;
    next();
  }
}

async function ownPicture(path: string): Promise<Picture> {
  const bytes = await readFile(OWN.get(path) ?? '');
  return {
    etag: `"${hash('sha256', bytes)}"`,
    size: bytes.length,
    cacheControl: `public, max-age=${DAY}`,
    contentType: path.endsWith('.ico') ? 'image/x-icon' : PNG,
    open: () => Readable.from([bytes]),
  };
}

async function storedPicture(path: string, query: string): Promise<Picture | null> {
  const found = await findPicture(path, new URLSearchParams(query).get('modified'));
  if (found === null) return null;
  const { sha256, isExact, isPublic } = found;
  const size = await blobs.requireSize(sha256);
  const lifetime = isExact ? `max-age=${365 * DAY}, immutable` : 'no-cache';
  const cacheControl = `${isPublic ? 'public' : 'private'}, ${lifetime}`;
  return { etag: `"${sha256}"`, size, cacheControl, contentType: PNG, open: () => blobs.openVerified(sha256) };
}

async function send(request: IncomingMessage, response: ServerResponse, picture: Picture): Promise<void> {
  const describe = (): void =>
    setHeaders(response, {
      'Content-Security-Policy': NO_CONTENT_POLICY,
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': picture.cacheControl,
      ETag: picture.etag,
    });
  if (isFresh(request.headers, picture.etag)) {
    describe();
    return sendNotModified(response, picture.etag);
  }
  const describeBody = (): void => {
    describe();
    setHeaders(response, { 'Content-Type': picture.contentType, 'Content-Length': picture.size });
  };
  if (request.method !== 'HEAD') return void (await streamBody(response, picture.open, describeBody));
  describeBody();
  response.end();
}
