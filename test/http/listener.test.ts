import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startWebServer, watchPace } from '../../src/http/listener.ts';

describe('the web server', () => {
  it('has the URL that it listens on, which becomes the base URL', async () => {
    const { config } = await import('../../src/config.ts');
    const server = await startWebServer(() => (_request, response) => response.end('hello'));
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(config.BASE_URL).toBe(server.url);
    expect(await (await fetch(server.url)).text()).toBe('hello');
    await server.stop();
  });

  it('closes idle connections before the listener of a process that stops', async () => {
    const { readConfig } = await import('../../src/config.ts');
    const server = await startWebServer(() => (_request, response) => response.end());
    const hint = (await fetch(server.url)).headers.get('keep-alive');
    await server.stop();
    const seconds = Number(/timeout=(\d+)/.exec(hint ?? '')?.[1]);
    // Node closes the connection a second after the time that it announces.
    expect(seconds + 1).toBeLessThan(readConfig({}).SHUTDOWN_DELAY);
  });

  it('completes open requests, ends event streams and accepts no new connections when it stops', async () => {
    let finish = () => {};
    let stopping = () => false;
    const server = await startWebServer((isStopping) => {
      stopping = isStopping;
      return (request, response) => {
        if (request.url === '/events') {
          response.setHeader('Content-Type', 'text/event-stream');
          response.write(':\n\n');
        } else {
          finish = () => response.end('done');
        }
      };
    });
    const events = await fetch(`${server.url}/events`);
    const slow = fetch(`${server.url}/slow`);
    while (String(finish) === '() => {}') await delay(5);
    const stopped = server.stop();
    expect(stopping()).toBe(true);
    expect(await events.text()).toBe(':\n\n');
    await expect(fetch(`${server.url}/late`)).rejects.toThrow();
    finish();
    expect(await (await slow).text()).toBe('done');
    await stopped;
  });

  it('closes connections that do not end in time', async () => {
    const server = await startWebServer(() => () => {});
    const hanging = fetch(server.url).catch(() => 'closed');
    await delay(50);
    await server.stop(50);
    expect(await hanging).toBe('closed');
  });
});

describe('a client that sends slowly', () => {
  it('is disconnected, while one above the minimum rate is not', async () => {
    const server = createServer((request, response) => {
      watchPace(request, { bytesPerSecond: 1000, afterMs: 100, checkMs: 20 });
      request.on('error', () => {});
      request.on('end', () => response.end());
      request.resume();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';
    const trickle = connect(port, '127.0.0.1');
    trickle.on('error', () => {});
    trickle.write(head);
    const drip = setInterval(() => trickle.write('x'), 20);
    await new Promise((resolve) => trickle.on('close', resolve));
    clearInterval(drip);
    const steady = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: Buffer.alloc(1_000_000) });
    expect(steady.status).toBe(200);
    server.close();
  });
});
