/*
 * Conditional requests (RFC 9110, sections 8.8.3 and 13.1.2): responses carry an ETag, and a request that names it in
 * If-None-Match gets 304 without a body.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import fresh from 'fresh';

/** The ETag of a response body. */
export function etagOfBody(payload: string | Buffer): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}

/**
 * Whether the client holds the representation that `etag` names. `Cache-Control: no-cache` is for caches on the way: the Fetch
 * standard adds it to each request that names an ETag.
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag });
}

/** Sends 304 with `etag` and the headers that are already set on the response. */
export function sendNotModified(response: ServerResponse, etag: string): void {
  response.writeHead(304, { ETag: etag });
  response.end();
}
