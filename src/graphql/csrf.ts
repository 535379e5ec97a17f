import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';

/** Any value of this header proves that the sender is no form or link of another site: those cannot set headers. */
export const CSRF_HEADER = 'x-graphql-yoga-csrf';

/** Content types that a page of another site cannot send without asking first (Fetch standard, CORS preflight). */
const PREFLIGHTED = new Set([
  'application/json',
  'application/graphql',
  'application/graphql+json',
  'application/graphql-response+json',
]);

/**
 * Refuses what a browser would send for another site without asking: a POST as text/plain, as a form, with files, or
 * without a type, unless it carries the header. Asked before the body is read, because whatever reads an upload turns it
 * into something that looks like JSON afterwards.
 * @throws {GraphQLError} with HTTP status 403.
 */
export function refuseForgery(request: IncomingMessage): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (PREFLIGHTED.has(type) || request.headers[CSRF_HEADER] !== undefined) return;
  throw new GraphQLError(`Requests of this content type need the header ${CSRF_HEADER}.`, {
    extensions: { code: 'CSRF_HEADER_REQUIRED', http: { status: 403 } },
  });
}
