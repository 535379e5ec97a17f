import type { IncomingMessage } from 'node:http';

/** A request target without scheme and host, which clients may send (RFC 9112, section 3.2.2). */
export function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a request, still percent-encoded. */
export function requestPath({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Whether a request only reads: GET or HEAD. */
export const isRead = ({ method }: { method?: string | undefined }): boolean => method === 'GET' || method === 'HEAD';
