/*
 * One HTTP exchange over a connection of its own, for misbehaving clients and for servers that are killed: it distinguishes
 * a complete response from none, and sends a body in pieces at the pace of its generator.
 */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request. Without a `Content-Length`, a body of pieces is sent chunked. */
export interface Exchange {
  method: string;
  url: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer | AsyncIterable<Buffer>;
  /** Aborts the exchange. */
  signal?: AbortSignal;
}

/** A complete response. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The connection ended before a complete response; whether the server processed the request is unknown. */
export class NoResponseError extends Error {
  override name = 'NoResponseError';
}

/**
 * Sends a request and returns the response, also when it arrives before the body is sent.
 * @throws {NoResponseError} without a complete response.
 */
export async function exchange({ method, url, headers = {}, body, signal }: Exchange): Promise<HttpResponse> {
  const outgoing = request(url, { method, headers, agent: false, ...(signal ? { signal } : {}) });
  const received = new Promise<HttpResponse>((resolve, reject) => {
    let hasBegun = false;
    const fail = (error: Error) => reject(new NoResponseError(error.message));
    outgoing.on('response', (response) => {
      hasBegun = true;
      readResponse(response).then(resolve, fail);
    });
    // Once the response has begun, errors of sending do not matter.
    outgoing.on('error', (error) => (hasBegun ? undefined : fail(error)));
    outgoing.on('close', () => (hasBegun ? undefined : fail(new Error('the connection was closed'))));
  });
  if (Buffer.isBuffer(body) || body === undefined) outgoing.end(body);
  else sendPieces(outgoing, body).catch((error) => outgoing.destroy(error));
  return received;
}

async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const body = await buffer(response);
  if (!response.complete) throw new Error('the response is incomplete');
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
