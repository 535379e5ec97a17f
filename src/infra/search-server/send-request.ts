/* Requests to the search server. Every failure is `SearchServerError` or `SearchServerRefusal`; every request has a deadline. */
import type { Client } from '@elastic/elasticsearch';
import { config } from '../../config.ts';
import { SearchServerError, SearchServerRefusal } from './failures.ts';

/** Whether a search server is configured. */
export function hasSearchServer(): boolean {
  return config.ELASTICSEARCH_URL !== undefined;
}

/** A request of the server's REST API. */
export interface ServerRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** Lines of JSON, instead of `body`. */
  lines?: string[];
  deadline: AbortSignal;
}

/** Like `sendSearchRequest`; null when the index or alias is missing. */
export async function sendOptionalRequest<Body>(request: ServerRequest): Promise<Body | null> {
  try {
    return await sendSearchRequest<Body>(request);
  } catch (error) {
    if (error instanceof SearchServerError && error.isMissing) return null;
    throw error;
  }
}

let current: Promise<Client> | undefined;

function client(): Promise<Client> {
  current ??= open().catch((error: unknown) => {
    current = undefined;
    throw error;
  });
  return current;
}

/** Loaded on demand, because the client library takes time and memory to load. */
async function open(): Promise<Client> {
  const { connectSearchServer: connect } = await import('./connect.ts');
  return connect();
}

/** Closes the connections of this process; the next request opens new ones and detects the server again. */
export async function closeSearchServer(): Promise<void> {
  const last = current;
  current = undefined;
  await (await last?.catch(() => undefined))?.close();
}

/** Longer than any request. */
const LAST_REQUESTS_MS = 300_000;

/** Uses new connections, with the present settings, for further requests. Requests that run end on the earlier ones. */
export function reconnectSearchServer(): void {
  const last = current;
  current = undefined;
  if (last === undefined) return;
  const close = () => void last.then((open) => open.close()).catch(() => {});
  setTimeout(close, LAST_REQUESTS_MS).unref();
}

/**
 * Sends one request, without retries.
 * @throws {SearchServerError} when the server does not respond correctly before the deadline.
 * @throws {SearchServerRefusal} when the request is invalid.
 */
export async function sendSearchRequest<Body>(request: ServerRequest): Promise<Body> {
  try {
    return await Promise.race([send<Body>(request), endOf(request.deadline)]);
  } catch (error) {
    throw toSearchError(error);
  }
}

async function send<Body>({ method, path, query, body, lines, deadline }: ServerRequest): Promise<Body> {
  const { transport } = await client();
  const content = lines === undefined ? (body === undefined ? {} : { body }) : { bulkBody: lines };
  const querystring = query === undefined ? {} : { querystring: { ...query } };
  const response = await transport.request<Body>({ method, path, ...content, ...querystring }, { signal: deadline });
  if (response === null || typeof response !== 'object') throw new SearchServerError('sent no JSON');
  return response;
}

/** The client library may react late to its abort signal. */
function endOf(deadline: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(new SearchServerError('did not respond in time'));
    if (deadline.aborted) onAbort();
    else deadline.addEventListener('abort', onAbort, { once: true });
  });
}

/** Errors with status 400 that the request did not cause. */
const SERVER_FAULTS = ['index_closed_exception', 'media_type_header_exception', 'cluster_block_exception'];

/** The client library's error for a response with an error status. */
interface ResponseError extends Error {
  statusCode: number;
  body: { error?: { type?: unknown; reason?: unknown } } | undefined;
}

const MAX_REASON_LENGTH = 300;

function toSearchError(error: unknown): Error {
  if (error instanceof SearchServerError) return error;
  const { name = 'unknown', statusCode, body } = error as Partial<ResponseError>;
  if (name !== 'ResponseError') return new SearchServerError(`does not respond (${name})`, { cause: error });
  const { type, reason } = body?.error ?? {};
  // The server may have been replaced by one of another flavor.
  if (type === 'media_type_header_exception' || statusCode === 406) void closeSearchServer();
  if (statusCode === 400 && typeof type === 'string' && !SERVER_FAULTS.includes(type)) {
    const why = typeof reason === 'string' ? `: ${reason.slice(0, MAX_REASON_LENGTH)}` : '';
    return new SearchServerRefusal(`A request was refused by the search server: ${type}${why}`, { cause: error });
  }
  // The error of a missing alias is a string.
  const isMissing = type === 'index_not_found_exception' || (statusCode === 404 && body?.error !== undefined);
  const problem = `responded with ${statusCode}${typeof type === 'string' ? ` (${type})` : ''}`;
  return new SearchServerError(problem, { isMissing, cause: error });
}
