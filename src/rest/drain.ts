import type { IncomingMessage, ServerResponse } from 'node:http';
import { UPLOAD_LIMIT_BYTES } from '../infra/storage/staging.ts';

/** How much of a refused body is read past, so that its sender gets to read the refusal. */
export interface DrainAllowance {
  bytes: number;
  milliseconds: number;
}

const MEGABYTE = 1024 * 1024;

/** For a sender who proved who it is: any upload that could have been meant. The server's own time-outs still hold. */
export const KNOWN_SENDER: DrainAllowance = { bytes: UPLOAD_LIMIT_BYTES + 20 * MEGABYTE, milliseconds: 300_000 };
export const UNKNOWN_SENDER: DrainAllowance = { bytes: 20 * MEGABYTE, milliseconds: 10_000 };

/** Time between the end of our side and the end of the connection, for the answer to arrive. */
const LINGER_MS = 1_000;

const waiting = new WeakSet<IncomingMessage>();

/** Notes that the client holds its body back until it is asked for it (RFC 9110, section 10.1.1). */
export function expectsContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Asks a client that holds its body back to send it. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

/**
 * Sends an answer whose request body may be unread. The answer goes out at once; the connection is held until the body
 * has been read past or the allowance is used up, because a client that is cut off while sending never reads the answer.
 * A client that still holds its body back is not asked for it.
 */
export function endAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | null,
  allowance: DrainAllowance,
): void {
  const withheld = waiting.delete(request);
  if (withheld) response.setHeader('Connection', 'close');
  if (withheld || !hasUnreadBody(request) || payload === null) {
    response.end(payload ?? undefined);
    return;
  }
  response.write(payload);
  drain(request, response, allowance);
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const announced =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  return announced && !request.readableEnded && !request.destroyed;
}

function drain(request: IncomingMessage, response: ServerResponse, allowance: DrainAllowance): void {
  let received = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', count);
    response.end();
  };
  const giveUp = () => {
    finish();
    request.pause();
    request.socket.end();
    setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  };
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > allowance.bytes) giveUp();
  };
  const timer = setTimeout(giveUp, allowance.milliseconds).unref();
  request.on('data', count);
  request.once('end', finish);
  request.once('close', finish);
  request.resume();
}
