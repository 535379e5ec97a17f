import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '../../src/config.ts';
import { startWebServer, type WebServer } from '../../src/http/listener.ts';
import { streamBody } from '../../src/http/send-blob.ts';

const before = { ...config };
let server: WebServer | undefined;

afterEach(async () => {
  await server?.stop(0);
  Object.assign(config, before);
});

it('opens nothing for a client that has disconnected before, which is no error', async () => {
  config.PORT = 0;
  const open = vi.fn(() => Readable.from(['text']));
  const received = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<boolean>();
  server = await startWebServer(() => (_request, response) => {
    received.resolve();
    response.once('close', () => delivered.resolve(streamBody(response, open)));
  });
  const request = get(server.url);
  request.on('error', () => {});
  await received.promise;

  request.destroy();

  expect(await delivered.promise).toBe(false);
  expect(open).not.toHaveBeenCalled();
});

it('sends a stream, and reports that the client received everything', async () => {
  config.PORT = 0;
  const delivered = Promise.withResolvers<boolean>();
  server = await startWebServer(() => (_request, response) => {
    delivered.resolve(streamBody(response, () => Readable.from(['text'])));
  });

  const [response] = await once(get(server.url), 'response');

  expect(await response.setEncoding('utf8').toArray()).toEqual(['text']);
  expect(await delivered.promise).toBe(true);
});
