import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response, with what `identify` in app.ts adds. */
type SentResponse = ServerResponse & { locals: Record<string, unknown> & { sender?: { requestId: string } } };

/**
 * Makes the handler of errors after the headers of a response. The broken connection shows the client that the body is incomplete.
 * Other errors go to the next handler.
 */
export function lateErrorHandler(report: (error: unknown, requestId: string) => void) {
  return (error: unknown, _request: IncomingMessage, response: SentResponse, next: (error: unknown) => void): void => {
    if (!response.headersSent) {
      next(error);
      return;
    }
    report(error, response.locals.sender?.requestId ?? '');
    response.destroy();
  };
}
