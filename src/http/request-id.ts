import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Writes one log line when the response is sent or the connection is lost. */
export function logRequest(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (!log.isLevelEnabled('info')) return;
  const started = performance.now();
  const path = loggedPath(requestPath(request));
  response.once('close', () => {
    const line = { requestId, method: request.method, path, status: response.statusCode };
    const milliseconds = Math.round(performance.now() - started);
    log.info({ ...line, milliseconds, finished: response.writableFinished }, 'request');
  });
}
