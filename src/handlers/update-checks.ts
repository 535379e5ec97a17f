/*
 * Serves update checks of browsers. They are far more frequent than all other requests together, so they bypass the router, and
 * have a log line on demand only.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';
import { respondToCheck, type UpdateResponse } from '../domain/updates/respond.ts';
import { clientAddress } from '../http/client-address.ts';
import { isFresh, sharedCaching } from '../http/conditional.ts';
import { NO_CONTENT_POLICY, securityHeaders, setHeaders } from '../http/headers.ts';
import { methodNotAllowed } from '../http/http-refusal.ts';
import { logRequest, requestIdOf } from '../http/request-id.ts';
import { isRead } from '../http/request-target.ts';
import { sendUpdateError } from './error-handlers.ts';

const PATHS: readonly string[] = ['/update/', '/update', '/update/VersionCheck.php'];
const PREFIX = '/update';

/** Makes the handler of update checks. It returns whether it serves the request. */
export function updateHandler(isTrustedProxy: (address: string) => boolean) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '/', method } = request;
    if (!url.startsWith(PREFIX)) return false;
    const end = url.indexOf('?');
    if (!PATHS.includes(end < 0 ? url : url.slice(0, end))) return false;
    const requestId = request.headers['x-request-id'] === undefined ? randomUUID() : requestIdOf(request);
    if (config.UPDATE_LOG) logRequest(request, response, requestId);
    const fail = (error: unknown) => sendUpdateError(error, request, response, requestId);
    if (!isRead(request)) {
      fail(methodNotAllowed(method, ['GET', 'HEAD']));
      return true;
    }
    const sender = () => (method === 'GET' ? clientAddress(request, isTrustedProxy) : null);
    const found = respondToCheck(end < 0 ? '' : url.slice(end + 1), sender);
    if (found instanceof Promise) found.then((made) => send(request, response, requestId, made), fail);
    else send(request, response, requestId, found);
    return true;
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { body, etag }: UpdateResponse,
): void {
  const headers = {
    'X-Request-Id': requestId,
    ...securityHeaders(),
    'Content-Security-Policy': NO_CONTENT_POLICY,
  };
  const maxAge = config.UPDATE_MAX_AGE;
  const caching = etag === null ? {} : { ETag: etag, 'Cache-Control': `max-age=${maxAge}${sharedCaching(maxAge)}` };
  setHeaders(response, headers);
  if (etag !== null && request.headers['if-none-match'] !== undefined && isFresh(request.headers, etag)) {
    response.writeHead(304, caching);
    response.end();
    return;
  }
  response.writeHead(etag === null ? 400 : 200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...caching,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
