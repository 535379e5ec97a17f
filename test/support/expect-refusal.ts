import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';

/** An expected error response: status, whole body, and the headers that only some errors have. */
export interface ExpectedRefusal {
  status: number;
  json: unknown;
  headers?: Partial<Record<(typeof OCCASIONAL)[number] | 'x-svc-read-only', string>>;
}

/** Headers of every JSON response of the API; X-SVC-Read-Only differs in read-only mode. */
const ALWAYS = {
  'content-type': 'application/json',
  'x-svc-read-only': 'false',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag, Content-Range, X-Request-Id',
} as const;

/** Headers of some errors, which others may not have. */
const OCCASIONAL = ['www-authenticate', 'retry-after', 'allow'] as const;

const CHALLENGE = { 'www-authenticate': 'bearer realm="api"' } as const;

/** Compares a response with an expected error: status, body and every documented header. */
export function expectRefusal(
  reply: { status: number; json: unknown; headers: IncomingHttpHeaders },
  { status, json, headers = {} }: ExpectedRefusal,
): void {
  const names = [...Object.keys(ALWAYS), ...OCCASIONAL];
  const present = names.filter((name) => reply.headers[name] !== undefined);
  expect({
    status: reply.status,
    json: reply.json,
    headers: Object.fromEntries(present.map((name) => [name, reply.headers[name]])),
  }).toEqual({ status, json, headers: { ...ALWAYS, ...(status === 401 ? CHALLENGE : {}), ...headers } });
}

/** Matches a message that begins with a documented text; what was found and what to do may follow. */
export const beginningWith = (text: string): unknown =>
  expect.stringMatching(new RegExp(`^${text.replace(/[^\w ]/g, '\\$&')}`));

/** An error of the signing endpoints: `error`, and for some statuses the same text under `detail`. */
export function signingRefusal(status: number, text: unknown, code?: string): ExpectedRefusal {
  const hasDetail = [401, 403, 404, 429, 503].includes(status);
  return {
    status,
    json: { error: text, ...(hasDetail ? { detail: text } : {}), ...(code === undefined ? {} : { code }) },
  };
}

/** Expects the error response for an upload that does not fit on the disk. */
export function expectNoRoom({ body, ...reply }: { status: number; headers: IncomingHttpHeaders; body: Buffer }): void {
  const refusal = signingRefusal(503, 'The service is temporarily unavailable.');
  expectRefusal({ ...reply, json: JSON.parse(body.toString()) }, refusal);
}
