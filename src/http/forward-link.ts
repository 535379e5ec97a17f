import type { IncomingMessage, ServerResponse } from 'node:http';
import { openLink } from '../auth/outgoing-links.ts';
import { NO_CONTENT_POLICY } from './headers.ts';
import { isRead } from './request-target.ts';

/** Redirects wrapped outgoing links. */
export function forwardLink(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const target = isRead(request) ? openLink(request.url ?? '/') : null;
  if (target === null) return void next();
  const policies = { 'Content-Security-Policy': NO_CONTENT_POLICY, 'Referrer-Policy': 'no-referrer' };
  response.writeHead(302, { ...policies, Location: target, 'Content-Length': 0 }).end();
}
