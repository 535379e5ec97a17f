import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { log } from '../infra/log.ts';
import { isMeasured, requestSeconds } from '../infra/metrics.ts';
import { contextOf, isTraced, startSpan, withParent } from '../infra/tracing.ts';
import { requestPath } from './request-target.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The client's X-Request-Id when it is well-formed, so that logs of several services can be joined; otherwise a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Paths that contain a secret: of one recipient of mailings, and of an update address, also when mistyped. */
const SECRETS = [/^(\/+account\/+unsubscribe\/+)[^/]+/i, /^(\/+updates?\/+[^/]+\/+)[^/]+/i];

/** A path as log lines have it. */
export function loggedPath(path: string): string {
  return SECRETS.reduce((shown, secret) => shown.replace(secret, '$1…'), path);
}

/** Probes of proxies and supervisors, one a second from each. */
const PROBES = ['/healthz', '/readyz'];

/**
 * Measures a request, and writes one log line, when the response is sent or the connection is lost: of level `warn` when the service
 * broke the response off, and of level `debug` for probes. The status is null when no headers were sent. `bytes` includes the headers; a
 * client that disconnected need not have received all of them. `operations` are the names of the GraphQL operations that ran by then.
 */
export function logRequest(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  operations: readonly string[] = [],
): void {
  if (isMeasured()) measureRequest(request, response);
  if (!log.isLevelEnabled('warn')) return;
  const { method, socket } = request;
  const [started, before] = [performance.now(), socket.bytesWritten];
  const path = loggedPath(requestPath(request));
  response.once('close', () => {
    const aborted = !response.writableFinished;
    const usual = PROBES.includes(path) ? 'debug' : 'info';
    const level = aborted && !isClosedByClient(socket) ? 'warn' : usual;
    const status = response.headersSent ? response.statusCode : null;
    const bytes = socket.bytesWritten - before;
    const milliseconds = Math.round(performance.now() - started);
    const ran = operations.length === 0 ? {} : { operations: operations.join(' ') };
    log[level]({ requestId, method, path, status, bytes, milliseconds, aborted, ...ran }, 'request');
  });
}

/** What Express adds to a request when a route takes it. */
interface RoutedRequest extends IncomingMessage {
  baseUrl?: string;
  route?: { path: unknown };
}

function measureRequest(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  response.once('close', () => {
    const { method = '' } = request;
    const status = response.headersSent ? String(response.statusCode) : 'none';
    requestSeconds.observe({ route: templateOf(request), method, status }, (performance.now() - started) / 1_000);
  });
}

/** The template of the address that the route of a request has, such as /addon/:ref/. */
function templateOf(request: RoutedRequest): string {
  const { baseUrl = '', route } = request;
  return typeof route?.path === 'string' ? `${baseUrl}${route.path}` : areaOf(requestPath(request));
}

interface Sender {
  requestId: string;
  isTrustedProxy: (address: string) => boolean;
}

/**
 * Runs the handlers of a request in a span, if the process records spans. It continues the trace that a trusted proxy began: others could
 * have every request traced.
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  handle: () => void,
): void {
  const span = isTraced() ? requestSpan(request, response, sender) : null;
  if (span === null) handle();
  else withParent(span, handle);
}

function requestSpan(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, isTrustedProxy }: Sender,
): Span | null {
  const { method = '', headers, socket } = request;
  const isTrusted = socket.remoteAddress !== undefined && isTrustedProxy(socket.remoteAddress);
  const begun = isTrusted ? headers['traceparent'] : undefined;
  const attributes = { 'http.request.method': method, 'addons.request_id': requestId };
  const parent = contextOf(typeof begun === 'string' ? begun : undefined);
  const span = startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  response.once('close', () => {
    if (span === null) return;
    const route = templateOf(request);
    span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
    if (!response.headersSent || response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  return span;
}

const AREAS = /^\/(?:graphql|api|downloads|media|static|updates?|themes)(?=\/|$)/;

/** The first part of a path without a template; `other` for one that the service does not have. */
const areaOf = (path: string): string => AREAS.exec(path)?.[0] ?? 'other';

/** Errors of a connection that the client, or the network, has closed. */
const CLOSED_BY_CLIENT = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

const isClosedByClient = ({ readableEnded, errored }: Socket): boolean =>
  readableEnded || CLOSED_BY_CLIENT.includes((errored as NodeJS.ErrnoException | null)?.code ?? '');
