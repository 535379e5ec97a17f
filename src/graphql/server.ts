import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { authenticate } from '../auth/authenticate.ts';
import { config } from '../config.ts';
import { negotiateLocale } from '../domain/addons/locales.ts';
import { type ErrorCode, NotAuthenticatedError } from '../errors.ts';
import { askForBody, endAnswer, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { NO_CONTENT_POLICY } from '../http/headers.ts';
import { currentRequest } from '../infra/current-request.ts';
import { requireWritable } from '../infra/read-only.ts';
import { UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import { answerKnown, type WebRequest } from './answer-known.ts';
import type { Context } from './context.ts';
import { refuseForgery } from './csrf.ts';
import { asksForPage, sendGraphiql } from './graphiql-page.ts';
import { isMultipart, readUpload, requireAcceptableLength } from './read-upload.ts';
import { reportError } from './report-error.ts';
import { BODY_LIMIT_BYTES, yoga } from './yoga.ts';

const HOST = new URL(config.BASE_URL).host;

/** HTTP status of what is refused before there is an operation. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  NOT_AUTHENTICATED: 401,
  NOT_PERMITTED: 403,
  THROTTLED: 429,
  READ_ONLY: 503,
  UNAVAILABLE: 503,
};

/** Who sends a request, and the id of the request in the log. */
type Sender = Pick<Context, 'ip' | 'requestId'>;

/**
 * Answers `/graphql`: the in-browser editor, and operations by GET, POST, multipart upload and server-sent events. The
 * order counts: where the request comes from, who sends it, and only then its body.
 */
export function createGraphqlHandler({ uploadLimitBytes = UPLOAD_LIMIT_BYTES } = {}) {
  return async (request: WebRequest, response: ServerResponse, sender: Sender): Promise<void> => {
    if (asksForPage(request)) return sendGraphiql(request, response);
    response.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
    let context: Context | undefined;
    try {
      refuseForgery(request);
      context = await contextOf(request, sender);
      await answer(request, response, context, uploadLimitBytes);
    } catch (error) {
      const reported = currentRequest.run(sender, () => reportError(error));
      refuse(request, response, reported, context);
    }
  };
}

/** The handler with the documented limits. */
export const graphqlHandler = createGraphqlHandler();

async function answer(request: WebRequest, response: ServerResponse, context: Context, uploadLimitBytes: number) {
  if (context.viewer.kind === 'account') response.setHeader('Cache-Control', 'private, no-store');
  if (isMultipart(request)) await takeUpload(request, response, context, uploadLimitBytes);
  askForBody(request, response);
  if (await answerKnown(request, response, context)) return;
  // Yoga makes a whole address of it; what a client says there may be none.
  request.headers.host = HOST;
  await currentRequest.run(context, async () => yoga(request, response, context));
}

async function contextOf({ headers }: IncomingMessage, { ip, requestId }: Sender): Promise<Context> {
  const viewer = await authenticate({ authorization: headers.authorization, ip, jti: 'required' });
  const locale = negotiateLocale(null, headers['accept-language'] ?? null, config.DEFAULT_LOCALE);
  return { viewer, ip, requestId, locale };
}

/** Only those who could use a file get to send one; then the request goes on as if its body had been JSON. */
async function takeUpload(
  request: WebRequest,
  response: ServerResponse,
  context: Context,
  limitBytes: number,
): Promise<void> {
  if (context.viewer.kind === 'anonymous') throw new NotAuthenticatedError();
  await requireWritable(context.locale);
  const limits = { file: limitBytes, field: BODY_LIMIT_BYTES };
  requireAcceptableLength(request, limits);
  askForBody(request, response);
  request.body = await readUpload(request, response, limits);
  // The length is that of the form, which has been held against its own limit.
  delete request.headers['content-length'];
}

/** Answers an error in the form of a GraphQL result, whatever of the body is unread. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: GraphQLError,
  context: Context | undefined,
): void {
  if (response.headersSent) return void response.destroy();
  const { code, http, details } = error.extensions as {
    code?: ErrorCode;
    http?: { status: number };
    details?: unknown;
  };
  const accepted = request.headers.accept ?? '';
  const type = accepted.includes('application/graphql-response+json') ? 'graphql-response+json' : 'json';
  const shown = { message: error.message, extensions: { code, ...(details === undefined ? {} : { details }) } };
  const payload = JSON.stringify({ errors: [shown] });
  response.statusCode = http?.status ?? (code === undefined ? 500 : (STATUS[code] ?? 500));
  response.setHeader('Content-Type', `application/${type}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(payload));
  if (code === 'NOT_AUTHENTICATED') response.setHeader('WWW-Authenticate', 'bearer realm="api"');
  endAnswer(request, response, payload, context?.viewer.kind === 'account' ? KNOWN_SENDER : UNKNOWN_SENDER);
}
