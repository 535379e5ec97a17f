/* Requests through a cache and next to it, over connections that stay open. */
import { hash } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const LONGEST_MS = 120_000;

export interface CachedResponse {
  status: number;
  /** What the cache says: HIT, STALE, MISS, BYPASS, or nothing. */
  cache: string;
  control: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface CacheRequest {
  method?: string;
  /** Sent as it is, also if no URL may contain it. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request, once more if its connection was closed before it arrived. @throws without a complete response. */
export async function send(port: number, sent: CacheRequest): Promise<CachedResponse> {
  const outgoing = open(port, sent);
  return responseTo(outgoing, sent).catch((error: NodeJS.ErrnoException) => {
    if (!outgoing.reusedSocket || error.code !== 'ECONNRESET') throw error;
    return send(port, sent);
  });
}

function open(port: number, { method = 'GET', path, headers = {}, body }: CacheRequest): ClientRequest {
  const type =
    body === undefined ? {} : { 'content-type': contentType(path), 'content-length': Buffer.byteLength(body) };
  const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers: { ...type, ...headers } });
  return outgoing.setTimeout(LONGEST_MS, () => outgoing.destroy(new Error(`${method} ${path} got no response`)));
}

function responseTo(outgoing: ClientRequest, { method = 'GET', path, body }: CacheRequest): Promise<CachedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<CachedResponse>();
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    const { statusCode: status = 0, headers: received } = response;
    const settle = (bytes: Buffer) => {
      if (!response.complete) throw new Error(`${method} ${path}: the response is incomplete`);
      const content = received['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const [cache, control] = [received['x-cache'] ?? '', received['cache-control'] ?? ''].map(String);
      return {
        status,
        cache: cache ?? '',
        control: control ?? '',
        headers: received,
        body: content.toString('latin1'),
      };
    };
    buffer(response).then(settle).then(resolve, reject);
  });
  outgoing.end(body);
  return promise;
}

const contentType = (path: string): string =>
  /^\/(?:api|graphql)/.test(path) ? 'application/json' : 'application/x-www-form-urlencoded';

/** Whether a response came from the cache. */
export const isHit = ({ cache }: CachedResponse): boolean =>
  ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(cache);

/** Random values of forms, numbers of requests, and ages: they differ in each response. */
const VOLATILE = [/[\w-]{20,}={0,2}/g, /\d{4}-\d\d-\d\dT[\d:.]+Z/g] as const;

/** What two responses to the same request have in common: the status, the target of a redirect, and the body. */
export function contentOf({ status, headers, body }: CachedResponse): string {
  const text = VOLATILE.reduce((rest, pattern) => rest.replace(pattern, '…'), `${headers.location ?? ''}\n${body}`);
  return `${status} ${hash('sha1', text)}`;
}
