/*
 * One HTTP exchange over a connection of its own. It is for clients that misbehave, and for servers that are killed while
 * they answer: it tells an answer from silence, and it sends a body in pieces, at the pace of whoever makes them.
 */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What is sent. Without a `Content-Length` of the caller's own, a body of pieces goes out chunked. */
export interface Exchange {
  method: string;
  url: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer | AsyncIterable<Buffer>;
  /** Ends the exchange from this side. */
  signal?: AbortSignal;
}

/** A complete answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The connection ended before a whole answer came; whether the server acted upon the request is unknown. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

/**
 * Sends a request and returns the answer, also when it comes before the body is through.
 * @throws {NoAnswerError} when the server does not answer.
 */
export async function exchange({ method, url, headers = {}, body, signal }: Exchange): Promise<Answer> {
  const outgoing = request(url, { method, headers, agent: false, ...(signal ? { signal } : {}) });
  const answered = new Promise<Answer>((resolve, reject) => {
    let hasBegun = false;
    const fail = (error: Error) => reject(new NoAnswerError(error.message));
    outgoing.on('response', (response) => {
      hasBegun = true;
      readAnswer(response).then(resolve, fail);
    });
    // A failure to send on does not matter when the answer has begun: that one decides.
    outgoing.on('error', (error) => (hasBegun ? undefined : fail(error)));
    outgoing.on('close', () => (hasBegun ? undefined : fail(new Error('the connection was closed'))));
  });
  if (Buffer.isBuffer(body) || body === undefined) outgoing.end(body);
  else sendPieces(outgoing, body).catch((error) => outgoing.destroy(error));
  return answered;
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const body = await buffer(response);
  if (!response.complete) throw new Error('the answer broke off');
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

async function sendPieces(outgoing: ClientRequest, body: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(piece)) await roomToWrite(outgoing);
  }
  outgoing.end();
}

function roomToWrite(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go);
      outgoing.off('close', go);
      resolve();
    };
    outgoing.on('drain', go);
    outgoing.on('close', go);
  });
}
