import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';

/** Content types of operations. */
const READABLE = new Set([
  'application/json',
  'application/graphql+json',
  'application/graphql',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** Media types of results: a single one, a stream of events, parts. */
const WRITABLE = ['application/json', 'application/graphql-response+json', 'text/event-stream', 'multipart/mixed'];

const refusal = (status: number, code: string, message: string) =>
  new GraphQLError(message, { extensions: { code, http: { status } } });

/** The error for a client that does not accept the media type of the result. */
export const notAcceptable = () =>
  refusal(406, 'NOT_ACCEPTABLE', 'Accept application/json for results, and text/event-stream for subscriptions.');

/**
 * Checks the content type of a POST and the accepted types before the body is read, so that no mutation runs whose result the
 * client refuses. Rewrites the content type to lower case without spaces before its parameters, which is all that Yoga reads.
 * @throws {GraphQLError} with status 415 or 406.
 */
export function requireMediaTypes({ method, headers }: IncomingMessage): void {
  if (method === 'POST') headers['content-type'] = readableType(headers['content-type'] ?? '');
  const accepted = (headers.accept || '*/*').toLowerCase().split(',').map(essenceOf);
  if (!accepted.some(matchesResult)) throw notAcceptable();
}

const essenceOf = (type: string): string => type.split(';', 1)[0]?.trim() ?? '';

function readableType(header: string): string {
  const written = essenceOf(header);
  const essence = written.toLowerCase();
  if (READABLE.has(essence)) return `${essence}${header.trimStart().slice(written.length).trimStart()}`;
  const message = `Unsupported content type ${JSON.stringify(header.slice(0, 100))}. Send application/json.`;
  throw refusal(415, 'UNSUPPORTED_MEDIA_TYPE', message);
}

/** Whether a media range, such as `application/*`, matches a media type of results. */
function matchesResult(range: string): boolean {
  return range === '*/*' || WRITABLE.some((type) => type === range || range === type.replace(/\/.*/, '/*'));
}
