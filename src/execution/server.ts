import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { authenticate } from '../auth/authenticate.ts';
import { config } from '../config.ts';
import { NotAuthenticatedError } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import { BAD_USER_INPUT } from '../graphql/public-code.ts';
import { acceptedLanguages } from '../http/accepts.ts';
import { bodySize, endResponse, KNOWN_SENDER, sendContinue, UNKNOWN_SENDER } from '../http/drain.ts';
import { NO_CONTENT_POLICY, setHeaders } from '../http/headers.ts';
import { isMultipart, requireAcceptableLength } from '../http/multipart.ts';
import { REFUSAL_STATUS, retryHeaders } from '../http/refusal-status.ts';
import { isRead } from '../http/request-target.ts';
import { BodyTooLargeError, MAX_BYTES, readBytes } from '../http/small-body.ts';
import { currentRequest } from '../infra/current-request.ts';
import { requireWritable } from '../infra/read-only.ts';
import { reserveUpload, UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import { negotiateLocale } from '../texts/locales.ts';
import { refuseForgery } from './csrf.ts';
import { isEditorAddress, isPageRequest, sendEditor } from './graphiql-page.ts';
import { requireMediaTypes } from './media-types.ts';
import { readUpload } from './read-upload.ts';
import { reportError } from './report-error.ts';
import { yoga } from './yoga.ts';

const HOST = new URL(config.BASE_URL).host;

/** A request, and its body if that has been read: text, or the parameters of a multipart upload. */
type WebRequest = IncomingMessage & { body?: unknown };

/** HTTP status by code of requests that are refused before their operation is known. */
const STATUS: Readonly<Record<string, number>> = { ...REFUSAL_STATUS, [BAD_USER_INPUT]: REFUSAL_STATUS.INVALID_INPUT };

/** The request headers that responses to GET depend on. */
const VARY = 'Accept, Accept-Language, Authorization';

/** Address of the client, and the id of the request in the log. */
type Sender = Pick<Context, 'ip' | 'requestId' | 'operations'>;

/**
 * Handles `/graphql`: the in-browser editor, and operations by GET, POST, multipart upload and server-sent events. It checks
 * the origin of the request and its media types first, then its credentials, and reads the body last.
 */
export function createGraphqlHandler({ uploadLimitBytes = UPLOAD_LIMIT_BYTES } = {}) {
  return async (request: WebRequest, response: ServerResponse, sender: Sender): Promise<void> => {
    if (isPageRequest(request)) return sendEditor(request, response);
    response.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
    if (isRead(request)) setHeaders(response, { Vary: VARY, 'Cache-Control': 'no-cache' });
    let context: Context | undefined;
    try {
      requireMethod(request, response);
      refuseForgery(request);
      requireMediaTypes(request);
      context = await contextOf(request, sender);
      await runOperation(request, response, context, uploadLimitBytes);
    } catch (error) {
      const reported = currentRequest.run(sender, () => reportError(error));
      refuse(request, response, reported, context);
    }
  };
}

/** The handler with the documented limits. */
export const graphqlHandler = createGraphqlHandler();

/** @throws {GraphQLError} with status 405, and sets `Allow`, for methods that the address does not take. */
function requireMethod(request: IncomingMessage, response: ServerResponse): void {
  const { method = '' } = request;
  const [name, taken] = isEditorAddress(request) ? ['The editor', ['GET', 'HEAD']] : ['GraphQL', ['GET', 'POST']];
  if (taken.includes(method)) return;
  response.setHeader('Allow', [...taken, 'OPTIONS'].join(', '));
  throw new GraphQLError(`${name} is served by ${taken.join(' and ')}, not by ${method}.`, {
    extensions: { code: 'METHOD_NOT_ALLOWED', http: { status: 405 } },
  });
}

async function runOperation(request: WebRequest, response: ServerResponse, context: Context, uploadLimitBytes: number) {
  if (context.viewer.kind === 'account') response.setHeader('Cache-Control', 'private, no-store');
  if (isMultipart(request)) await takeUpload(request, response, context, uploadLimitBytes);
  else await limitBody(request, response);
  sendContinue(request, response);
  // Yoga builds a URL from it, which fails for a host that is not valid.
  request.headers.host = HOST;
  await currentRequest.run(context, async () => yoga(request, response, context));
}

/**
 * Limits the body of a request that is not multipart. Yoga's own limit copies each body through two streams, which costs a
 * fifth of the time of a short query; a body with a Content-Length cannot become longer.
 * @throws {GraphQLError} with status 413 for a body over the limit, 400 for an incomplete one.
 */
async function limitBody(request: WebRequest, response: ServerResponse): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (Number(length ?? 0) > MAX_BYTES) throw badBody(new BodyTooLargeError());
  if (length !== undefined || encoding === undefined) return;
  sendContinue(request, response);
  const bytes = await readBytes(request).catch((error: unknown) => {
    throw badBody(error);
  });
  request.body = bytes.toString();
}

function badBody(error: unknown): GraphQLError {
  const [message, code, status] =
    error instanceof BodyTooLargeError
      ? [error.message, 'REQUEST_ENTITY_TOO_LARGE', 413]
      : ['The request body is incomplete.', 'BAD_REQUEST', 400];
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

async function contextOf({ headers }: IncomingMessage, sender: Sender): Promise<Context> {
  const viewer = await authenticate({ authorization: headers.authorization, ip: sender.ip, jti: 'required' });
  const locale = negotiateLocale(null, acceptedLanguages(headers['accept-language']), config.DEFAULT_LOCALE);
  return { viewer, ...sender, locale, limitsSearches: true };
}

/** Reads a multipart body, for signed-in clients only. The request continues as if its body had been JSON. */
async function takeUpload(
  request: WebRequest,
  response: ServerResponse,
  context: Context,
  limitBytes: number,
): Promise<void> {
  if (context.viewer.kind === 'anonymous') throw new NotAuthenticatedError(context.viewer.problem);
  await requireWritable(context.locale);
  requireAcceptableLength(request, { limitBytes });
  const release = reserveUpload(context.viewer.accountId, bodySize(request, UPLOAD_LIMIT_BYTES));
  // The client may have disconnected during authentication.
  if (response.closed) release();
  else response.once('close', release);
  sendContinue(request, response);
  request.body = await readUpload(request, response, { file: limitBytes, field: MAX_BYTES });
  // It is the length of the form, which has its own limit.
  delete request.headers['content-length'];
}

/** Sends an error as a GraphQL result. The body of the request may be unread. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: GraphQLError,
  context: Context | undefined,
): void {
  if (response.headersSent) return void response.destroy();
  const { code, http, details } = error.extensions as {
    code?: string;
    http?: { status: number };
    details?: Readonly<Record<string, unknown>>;
  };
  const accepted = request.headers.accept ?? '';
  const type = accepted.includes('application/graphql-response+json') ? 'graphql-response+json' : 'json';
  const { http: _http, ...extensions } = error.extensions;
  const shown = { message: error.message, extensions };
  const payload = JSON.stringify({ errors: [shown] });
  response.statusCode = http?.status ?? (code === undefined ? 500 : (STATUS[code] ?? 500));
  setHeaders(response, {
    ...{ 'Content-Type': `application/${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(payload) },
    ...retryHeaders(code, details),
  });
  if (code === 'NOT_AUTHENTICATED') response.setHeader('WWW-Authenticate', 'bearer realm="api"');
  endResponse(request, response, payload, context?.viewer.kind === 'account' ? KNOWN_SENDER : UNKNOWN_SENDER);
}
