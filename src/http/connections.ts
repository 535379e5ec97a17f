/*
 * Limits on client connections: how many an address may hold, how much unread response data each may hold, and for how long.
 * They bound the memory that clients which never read their responses can take.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { config } from '../config.ts';
import { networkOf } from '../infra/network.ts';
import { compileTrust } from './client-address.ts';

const MEGABYTE = 1024 * 1024;
/** A connection with more than SEND_BUFFER_MB unsent has this long to get below it. */
const BUFFER_GRACE_MS = 10_000;
const SWEEP_MS = 1_000;
/** Pipelined requests that may wait on one connection. */
const MAX_PIPELINED = 32;

/**
 * Closes connections above CONNECTIONS_PER_ADDRESS, and those whose clients do not read. Call before the server listens.
 * `isHandling` says whether the application has yet to end the response of a connection.
 */
export function limitConnections(server: Server, isHandling: (socket: Socket) => boolean): void {
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
export function oneAtATime(handle: RequestListener): RequestListener {
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
