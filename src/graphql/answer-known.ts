/*
 * The short way of a query by POST whose text has been found valid before, or is our own: it is run, and its result sent.
 * Whatever is not as usual - another kind of operation or body, an answer in another form, errors - goes the long way through
 * Yoga, and is answered there alone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, execute } from 'graphql';
import { config } from '../config.ts';
import type { Context } from './context.ts';
import { type KnownQuery, knownQuery, persistedQuery } from './known-queries.ts';
import { exempt } from './query-cost.ts';
import { publicSchema } from './schema.ts';

/** Longer bodies are left for Yoga to read, in bytes. */
const LONGEST_BODY = 32 * 1024;

/** A request, with the body of one that has been read already. */
export type WebRequest = IncomingMessage & { body?: unknown };

/** Where the result is on the context of a query that has been run already. */
const RESULT = Symbol('result');
interface Run {
  [RESULT]?: ExecutionResult;
}

/** The result of a query that has been run on the short way and has errors: it is not run again. */
export function resultOf(context: object & Run): ExecutionResult | undefined {
  return context[RESULT];
}

/**
 * Answers a request whose body is a known query and returns true. Else it returns false; then `request.body` is the body, if
 * that has been read, and the result of a query with errors is on the context. True also for a sender who has gone away.
 */
export async function answerKnown(
  request: WebRequest,
  response: ServerResponse,
  context: Context & Run,
): Promise<boolean> {
  const contentType = contentTypeFor(request.headers.accept);
  if (contentType === null || !hasShortJson(request)) return false;
  const text = await readBody(request);
  if (text === null) return true;
  request.body = text;
  const parameters = parametersOf(text);
  if (parameters === null) return false;
  const result = await run(parameters.query, parameters.variables, context);
  if (result.errors !== undefined) {
    // Without data nothing has been run, as variables do not fit.
    if (result.data !== undefined) context[RESULT] = result;
    return false;
  }
  const payload = JSON.stringify(result);
  response.statusCode = 200;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(payload));
  response.end(payload);
  return true;
}

/** Runs a query. What it costs is counted once for all variables with which it costs the same. */
async function run({ document, cost }: KnownQuery, variables: Variables, context: Context): Promise<ExecutionResult> {
  const isAllowed = cost.isAllowed(variables);
  if (isAllowed) exempt(context);
  const result = await execute({ schema: publicSchema, document, contextValue: context, variableValues: variables });
  if (!isAllowed && result.errors === undefined) cost.allow(variables);
  return result;
}

type Variables = Record<string, unknown>;

/** The known query and its variables; null for whatever else a body may hold. */
function parametersOf(text: string): { query: KnownQuery; variables: Variables } | null {
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return null;
  const { query, variables, operationName, extensions, ...others } = body as Record<string, unknown>;
  if (Object.keys(others).length > 0) return null;
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables))) return null;
  const known = query == null ? queryByHash(extensions) : extensions == null ? queryByText(query) : undefined;
  if (known === undefined || (operationName != null && operationName !== known.name)) return null;
  return { query: known, variables: (variables ?? {}) as Variables };
}

function queryByText(text: unknown): KnownQuery | undefined {
  return typeof text === 'string' && !config.PERSISTED_ONLY ? knownQuery(text) : undefined;
}

function queryByHash(extensions: unknown): KnownQuery | undefined {
  const { persistedQuery: asked } = (extensions ?? {}) as {
    persistedQuery?: { version?: unknown; sha256Hash?: unknown };
  };
  const isHash = asked?.version === 1 && typeof asked.sha256Hash === 'string';
  return isHash ? persistedQuery(asked.sha256Hash as string) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';
const ANSWERED: ReadonlyMap<string, string> = new Map([
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', RESPONSE_TYPE],
]);

/** The form of the answer: the first that is asked for. Null where a form is asked for, too, that is not here. */
function contentTypeFor(accept: string | undefined): string | null {
  if (accept === undefined) return JSON_TYPE;
  const types = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.trim().toLowerCase().split(';');
    return parameters.some((parameter) => parameter.includes('charset')) ? undefined : ANSWERED.get(type.trim());
  });
  return types.includes(undefined) ? null : (types[0] ?? null);
}

function hasShortJson({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST' || !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return false;
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= LONGEST_BODY;
}

/** The body as text; null when the connection ends before the body does. */
function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''));
    request.once('close', () => resolve(null));
  });
}
