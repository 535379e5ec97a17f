import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { config } from '../config.ts';

/** A server that answers requests. */
export interface WebServer {
  /** Where it is reached, without a slash at the end. */
  url: string;
  /**
   * Takes no more connections, ends event streams, lets running requests finish for up to `graceMs` milliseconds and
   * cuts off the rest. From the first moment on `/readyz` says no.
   */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 30_000;

/** The pace below which a sender is cut off: connections are not given away to those who trickle. */
const SLOWEST = { bytesPerSecond: 1024, afterMs: 10_000, checkMs: 2_000 };

/**
 * Starts a server on HOST and PORT. `buildApp` makes the request handler; it gets a question to ask when it wants to
 * know whether the server is going down. With PORT 0 and no BASE_URL, BASE_URL becomes the address that was given.
 */
export async function startWebServer(buildApp: (isStopping: () => boolean) => RequestListener): Promise<WebServer> {
  let stopping = false;
  // By connection, not a set of answers under way: of each set that entries come into and go out of so often, the garbage
  // collector keeps tables that were outgrown, with what was in them, and moves half of all answers to the old objects.
  const latest = new Map<Socket, ServerResponse>();
  const app = buildApp(() => stopping);
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping) response.setHeader('Connection', 'close');
    watchPace(request);
    latest.set(request.socket, response);
    app(request, response);
  };
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 300_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 15_000,
      noDelay: true,
      // Nothing has to be read of a request without a body. Older releases of Node pass this over, and read nothing.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  // The answer decides whether the body is wanted: a refusal reaches the client before it has sent anything.
  server.on('checkContinue', listener);
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  const url = addressOf(server);
  if (config.BASE_URL.endsWith(':0')) config.BASE_URL = url;
  return {
    url,
    stop: async (graceMs = GRACE_MS) => {
      stopping = true;
      for (const response of latest.values()) if (isEventStream(response)) response.end();
      await close(server, graceMs);
    },
  };
}

function addressOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
}

/** An answer that would not end by itself. */
function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(end);
}

/** Cuts off a sender whose body arrives slower than a client with a bad connection would send it. */
export function watchPace(request: IncomingMessage, slowest = SLOWEST): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  const { socket } = request;
  const started = performance.now();
  const before = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || request.destroyed) return clearInterval(timer);
    const elapsedMs = performance.now() - started;
    const rate = ((socket.bytesRead - before) / elapsedMs) * 1000;
    if (elapsedMs >= slowest.afterMs && rate < slowest.bytesPerSecond) socket.destroy();
  }, slowest.checkMs).unref();
  request.once('close', () => clearInterval(timer));
}
