import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { log } from '../infra/log.ts';
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

/**
 * Writes one log line when the response is sent or the connection is lost: of level `warn` when the service broke the response off. The
 * status is null when no headers were sent. `bytes` includes the headers; a client that disconnected need not have received all of them.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (!log.isLevelEnabled('warn')) return;
  const { method, socket } = request;
  const [started, before] = [performance.now(), socket.bytesWritten];
  const path = loggedPath(requestPath(request));
  response.once('close', () => {
    const aborted = !response.writableFinished;
    const level = aborted && !isClosedByClient(socket) ? 'warn' : 'info';
    const status = response.headersSent ? response.statusCode : null;
    const bytes = socket.bytesWritten - before;
    const milliseconds = Math.round(performance.now() - started);
    log[level]({ requestId, method, path, status, bytes, milliseconds, aborted }, 'request');
  });
}

/** Errors of a connection that the client, or the network, has closed. */
const CLOSED_BY_CLIENT = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

const isClosedByClient = ({ readableEnded, errored }: Socket): boolean =>
  readableEnded || CLOSED_BY_CLIENT.includes((errored as NodeJS.ErrnoException | null)?.code ?? '');
