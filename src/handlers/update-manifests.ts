/*
 * Serves the update manifests of unlisted add-ons and the files that they link to. A key in the address is the only permission, so
 * unknown keys, unknown guids and texts that are neither get one response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findOwnUpdate, readOwnManifest } from '../domain/updates/own-manifest.ts';
import { etagOfBody, isFresh, sendNotModified } from '../http/conditional.ts';
import { NO_CONTENT_POLICY, setHeaders } from '../http/headers.ts';
import { methodNotAllowed } from '../http/http-refusal.ts';
import { isRead, requestPath } from '../http/request-target.ts';
import { sendFile } from '../http/send-blob.ts';
import { sendText } from '../http/send-text.ts';

const MANIFEST = /^\/updates\/([^/]+)\/([^/]+)\/updates\.json$/;
const FILE = /^\/updates\/([^/]+)\/([^/]+)\/(\d{1,10})\/[^/]+$/;
const MAX_AGE_S = 300;

/** Serves both. Calls `next` for other addresses and unknown files. */
export async function serveUpdateManifest(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const path = requestPath(request);
  const [, guid = '', key = '', fileId] = MANIFEST.exec(path) ?? FILE.exec(path) ?? [];
  if (key === '') return next();
  if (!isRead(request)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
  setHeaders(response, { 'Content-Security-Policy': NO_CONTENT_POLICY, 'X-Robots-Tag': 'noindex' });
  const names = [decoded(guid), decoded(key)] as const;
  if (fileId === undefined) return sendManifest(request, response, await readOwnManifest(...names));
  const file = await findOwnUpdate(...names, Number(fileId));
  if (file === null) return next();
  response.setHeader('Cache-Control', `max-age=${MAX_AGE_S}`);
  const contentType = 'application/x-xpinstall';
  await sendFile(request, response, { ...file, contentType, disposition: 'inline', isPublic: false, mirrorUrl: null });
}

function sendManifest(request: IncomingMessage, response: ServerResponse, manifest: object): void {
  const body = JSON.stringify(manifest);
  const etag = etagOfBody(body);
  response.setHeader('Cache-Control', `max-age=${MAX_AGE_S}`);
  if (isFresh(request.headers, etag)) return void sendNotModified(response, etag);
  response.setHeader('ETag', etag);
  sendText(response, 200, 'application/json', body);
}

/** An invalid escape is part of no guid or key. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
