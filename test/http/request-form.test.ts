import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../src/http/listener.ts';

let server: WebServer;
const served: string[] = [];

beforeAll(async () => {
  server = await startWebServer(() => (request, response) => {
    served.push(`${request.method} ${request.url}`);
    response.end('served');
  });
});

afterAll(() => server.stop(0));

/** Sends bytes on a connection and returns all that the server sends until it closes the connection. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

describe('a request is refused with 400, its connection closed, if it', () => {
  it.each([
    ['has two Host headers', 'GET /two HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['has two equal Host headers', 'GET /equal HTTP/1.1\r\nhost: a\r\nHOST: a\r\n\r\n'],
    ['has two Host headers in HTTP/1.0', 'GET /old HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['has two Host headers and a body', 'POST /body HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 4\r\n\r\nbody'],
    [
      'waits to send a body',
      'PUT /wait HTTP/1.1\r\nHost: a\r\nHost: b\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
    ],
    ['has no Host header', 'GET /none HTTP/1.1\r\n\r\n'],
    ['is one of HTTP/0.9', 'GET /ancient\r\n\r\n'],
    ['is one of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const received = await exchange(bytes);
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(received).toMatch(/\r\nConnection: close\r\n/i);
    expect(received).not.toContain('served');
    expect(served).toEqual([]);
  });

  it('follows others on a connection, which get their response', async () => {
    const good = 'GET /good HTTP/1.1\r\nHost: a\r\n\r\n';
    const received = await exchange(`${good}GET /bad HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${good}`);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(served.splice(0)).toEqual(['GET /good']);
  });
});
