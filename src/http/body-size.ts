import type { IncomingMessage } from 'node:http';

/** The size of a request body in bytes: its Content-Length, or `limit` when the client does not send one. */
export function bodySize({ headers }: IncomingMessage, limit: number): number {
  const length = headers['content-length'];
  return length === undefined ? limit : Number(length);
}
