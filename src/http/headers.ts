import type { ServerResponse } from 'node:http';
import { config } from '../config.ts';

type HeaderValues = Readonly<Record<string, string | number>>;

/** Sets headers of a response whose head is not sent. */
export function setHeaders(response: ServerResponse, headers: HeaderValues): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

/** Headers of every response: no content sniffing, no framing, no referrer. */
const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
};
const SECURITY_OVER_HTTPS = { ...SECURITY, 'Strict-Transport-Security': 'max-age=31536000' };

/** The headers of every response at the present address. */
export const securityHeaders = (): HeaderValues =>
  config.BASE_URL.startsWith('https:') ? SECURITY_OVER_HTTPS : SECURITY;

/** Content-Security-Policy of non-HTML responses. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Allows scripts of other sites to use the API. No cookie
 * authenticates, so any origin is allowed.
 */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag, Content-Range, X-Request-Id',
};

/** Headers of preflight responses. */
export const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Range, X-GraphQL-Yoga-CSRF',
  'Access-Control-Max-Age': '600',
};
