import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The id of a request: the caller's own, when it looks like one, so that logs of several services can be joined. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Headers of every answer: nothing is guessed, framed or told to other sites. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'same-origin');
  if (config.BASE_URL.startsWith('https:')) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

/** The policy of answers that are no pages. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Lets scripts of other sites use the API (contract: Cross-Origin Resource Sharing on all APIs). No cookie counts as
 * proof of identity, so any site may ask.
 */
export function setCorsHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-GraphQL-Yoga-CSRF');
  response.setHeader('Access-Control-Max-Age', '600');
}
