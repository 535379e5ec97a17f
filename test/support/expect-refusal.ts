import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';

/** What a refusal must be: its status, its whole body, and the headers that not every refusal has. */
export interface ExpectedRefusal {
  status: number;
  json: unknown;
  headers?: Partial<Record<(typeof OCCASIONAL)[number] | 'x-svc-read-only', string>>;
}

/** Headers of every JSON answer of the API; the second is different in read-only mode. */
const ALWAYS = {
  'content-type': 'application/json',
  'x-svc-read-only': 'false',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag, Content-Range, X-Request-Id',
} as const;

/** Headers of some refusals, which the others must not have. */
const OCCASIONAL = ['www-authenticate', 'retry-after', 'allow'] as const;

const CHALLENGE = { 'www-authenticate': 'bearer realm="api"' } as const;

/** Fails unless an answer is this refusal and nothing else: status, body and every documented header. */
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

/** The body of a refusal of the signing endpoints: `error`, and with some statuses the same text under `detail`. */
export function signingRefusal(status: number, text: unknown, code?: string): ExpectedRefusal {
  const hasDetail = [401, 403, 404, 429, 503].includes(status);
  return {
    status,
    json: { error: text, ...(hasDetail ? { detail: text } : {}), ...(code === undefined ? {} : { code }) },
  };
}

/** Fails unless an answer, its body as it was sent, is the refusal of an upload that there is no room for. */
export function expectNoRoom({ body, ...reply }: { status: number; headers: IncomingHttpHeaders; body: Buffer }): void {
  const refusal = signingRefusal(503, 'The service is temporarily unavailable.');
  expectRefusal({ ...reply, json: JSON.parse(body.toString()) }, refusal);
}
