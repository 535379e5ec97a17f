import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '../../src/config.ts';
import { startWebServer, type WebServer } from '../../src/http/listener.ts';

const LARGE = Buffer.alloc(16 * 1024 * 1024);
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const before = { ...config };
const sockets: Socket[] = [];
let server: WebServer | undefined;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop(0);
  vi.restoreAllMocks();
  Object.assign(config, before);
});

async function serve(handler: RequestListener): Promise<string> {
  config.PORT = 0;
  server = await startWebServer(() => handler);
  return server.url;
}

/** Opens a connection that never reads. */
async function openUnread(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket.pause();
}

/** Makes the clock run `times` as fast; timers keep their speed. */
function makeTimePass(times: number): void {
  const now = performance.now.bind(performance);
  const start = now();
  vi.spyOn(performance, 'now').mockImplementation(() => start + (now() - start) * times);
}

/** Requests a large response and does not read it. Resolves once the connection is closed, to whether all was sent. */
async function sentToIdleClient(): Promise<boolean> {
  const closed = Promise.withResolvers<boolean>();
  const url = await serve((_request, response) => {
    response.once('close', () => closed.resolve(response.writableFinished));
    response.end(LARGE);
  });
  (await openUnread(url)).write(REQUEST);
  return closed.promise;
}

it('disconnects a client that does not read its response', async () => {
  config.SEND_TIMEOUT = 1;
  expect(await sentToIdleClient()).toBe(false);
});

it('disconnects a client that leaves more than SEND_BUFFER_MB unread before the send timeout', async () => {
  Object.assign(config, { SEND_BUFFER_MB: 1, SEND_TIMEOUT: 600 });
  makeTimePass(6);
  expect(await sentToIdleClient()).toBe(false);
});

it('starts a pipelined request once the previous response is sent', async () => {
  let started = 0;
  const url = await serve((_request, response) => {
    started += 1;
    response.end(LARGE);
  });

  (await openUnread(url)).write(REQUEST.repeat(20));
  while (started === 0) await sleep(10);
  const other = get(`${url}/`);
  const [response] = await once(other, 'response');
  await once(response.resume(), 'end');

  expect(started).toBe(2);
});

it('sends responses to pipelined requests in order', async () => {
  const url = await serve((request, response) => response.end(`<${request.url}>`));
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });

  socket.write([1, 2, 3].map((index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));

  await expect.poll(() => text.match(/<[^>]+>/g)).toEqual(['</1>', '</2>', '</3>']);
});

it('closes connections above the limit of a client address', async () => {
  config.CONNECTIONS_PER_ADDRESS = 2;
  const url = await serve((_request, response) => response.end('x'));
  const [first] = [await openUnread(url), await openUnread(url)];

  await expect(fetch(url)).rejects.toThrow();
  first?.destroy();

  await expect
    .poll(() =>
      fetch(url).then(
        (response) => response.text(),
        () => null,
      ),
    )
    .toBe('x');
});

it('does not count connections of trusted proxies', async () => {
  Object.assign(config, { CONNECTIONS_PER_ADDRESS: 1, TRUSTED_PROXIES: ['127.0.0.1'] });
  const url = await serve((_request, response) => response.end('x'));
  await openUnread(url);

  expect(await (await fetch(url)).text()).toBe('x');
});

it('closes a connection that stays idle after a response', async () => {
  config.PORT = 0;
  server = await startWebServer(() => (_request, response) => response.end('done'), 100);
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
  sockets.push(socket);

  socket.write(REQUEST);

  await once(socket.resume(), 'close');
  expect(socket.bytesRead).toBeGreaterThan(0);
});
