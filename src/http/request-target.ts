import type { IncomingMessage } from 'node:http';

/** A request target without scheme and host, which clients may send (RFC 9112, section 3.2.2). */
export function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Path and query of a request, percent-encoded. Routers of Express change `url`, and keep what was sent as `originalUrl`. */
export const sentUrl = ({ url, originalUrl = url }: IncomingMessage & { originalUrl?: string }): string =>
  originalUrl ?? '/';

/** The path of a request, still percent-encoded. */
export function requestPath(request: IncomingMessage): string {
  const url = sentUrl(request);
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The parameters of the query of a request. */
export const requestQuery = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams(sentUrl(request).slice(requestPath(request).length + 1));

/** Whether a request only reads: GET or HEAD. */
export const isRead = ({ method }: { method?: string | undefined }): boolean => method === 'GET' || method === 'HEAD';
