import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_CONTENT_POLICY } from './headers.ts';
import { isRead } from './request-target.ts';

/** Makes the handler that redirects wrapped outgoing links. `open` returns the target of a request target, or null. */
export function linkForwarder(open: (target: string) => string | null) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const target = isRead(request) ? open(request.url ?? '/') : null;
    if (target === null) return void next();
    const policies = { 'Content-Security-Policy': NO_CONTENT_POLICY, 'Referrer-Policy': 'no-referrer' };
    response.writeHead(302, { ...policies, Location: target, 'Content-Length': 0 }).end();
  };
}
