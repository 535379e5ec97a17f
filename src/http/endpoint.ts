/*
 * What REST and pages have in common: a request is read, the revision of its data is looked up, the operation runs, and its result is
 * sent. Responses to anonymous clients are kept in memory as long as the database returns their revision, which costs one statement: less
 * than running the operation and writing its result. Each process keeps its own, and none is sent without such a look-up, so that several
 * processes never send outdated ones.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import { isFresh, sendNotModified } from './conditional.ts';

/** In bytes. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Estimated memory of an entry without its texts, in bytes. */
const ENTRY_BYTES = 300;

/** A body that all anonymous clients get for the same key, and its ETag. */
export interface SentBody {
  body: Buffer;
  etag: string;
}

/** A request that an endpoint has read. */
export interface EndpointRequest<Result> {
  /** Everything but the revision that the response depends on; null unless all anonymous clients get the same one. */
  key: string | null;
  /** The current revision of what the response shows, in one statement; null if only the response determines it. */
  revision(): Promise<string | null>;
  /** The ETag of the response, if it follows from the revision; else null. */
  etagOf(revision: string): string | null;
  /** Runs the operation. Its result has the revision that it was made from. */
  execute(): Promise<{ result: Result; revision: string | null }>;
  /** Sends the response. Returns its body if it may be kept, else null. */
  send(result: Result): Promise<SentBody | null>;
  /** Sends a body that `send` returned for an earlier request. */
  sendKept(kept: SentBody): void;
}

const responses = new SecondChanceCache<string, SentBody & { revision: string }>(MAX_BYTES);

/** Responds to a request: 304, a kept response, or the result of the operation. */
export async function respond<Result>(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: EndpointRequest<Result>,
): Promise<void> {
  const { key } = endpoint;
  const current = key === null ? null : await endpoint.revision();
  if (key !== null && current !== null) {
    const etag = endpoint.etagOf(current);
    if (etag !== null && isFresh(request.headers, etag)) return sendNotModified(response, etag);
    const kept = responses.get(key);
    if (kept?.revision === current) return endpoint.sendKept(kept);
  }
  const { result, revision } = await endpoint.execute();
  const sent = await endpoint.send(result);
  if (sent !== null && key !== null && revision) keep(key, revision, sent);
}

function keep(key: string, revision: string, { body, etag }: SentBody): void {
  // A slice of Node's pool would keep the whole pool in memory.
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  responses.set(key, { body: own, etag, revision }, own.length + key.length + revision.length + ENTRY_BYTES);
}
