import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { config, listenerUrl } from '../config.ts';
import { networkOf } from '../infra/network.ts';
import { compileTrust } from './client-address.ts';

/*
 * Limits on client connections: how many an address may hold, how much unread response data each may hold, and for how long.
 * They bound the memory that clients which never read their responses can take.
 */

const MEGABYTE = 1024 * 1024;
/** A connection with more than SEND_BUFFER_MB unsent has this long to get below it. */
const BUFFER_GRACE_MS = 10_000;
const SWEEP_MS = 1_000;
/** Pipelined requests that may wait on one connection. */
const MAX_PIPELINED = 32;

/**
 * Closes connections above CONNECTIONS_PER_ADDRESS, and those whose clients do not read. Call before the server listens.
 * `isHandling` returns whether the application has yet to end the response of a connection.
 */
function limitConnections(server: Server, isHandling: (socket: Socket) => boolean): void {
  const isTrusted = compileTrust(config.TRUSTED_PROXIES);
  const counts = new Map<string, number>();
  /** Connections above SEND_BUFFER_MB, with the time at which the sweep first saw them so. */
  const overfull = new Map<Socket, number>();
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const key = isTrusted(remoteAddress) ? null : networkOf(remoteAddress);
    const count = key === null ? 0 : (counts.get(key) ?? 0);
    if (count >= config.CONNECTIONS_PER_ADDRESS) return void socket.destroy();
    if (key !== null) counts.set(key, count + 1);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      overfull.delete(socket);
      const rest = key === null ? 0 : (counts.get(key) ?? 0) - 1;
      if (key !== null && rest > 0) counts.set(key, rest);
      else if (key !== null) counts.delete(key);
    });
  });
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const socket of open) {
      if (socket.writableLength <= config.SEND_BUFFER_MB * MEGABYTE) overfull.delete(socket);
      else if (!overfull.has(socket)) overfull.set(socket, now);
      else if (now - (overfull.get(socket) ?? now) > BUFFER_GRACE_MS) socket.destroy();
    }
  }, SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
  // Node restarts this timer with every read and with progress of a write, and sets it to keepAliveTimeout after a response.
  // A connection whose response is not ended yet stays.
  server.setTimeout(config.SEND_TIMEOUT * 1_000, (socket: Socket) => {
    if (socket.writableLength > 0 || !isHandling(socket)) socket.destroy();
  });
}

/** Wraps a handler so that a pipelined request starts when the response before it is sent. */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const run = (request: IncomingMessage, response: ServerResponse, queue: (() => void)[]): void => {
    response.once('close', () => {
      const next = queue.shift();
      if (next !== undefined) next();
      else waiting.delete(request.socket);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      const own: (() => void)[] = [];
      waiting.set(socket, own);
      run(request, response, own);
    } else if (queue.length < MAX_PIPELINED) {
      queue.push(() => run(request, response, queue));
    } else {
      socket.destroy();
    }
  };
}

/** A server that accepts requests. */
export interface WebServer {
  /** Base URL, without a slash at the end. */
  url: string;
  /**
   * First step of a rolling restart: `/readyz` fails and every response closes its connection, while requests are still
   * served. Resolves after `ms` milliseconds. With `isReplaced`, another process serves the same port and `/readyz` stays 200.
   */
  drain(ms: number, isReplaced?: boolean): Promise<void>;
  /** Closes the listener, ends event streams, and gives running requests `graceMs` milliseconds before it cuts them off. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 30_000;
/** Time that an idle connection stays open; shorter than the default of SHUTDOWN_DELAY, so that none is left when the listener closes. */
const KEEP_ALIVE_MS = 8_000;

/** The pace below which a sender is cut off, so that slow bodies do not hold connections. */
const SLOWEST = { bytesPerSecond: 1024, afterMs: 10_000, checkMs: 2_000 };

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 1_000,
  noDelay: true,
  // Skips reading the body of requests that have none. Older releases of Node ignore this option.
  optimizeEmptyRequests: true,
};

/**
 * The latest response of each connection. A set of running responses would change with every request and promote half of them to
 * the old generation of the heap.
 */
type LatestResponses = Map<Socket, ServerResponse>;

/**
 * Starts a server on HOST and PORT. `buildApp` makes the request handler; its argument returns whether the server shuts
 * down. With PORT 0 and no BASE_URL, BASE_URL becomes the assigned URL.
 */
export async function startWebServer(
  buildApp: (isStopping: () => boolean) => RequestListener,
  keepAliveMs = KEEP_ALIVE_MS,
): Promise<WebServer> {
  let stopping = false;
  let isLeaving = false;
  const latest: LatestResponses = new Map();
  const app = buildApp(() => isLeaving);
  const listener = oneAtATime((request, response) => {
    // Pipelined after a request whose response closes the connection: it would get no response.
    if (!request.socket.writable) return;
    if (!isPlainRequest(request)) return refuseRequest(response);
    if (stopping) response.setHeader('Connection', 'close');
    watchPace(request);
    latest.set(request.socket, response);
    app(request, response);
  });
  const server = createServer({ ...SERVER_OPTIONS, keepAliveTimeout: keepAliveMs }, listener);
  limitConnections(server, (socket) => latest.get(socket)?.writableEnded === false);
  // The application decides whether it wants the body, so that a refusal arrives before the client sends it.
  server.on('checkContinue', listener);
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)));
  const url = await listen(server);
  const closeConnections = () => {
    stopping = true;
    for (const response of latest.values()) if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    url,
    drain: async (ms, isReplaced = false) => {
      closeConnections();
      isLeaving = !isReplaced;
      await sleep(ms);
    },
    stop: async (graceMs = GRACE_MS) => {
      closeConnections();
      isLeaving = true;
      for (const response of latest.values()) if (isEventStream(response)) response.end();
      await close(server, graceMs);
    },
  };
}

/**
 * Whether a request has the form of HTTP/1.0 or 1.1 with one Host header at most (RFC 9112, 3.2). A proxy and this server could
 * read several hosts differently, and Node accepts them, and the requests of HTTP/0.9 as well.
 */
function isPlainRequest({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return httpVersionMajor === 1 && hosts <= 1;
}

function refuseRequest(response: ServerResponse): void {
  response.writeHead(400, { Connection: 'close', 'Content-Length': 0 }).end();
}

/** Listens on HOST and PORT. Returns the base URL, which becomes BASE_URL if that has port 0. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  const url = listenerUrl(config.HOST, (server.address() as AddressInfo).port);
  if (config.BASE_URL.endsWith(':0')) config.BASE_URL = url;
  return url;
}

/** Event streams have no end of their own. */
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
