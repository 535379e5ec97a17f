import type { IncomingMessage, ServerResponse } from 'node:http';
import { countDownload } from '../domain/versions/download-counts.ts';
import { withFieldNames } from '../errors.ts';
import type { SentBody } from '../execution/endpoint.ts';
import { etagOfBody, isFresh, sendNotModified, sharedCaching } from '../http/conditional.ts';
import { setCookie } from '../http/cookies.ts';
import { endResponse, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { setHeaders } from '../http/headers.ts';
import type { Sender } from '../http/request-services.ts';
import { sendFile } from '../http/send-blob.ts';
import { type ErrorKeys, type ErrorStyle, errorReply, SignInRefusal } from './errors.ts';
import { etagOfRevision } from './revision-etag.ts';
import type { RouteReply } from './route.ts';
import { bodyText } from './words.ts';

/** A request and its response, with what the request has shown so far. */
export interface RestRequest {
  request: IncomingMessage;
  response: ServerResponse;
  isAuthenticated: boolean;
  /** Whether caches in front of the service may keep the response. */
  isShared: boolean;
  sender: Sender;
  /** The language of constant texts. */
  locale: string;
  errors: ErrorStyle;
  errorKeys: ErrorKeys | null;
  parameterNames: Readonly<Record<string, string>>;
  /** Whether an error is shown as a page; false when the route or the client wants JSON. */
  showsProblem: boolean;
}

/**
 * Sends a reply. `revision` names the state that its body was built from, null if only the body does. Returns the body if all anonymous
 * clients may get the same one, else null.
 */
export async function sendReply(
  restRequest: RestRequest,
  reply: RouteReply,
  revision: string | null,
): Promise<SentBody | null> {
  const { request, response, sender, isAuthenticated } = restRequest;
  // No other client may get a response that was made for this one.
  if (isAuthenticated) response.setHeader('Cache-Control', 'private, no-store');
  const { cookies = [] } = reply;
  if (reply.kind !== 'json' || reply.status !== 200 || cookies.length > 0) endSharing(restRequest);
  for (const cookie of cookies) setCookie(response, cookie);
  if (reply.kind === 'json') return sendJsonReply(restRequest, reply, revision);
  if (reply.kind === 'file') {
    const isDelivered = await sendFile(request, response, reply.file);
    if (isDelivered && reply.counted !== null) countDownload({ ...reply.counted, address: sender.ip });
  } else if (reply.kind === 'redirect') sendRedirect(restRequest, reply.location);
  else sendEmpty(restRequest);
  return null;
}

/** Lets caches in front of the service keep the response to a request that all anonymous clients may send. */
export function startSharing(restRequest: RestRequest): void {
  const shared = sharedCaching();
  if (shared === '' || restRequest.response.hasHeader('Cache-Control')) return;
  restRequest.isShared = true;
  restRequest.response.setHeader('Cache-Control', `public, max-age=0${shared}`);
}

function endSharing(restRequest: RestRequest): void {
  if (restRequest.isShared) restRequest.response.removeHeader('Cache-Control');
  restRequest.isShared = false;
}

/** Sends a body that `sendReply` returned for an earlier request. */
export function sendCachedReply(restRequest: RestRequest, { body, etag }: SentBody): void {
  restRequest.response.setHeader('ETag', etag);
  sendJson(restRequest, 200, body);
}

function sendRedirect({ response }: RestRequest, location: string): void {
  response.statusCode = 302;
  setHeaders(response, { Location: location, 'Content-Length': 0 });
  response.end();
}

function sendEmpty({ request, response, isAuthenticated }: RestRequest): void {
  response.statusCode = 204;
  endResponse(request, response, null, isAuthenticated ? KNOWN_SENDER : UNKNOWN_SENDER);
}

/** Sends a JSON body, or 304 to an anonymous client that holds it. */
function sendJsonReply(
  restRequest: RestRequest,
  reply: RouteReply & { kind: 'json' },
  revision: string | null,
): SentBody | null {
  const { request, response, isAuthenticated, locale } = restRequest;
  const { status, maxAge, cookies = [] } = reply;
  const body = Buffer.from(bodyText(reply.body));
  if (maxAge !== undefined) {
    response.setHeader('Cache-Control', `${isAuthenticated ? 'private, ' : ''}max-age=${maxAge}`);
  }
  if (status === 200 && !isAuthenticated && response.getHeader('Cache-Control') !== 'no-store') {
    const etag = revision === null ? etagOfBody(body) : etagOfRevision(revision, locale);
    const sent = maxAge === undefined && cookies.length === 0 ? { body, etag } : null;
    if (isFresh(request.headers, etag)) sendNotModified(response, etag);
    else sendCachedReply(restRequest, { body, etag });
    return sent;
  }
  sendJson(restRequest, status, body);
  return null;
}

/** Sends an error with its documented status, headers and body. @throws {SignInRefusal} instead where a page shows it. */
export function sendError(restRequest: RestRequest, error: unknown): void {
  const { response, errors, errorKeys, parameterNames, showsProblem } = restRequest;
  endSharing(restRequest);
  for (const name of response.getHeaderNames()) {
    if (/^(content-(?!security)|etag|accept-ranges|set-cookie)/.test(name)) response.removeHeader(name);
  }
  const { status, headers, body } = errorReply(withFieldNames(error, parameterNames), errors, errorKeys);
  setHeaders(response, headers);
  if (showsProblem) throw new SignInRefusal(status, error);
  sendJson(restRequest, status, bodyText(body));
}

/** The content type is exactly `application/json`: signing clients do not read a body whose type has a parameter. */
function sendJson({ request, response, isAuthenticated }: RestRequest, status: number, payload: string | Buffer): void {
  response.statusCode = status;
  setHeaders(response, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) });
  endResponse(request, response, payload, isAuthenticated ? KNOWN_SENDER : UNKNOWN_SENDER);
}
