import type { IncomingMessage, ServerResponse } from 'node:http';
import { UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';

/** How much of a refused body is read and discarded, so that the client can read the response. */
interface DrainAllowance {
  bytes: number;
  milliseconds: number;
}

const MEGABYTE = 1024 * 1024;

/** For authenticated clients: the size of any valid upload. The server's timeouts still apply. */
export const KNOWN_SENDER: DrainAllowance = { bytes: UPLOAD_LIMIT_BYTES + 20 * MEGABYTE, milliseconds: 300_000 };
export const UNKNOWN_SENDER: DrainAllowance = { bytes: 20 * MEGABYTE, milliseconds: 10_000 };

/**
 * How long a response waits for the end of the body, in milliseconds: in total, and since the last chunk. Some clients
 * fail when they get a response while sending, and most bodies arrive in this time.
 */
const HOLD_MS = 1_000;
const HOLD_IDLE_MS = 250;

/** Idle time after the response until the client counts as disconnected. */
const IDLE_MS = 5_000;

/** Time between half-closing and closing the connection, for the response to arrive. */
const LINGER_MS = 1_000;

const waiting = new WeakSet<IncomingMessage>();

/** Records that the client waits for 100 Continue (RFC 9110, section 10.1.1). */
export function expectsContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Sends 100 Continue to a client that waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

/**
 * Sends a response while the request body may be unread. The response is sent after the body, or after a second;
 * the connection stays open until the body is discarded or the allowance is exceeded, because a client that is disconnected
 * while sending never reads the response. A client that waits for 100 Continue does not get it.
 */
export function endResponse(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | Buffer | null,
  allowance: DrainAllowance,
): void {
  const withheld = waiting.delete(request);
  if (withheld) response.setHeader('Connection', 'close');
  if (withheld || payload === null || !hasUnreadBody(request)) response.end(payload ?? undefined);
  else new DrainingResponse(request, response, payload, allowance);
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  const announced = request.headers['transfer-encoding'] !== undefined || length > 0;
  return announced && !request.readableEnded && !request.destroyed;
}

/** Discards a body and sends the response during it. */
class DrainingResponse {
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
      setTimeout(() => this.#respond(), HOLD_MS),
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
    if (quietMs >= HOLD_IDLE_MS) this.#respond();
    if (quietMs >= IDLE_MS) this.#giveUp();
  }

  /** Sends the response before the end of the body, and closes the connection after it. */
  #respond(): void {
    if (this.#response.headersSent) return;
    this.#response.setHeader('Connection', 'close');
    this.#response.write(this.#payload);
  }

  #giveUp(): void {
    this.#respond();
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
