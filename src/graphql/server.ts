import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { GraphQLError } from 'graphql';
import { authenticate } from '../auth/authenticate.ts';
import { config } from '../config.ts';
import { negotiateLocale } from '../domain/addons/locales.ts';
import { type ErrorCode, NotAuthenticatedError } from '../errors.ts';
import { askForBody, endAnswer, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { requireWritable } from '../infra/read-only.ts';
import { UPLOAD_LIMIT_BYTES } from '../infra/storage/staging.ts';
import { answerKnown } from './answer-known.ts';
import type { Context } from './context.ts';
import { refuseForgery } from './csrf.ts';
import { asksForPage, sendGraphiql } from './graphiql-page.ts';
import { isMultipart, readUpload, requireAcceptableLength } from './read-upload.ts';
import { currentRequest, reportError } from './report-error.ts';
import { BODY_LIMIT_BYTES, yoga } from './yoga.ts';

/** HTTP status of what is refused before there is an operation. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  NOT_AUTHENTICATED: 401,
  NOT_PERMITTED: 403,
  THROTTLED: 429,
  READ_ONLY: 503,
  UNAVAILABLE: 503,
};

/**
 * Answers `/graphql`: the in-browser editor, and operations by GET, POST, multipart upload and server-sent events. The
 * order counts: where the request comes from, who sends it, and only then its body.
 */
export function createGraphqlHandler({ uploadLimitBytes = UPLOAD_LIMIT_BYTES } = {}) {
  return async (request: Request, response: Response): Promise<void> => {
    if (asksForPage(request)) return sendGraphiql(request, response);
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    const requestId = String(response.locals.requestId ?? randomUUID());
    await currentRequest.run({ requestId }, async () => {
      let context: Context | undefined;
      try {
        refuseForgery(request);
        context = await contextOf(request, requestId);
        if (context.viewer.kind === 'account') response.setHeader('Cache-Control', 'private, no-store');
        if (isMultipart(request)) await takeUpload(request, response, context, uploadLimitBytes);
        askForBody(request, response);
        if (await answerKnown(request, response, context)) return;
        await yoga(request, response, context);
      } catch (error) {
        refuse(request, response, reportError(error), context);
      }
    });
  };
}

/** The handler with the documented limits. */
export const graphqlHandler = createGraphqlHandler();

async function contextOf(request: Request, requestId: string): Promise<Context> {
  const { authorization, 'accept-language': acceptLanguage } = request.headers;
  const ip = request.ip ?? null;
  const viewer = await authenticate({ authorization, ip, jti: 'required' });
  return { viewer, ip, requestId, locale: negotiateLocale(null, acceptLanguage ?? null, config.DEFAULT_LOCALE) };
}

/** Only those who could use a file get to send one; then the request goes on as if its body had been JSON. */
async function takeUpload(request: Request, response: Response, context: Context, limitBytes: number): Promise<void> {
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
