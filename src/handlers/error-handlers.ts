/* Responses to errors that no other layer has turned into a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptsPages } from '../http/accepts.ts';
import { endResponse, UNKNOWN_SENDER } from '../http/drain.ts';
import { NO_CONTENT_POLICY, securityHeaders, setHeaders } from '../http/headers.ts';
import { unknownAddress } from '../http/http-refusal.ts';
import { API_PATH } from '../http/middleware.ts';
import { type IdentifiedResponse, logFailure, senderOf } from '../http/request-services.ts';
import { requestPath } from '../http/request-target.ts';
import { sendText } from '../http/send-text.ts';
import { sendErrorPage } from '../pages/handler.ts';
import { sendPage } from '../pages/send.ts';
import { signInProblem } from '../pages/site/sign-in-problem.ts';
import { errorReply, SignInRefusal } from '../rest/errors.ts';

/**
 * Handles errors after the headers of a response. The broken connection shows the client that the body is incomplete. Other errors go
 * to the next handler.
 */
export function breakOff(
  error: unknown,
  _request: IncomingMessage,
  response: IdentifiedResponse,
  next: (error: unknown) => void,
): void {
  if (!response.headersSent) return void next(error);
  logFailure(error, senderOf(response).requestId);
  response.destroy();
}

/** Sends errors of all handlers before the headers. Express marks malformed requests by a status below 500. */
export async function handleError(
  error: unknown,
  request: IncomingMessage,
  response: IdentifiedResponse,
  _next: unknown,
): Promise<void> {
  if (error instanceof SignInRefusal) {
    return sendPage(request, response, senderOf(response), (ui) => signInProblem(ui, error));
  }
  const isMalformed = error instanceof URIError || (error as { status?: unknown }).status === 400;
  const refusal = isMalformed ? unknownAddress() : error;
  const sender = senderOf(response);
  if (isForBrowser(request)) return sendErrorPage(request, response, sender, refusal);
  const { status, headers, body } = errorReply(refusal, 'detail');
  if (status === 500) logFailure(error, sender.requestId);
  setHeaders(response, headers);
  sendText(response, status, 'application/json', JSON.stringify(body));
}

/** Whether an error is shown as a page: outside of the API and of files, to browsers. */
function isForBrowser(request: IncomingMessage): boolean {
  const path = requestPath(request);
  return (
    !API_PATH.test(path) && !/^\/(?:media|static|assets|update)\//.test(path) && acceptsPages(request.headers.accept)
  );
}

/** Sends an error of an update check, which may have an unread body. */
export function sendUpdateError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  const { status, headers, body } = errorReply(error, 'detail');
  if (status === 500) logFailure(error, requestId);
  const payload = JSON.stringify(body);
  setHeaders(response, {
    ...{ 'X-Request-Id': requestId, ...securityHeaders(), 'Content-Security-Policy': NO_CONTENT_POLICY, ...headers },
    ...{ 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) },
  });
  response.statusCode = status;
  endResponse(request, response, request.method === 'HEAD' ? null : payload, UNKNOWN_SENDER);
}
