import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends a whole response body as text. `contentType` includes the charset where one is wanted. */
export function sendText(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Makes a handler that sends the text which `read` returns; null means that there is no such document. */
export function textHandler(contentType: string, read: () => string | null | Promise<string | null>) {
  return async (_request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const text = await read();
    if (text === null) next();
    else sendText(response, 200, contentType, text);
  };
}
