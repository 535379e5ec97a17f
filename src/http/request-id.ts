import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { log } from '../infra/log.ts';
import { isMeasured, requestSeconds } from '../infra/metrics.ts';
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

function measureRequest(request: RoutedRequest, response: ServerResponse): void {
  const started = performance.now();
  response.once('close', () => {
    const { method = '', baseUrl = '', route } = request;
    const template = typeof route?.path === 'string' ? `${baseUrl}${route.path}` : areaOf(requestPath(request));
    const status = response.headersSent ? String(response.statusCode) : 'none';
    requestSeconds.observe({ route: template, method, status }, (performance.now() - started) / 1_000);
  });
}

const AREAS = /^\/(?:graphql|api|downloads|media|static|updates?|themes)(?=\/|$)/;

/** The first part of a path without a template; `other` for one that the service does not have. */
const areaOf = (path: string): string => AREAS.exec(path)?.[0] ?? 'other';

/** Errors of a connection that the client, or the network, has closed. */
const CLOSED_BY_CLIENT = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

const isClosedByClient = ({ readableEnded, errored }: Socket): boolean =>
  readableEnded || CLOSED_BY_CLIENT.includes((errored as NodeJS.ErrnoException | null)?.code ?? '');
