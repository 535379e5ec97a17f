import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_CONTENT_POLICY } from './headers.ts';

/** Makes the handler that redirects wrapped outgoing links. `open` returns the target of a request target, or null. */
export function linkForwarder(open: (target: string) => string | null) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const target = ['GET', 'HEAD'].includes(request.method ?? '') ? open(request.url ?? '/') : null;
    if (target === null) return void next();
    response.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Location', target);
    response.setHeader('Content-Length', 0);
    response.statusCode = 302;
    response.end();
  };
}
