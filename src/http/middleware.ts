/* What requests pass before their handler. */
import type { IncomingMessage } from 'node:http';
import { isReadOnly } from '../infra/read-only.ts';
import { clientAddress } from './client-address.ts';
import { expectsContinue } from './drain.ts';
import { CORS, PREFLIGHT, securityHeaders, setHeaders } from './headers.ts';
import { logRequest, requestIdOf } from './request-id.ts';
import type { IdentifiedResponse } from './request-services.ts';

/** Scripts of other sites may call these. */
export const API_PATH = /^\/(?:api|graphql|downloads)(?:\/|$)/;

/** Sets the client's address and the request id as `response.locals.sender`, and the headers of every response. */
export function identify(isTrustedProxy: (address: string) => boolean) {
  return (request: IncomingMessage, response: IdentifiedResponse, next: () => void): void => {
    const requestId = requestIdOf(request);
    response.locals.sender = { ip: clientAddress(request, isTrustedProxy), requestId };
    if (/^100-continue$/i.test(request.headers.expect ?? '')) expectsContinue(request);
    logRequest(request, response, requestId);
    setHeaders(response, { 'X-Request-Id': requestId, ...securityHeaders() });
    next();
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
