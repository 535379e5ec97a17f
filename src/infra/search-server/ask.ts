/*
 * Requests to the search server. Everything that can go wrong with it comes out as one of the two errors of `errors.ts`,
 * and nothing takes longer than its caller waits.
 */
import type { Client } from '@elastic/elasticsearch';
import { config } from '../../config.ts';
import { SearchServerError, SearchServerRefusal } from './errors.ts';

/** Whether there is a search server to ask. */
export function hasSearchServer(): boolean {
  return config.ELASTICSEARCH_URL !== undefined;
}

/** A request, in the server's own language. */
export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** In place of a body: lines of JSON, as texts. */
  lines?: string[];
  /** Ends the wait. */
  deadline: AbortSignal;
}

/** Asks for something that need not be there: null then. */
export async function askWhetherThere<Answer>(question: Question): Promise<Answer | null> {
  try {
    return await askSearchServer<Answer>(question);
  } catch (error) {
    if (error instanceof SearchServerError && error.isMissing) return null;
    throw error;
  }
}

let known: Promise<Client> | undefined;

function client(): Promise<Client> {
  known ??= open().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** The client takes its time and memory to load: who has no search server pays for none. */
async function open(): Promise<Client> {
  const { connect } = await import('./connect.ts');
  return connect();
}

/** Ends the connections of this process; the next question finds out anew whom it asks. */
export async function forgetSearchServer(): Promise<void> {
  const last = known;
  known = undefined;
  await (await last?.catch(() => undefined))?.close();
}

/**
 * Asks the search server, once.
 * @throws {SearchServerError} when it does not answer as it should, in time; SearchServerRefusal when we asked wrongly.
 */
export async function askSearchServer<Answer>(question: Question): Promise<Answer> {
  try {
    return await Promise.race([send<Answer>(question), endOf(question.deadline)]);
  } catch (error) {
    throw explained(error);
  }
}

async function send<Answer>({ method, path, query, body, lines, deadline }: Question): Promise<Answer> {
  const { transport } = await client();
  const content = lines === undefined ? (body === undefined ? {} : { body }) : { bulkBody: lines };
  const querystring = query === undefined ? {} : { querystring: { ...query } };
  const answer = await transport.request<Answer>({ method, path, ...content, ...querystring }, { signal: deadline });
  if (answer === null || typeof answer !== 'object') throw new SearchServerError('answers something else than JSON');
  return answer;
}

/** The client gives up when it is told to, but it need not notice at once. */
function endOf(deadline: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const late = () => reject(new SearchServerError('did not answer in time'));
    if (deadline.aborted) late();
    else deadline.addEventListener('abort', late, { once: true });
  });
}

/** Refusals of a request as such that are no fault of the request. */
const OUT_OF_ORDER = ['index_closed_exception', 'media_type_header_exception', 'cluster_block_exception'];

/** What the client throws for an answer that is an error. */
interface ResponseError extends Error {
  statusCode: number;
  body: { error?: { type?: unknown; reason?: unknown } } | undefined;
}

const LONGEST_REASON = 300;

function explained(error: unknown): Error {
  if (error instanceof SearchServerError) return error;
  const { name = 'unknown', statusCode, body } = error as Partial<ResponseError>;
  if (name !== 'ResponseError') return new SearchServerError(`does not answer (${name})`, { cause: error });
  const { type, reason } = body?.error ?? {};
  // It may have been replaced by one of another kind.
  if (type === 'media_type_header_exception' || statusCode === 406) void forgetSearchServer();
  if (statusCode === 400 && typeof type === 'string' && !OUT_OF_ORDER.includes(type)) {
    const why = typeof reason === 'string' ? `: ${reason.slice(0, LONGEST_REASON)}` : '';
    return new SearchServerRefusal(`A request was refused by the search server: ${type}${why}`, { cause: error });
  }
  // An alias that is not there is a 404 whose error is a text.
  const isMissing = type === 'index_not_found_exception' || (statusCode === 404 && body?.error !== undefined);
  const problem = `answers ${statusCode}${typeof type === 'string' ? ` (${type})` : ''}`;
  return new SearchServerError(problem, { isMissing, cause: error });
}
