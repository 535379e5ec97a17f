import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { isRead } from '../http/request-target.ts';

/** Any value of this header proves that the request is not a form or link of another site: those cannot set headers. */
export const CSRF_HEADER = 'x-graphql-yoga-csrf';

/** Content types that need a CORS preflight from a page of another site (Fetch standard). */
const PREFLIGHTED = new Set([
  'application/json',
  'application/graphql',
  'application/graphql+json',
  'application/graphql-response+json',
]);

/**
 * Refuses requests that a browser sends for another site without a preflight: a POST as text/plain, as a form, with files, or
 * without a type, unless it has the header. It runs before the body is read, because reading an upload replaces its body by JSON.
 * @throws {GraphQLError} with HTTP status 403.
 */
export function refuseForgery(request: IncomingMessage): void {
  if (isRead(request)) return;
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (PREFLIGHTED.has(type) || request.headers[CSRF_HEADER] !== undefined) return;
  throw new GraphQLError(`Requests of this content type need the header ${CSRF_HEADER}.`, {
    extensions: { code: 'CSRF_HEADER_REQUIRED', http: { status: 403 } },
  });
}
