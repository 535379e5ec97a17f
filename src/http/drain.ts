import type { IncomingMessage, ServerResponse } from 'node:http';
import { UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';

/** How much of a refused body is read past, so that its sender gets to read the refusal. */
export interface DrainAllowance {
  bytes: number;
  milliseconds: number;
}

const MEGABYTE = 1024 * 1024;

/** For a sender who proved who it is: any upload that could have been meant. The server's own time-outs still hold. */
export const KNOWN_SENDER: DrainAllowance = { bytes: UPLOAD_LIMIT_BYTES + 20 * MEGABYTE, milliseconds: 300_000 };
export const UNKNOWN_SENDER: DrainAllowance = { bytes: 20 * MEGABYTE, milliseconds: 10_000 };

/**
 * How long an answer waits for the end of the body, in milliseconds: in all, and since the last piece. Some clients
 * cannot go on sending once they have been answered, and most bodies are through in this time.
 */
const HOLD_MS = 1_000;
const HOLD_IDLE_MS = 250;

/** A sender who has been answered and goes quiet for so long has left. */
const IDLE_MS = 5_000;

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
 * Sends an answer whose request body may be unread. It goes out when the body is through, after a second at the latest;
 * the connection is held until the body has been read past or the allowance is used up, because a client that is cut off
 * while sending never reads the answer. A client that still holds its body back is not asked for it.
 */
export function endAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | Buffer | null,
  allowance: DrainAllowance,
): void {
  const withheld = waiting.delete(request);
  if (withheld) response.setHeader('Connection', 'close');
  if (withheld || payload === null || !hasUnreadBody(request)) response.end(payload ?? undefined);
  else new ReadingPast(request, response, payload, allowance);
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  const announced = request.headers['transfer-encoding'] !== undefined || length > 0;
  return announced && !request.readableEnded && !request.destroyed;
}

/** Reads a body past, and answers in the meantime. */
class ReadingPast {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #payload: string | Buffer;
  readonly #allowance: DrainAllowance;
  readonly #timers: NodeJS.Timeout[];
  #received = 0;
  #lastPiece = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse, payload: string | Buffer, allowance: DrainAllowance) {
    this.#request = request;
    this.#response = response;
    this.#payload = payload;
    this.#allowance = allowance;
    this.#timers = [
      setInterval(() => this.#watch(), HOLD_IDLE_MS),
      setTimeout(() => this.#answer(), HOLD_MS),
      setTimeout(() => this.#giveUp(), allowance.milliseconds),
    ];
    request.on('data', (chunk: Buffer) => this.#count(chunk));
    request.once('end', () => this.#finish());
    request.once('close', () => this.#finish());
    request.resume();
  }

  #count(chunk: Buffer): void {
    this.#lastPiece = performance.now();
    this.#received += chunk.length;
    if (this.#received > this.#allowance.bytes) this.#giveUp();
  }

  #watch(): void {
    const quietMs = performance.now() - this.#lastPiece;
    if (quietMs >= HOLD_IDLE_MS) this.#answer();
    if (quietMs >= IDLE_MS) this.#giveUp();
  }

  /** The answer before the end of the body. Whether the rest will come is open, so the connection ends with it. */
  #answer(): void {
    if (this.#response.headersSent) return;
    this.#response.setHeader('Connection', 'close');
    this.#response.write(this.#payload);
  }

  #giveUp(): void {
    this.#answer();
    this.#finish();
    this.#request.pause();
    this.#request.socket.end();
    setTimeout(() => this.#request.socket.destroy(), LINGER_MS).unref();
  }

  #finish(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#response.end(this.#response.headersSent ? undefined : this.#payload);
  }
}

/** The size of a request body in bytes: its Content-Length, or `limit` when the client does not send one. */
export function bodySize({ headers }: IncomingMessage, limit: number): number {
  const length = headers['content-length'];
  return length === undefined ? limit : Number(length);
}
