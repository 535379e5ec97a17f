import { get } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '../../src/config.ts';
import { breakOff } from '../../src/handlers/error-handlers.ts';
import { startWebServer, type WebServer } from '../../src/http/listener.ts';
import { log } from '../../src/infra/log.ts';

const before = { ...config };
let server: WebServer;

afterEach(async () => {
  await server.stop(0);
  Object.assign(config, before);
});

/** Whether the client received a whole response. */
const isComplete = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(server.url + path, (response) => {
      response.resume();
      response.on('error', () => {});
      response.once('close', () => resolve(response.complete));
    });
  });

it('reports an error after the headers and breaks the connection, and passes on an earlier one', async () => {
  config.PORT = 0;
  const [report, later] = [vi.spyOn(log, 'error').mockReturnValue(), vi.fn()];
  const thrown = new Error('of the disk');
  const app = express();
  app.use((_request, response, next) => {
    response.locals.sender = { requestId: 'a-request' };
    next();
  });
  app.get('/late', async (_request, response) => {
    await new Promise<void>((resolve) => response.write('a part', () => resolve()));
    throw thrown;
  });
  app.get('/early', () => {
    throw thrown;
  });
  const handleEarly: ErrorRequestHandler = (error, _request, response, _next) => {
    later(error);
    response.end();
  };
  app.use(breakOff, handleEarly);
  server = await startWebServer(() => app);

  expect(await isComplete('/late')).toBe(false);
  expect(report.mock.calls).toEqual([[{ err: thrown, requestId: 'a-request' }, 'request failed']]);
  expect(later).not.toHaveBeenCalled();

  expect(await isComplete('/early')).toBe(true);
  expect(report).toHaveBeenCalledOnce();
  expect(later.mock.calls).toEqual([[thrown]]);
});
