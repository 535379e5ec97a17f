/*
 * Conditional requests (RFC 9110, sections 8.8.3 and 13.1.2): responses carry an ETag, and a request that names it in
 * If-None-Match gets 304 without a body.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { config } from '../config.ts';

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

/** The part of Cache-Control for caches in front of the service, for responses that all anonymous clients get; empty without such caches. */
export function sharedCaching(longest = Number.POSITIVE_INFINITY): string {
  const age = Math.min(config.SHARED_MAX_AGE, longest);
  return age === 0 ? '' : `, s-maxage=${age}, stale-while-revalidate=${age}`;
}

/** Sends 304 with `etag` and the headers that are already set on the response. */
export function sendNotModified(response: ServerResponse, etag: string): void {
  response.writeHead(304, { ETag: etag });
  response.end();
}
