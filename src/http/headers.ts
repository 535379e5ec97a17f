import type { ServerResponse } from 'node:http';
import { config } from '../config.ts';

/** Alternating names and values, as `writeHead` takes them. */
export type HeaderList = readonly string[];

export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
  }
}

const SECURITY = ['X-Content-Type-Options', 'nosniff', 'X-Frame-Options', 'DENY', 'Referrer-Policy', 'same-origin'];
const HTTPS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'];

/** Headers of every response: no content sniffing, no framing, no referrer. */
export function commonHeaders(requestId: string): HeaderList {
  const transport = config.BASE_URL.startsWith('https:') ? HTTPS_ONLY : [];
  return ['X-Request-Id', requestId, ...SECURITY, ...transport];
}

/** Content-Security-Policy of non-HTML responses. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Allows scripts of other sites to use the API (contract: Cross-Origin Resource Sharing on all APIs). No cookie
 * authenticates, so any origin is allowed.
 */
export const CORS: HeaderList = [
  ...['Access-Control-Allow-Origin', '*'],
  ...[
    'Access-Control-Expose-Headers',
    'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag, Content-Range, X-Request-Id',
  ],
];

/** Headers of preflight responses. */
export const PREFLIGHT: HeaderList = [
  ...['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ...['Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, Range, X-GraphQL-Yoga-CSRF'],
  ...['Access-Control-Max-Age', '600'],
];
