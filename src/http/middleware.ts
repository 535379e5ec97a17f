/* What requests pass before their handler, and handlers of a few lines. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import { openLink } from '../auth/outgoing-links.ts';
import { ANONYMOUS } from '../auth/viewer.ts';
import { log } from '../infra/log.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { clientAddress } from './client-address.ts';
import { expectsContinue } from './drain.ts';
import { CORS, NO_CONTENT_POLICY, PREFLIGHT, securityHeaders, setHeaders } from './headers.ts';
import { logRequest, requestIdOf, traceRequest } from './request-id.ts';
import { countVisit, type IdentifiedResponse, senderOf } from './request-services.ts';
import { isRead } from './request-target.ts';
import { readBytes } from './small-body.ts';

/** Scripts of other sites may call these. */
export const API_PATH = /^\/(?:api|graphql|downloads)(?:\/|$)/;

/** Sets the client's address and the request id as `response.locals.sender`, and the headers of every response. */
export function identify(isTrustedProxy: (address: string) => boolean) {
  return (request: IncomingMessage, response: IdentifiedResponse, next: () => void): void => {
    const requestId = requestIdOf(request);
    const operations: string[] = [];
    response.locals.sender = { ip: clientAddress(request, isTrustedProxy), requestId, operations };
    if (/^100-continue$/i.test(request.headers.expect ?? '')) expectsContinue(request);
    logRequest(request, response, requestId, operations);
    setHeaders(response, { 'X-Request-Id': requestId, ...securityHeaders() });
    traceRequest(request, response, { requestId, isTrustedProxy }, next);
  };
}

/** Sets the headers of all API responses (CORS, read-only mode), and responds to preflight requests. */
export async function openToOtherSites(
  request: IncomingMessage,
  response: IdentifiedResponse,
  next: () => void,
): Promise<void> {
  setHeaders(response, CORS);
  response.setHeader('X-SVC-Read-Only', String(await isReadOnly()));
  if (request.method !== 'OPTIONS') return next();
  setHeaders(response, PREFLIGHT);
  response.statusCode = 204;
  response.end();
}

/** Compresses texts of at least this size, in bytes. */
const THRESHOLD = 1_000;

/** Middleware that compresses pages and their files with Brotli or gzip. The API leaves compression to the proxy. */
export const compress = () => compression({ threshold: THRESHOLD });

/** A report of violated policies, in bytes, and what is logged of it, in characters. */
const MAX_REPORT_BYTES = 16 * 1024;
const MAX_LOGGED_REPORT = 1_000;

/** Logs what a browser reports that a page must not load. */
export async function receiveCspReport(request: IncomingMessage, response: IdentifiedResponse): Promise<void> {
  const { ip, requestId } = senderOf(response);
  await countVisit('csp-report', ANONYMOUS, ip);
  const reports = (await readBytes(request, MAX_REPORT_BYTES)).toString().slice(0, MAX_LOGGED_REPORT);
  log.warn({ requestId, reports }, 'a page broke its content security policy');
  response.statusCode = 204;
  response.end();
}

/** Redirects wrapped outgoing links. */
export function forwardLink(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const target = isRead(request) ? openLink(request.url ?? '/') : null;
  if (target === null) return void next();
  const policies = { 'Content-Security-Policy': NO_CONTENT_POLICY, 'Referrer-Policy': 'no-referrer' };
  response.writeHead(302, { ...policies, Location: target, 'Content-Length': 0 }).end();
}
