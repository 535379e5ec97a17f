import { readdir } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, encodeForm } from '../support/client.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { ignored } from '../support/ignored.ts';
import { xpi } from '../support/packages.ts';

const MB = 1024 * 1024;
const TYPE = { 'Content-Type': 'multipart/form-data; boundary=----a-boundary-of-the-tests' };
const taken = '/api/v4/addons/taken@bodies.test/versions/1.0/';
const free = '/api/v4/addons/free@bodies.test/versions/1.0/';

const app = setUpApp();
let dev: Client;

beforeAll(async () => {
  dev = await app.developer();
  await dev.put(taken, { upload: await xpi({ guid: 'taken@bodies.test', version: '1.0' }) });
});

function open(path: string, headers: Record<string, string>): ClientRequest {
  return httpRequest(app.url + path, { method: 'PUT', agent: false, headers: { ...TYPE, ...headers } });
}

const responseTo = (request: ClientRequest) =>
  new Promise<{ status: number; json: unknown; headers: IncomingHttpHeaders }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, json: JSON.parse(body), headers }), reject);
    });
  });

/** Sends a body. A client that gets the whole response earlier, on a busy machine, stops sending. */
const send = (pieces: Iterable<Buffer>, request: ClientRequest) =>
  pipeline(Readable.from(pieces), request).catch(ignored);

const TAKEN = signingRefusal(409, 'Version already exists. Latest version is: 1.0.');
const UNAUTHENTICATED = signingRefusal(401, 'Authentication credentials were not provided.');

/** The start of a form whose file never ends. */
function* formOf(size: number): Generator<Buffer> {
  yield encodeForm({ upload: Buffer.alloc(0) }).subarray(0, 160);
  const chunk = Buffer.alloc(64 * 1024, 1);
  for (let sent = 160; sent < size; sent += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, size - sent));
}

describe('a body that is refused before it is read', () => {
  it('is discarded for an authenticated client, which gets the response', async () => {
    const request = open(taken, { ...dev.authorization(), 'Content-Length': String(30 * MB) });
    const response = responseTo(request);
    await send(formOf(30 * MB), request);
    expectRefusal(await response, TAKEN);
  });

  it('does not delay the response to a slow client', async () => {
    for (const headers of [{}, dev.authorization()]) {
      const request = open(taken, { ...headers, 'Content-Length': String(15 * MB) });
      const response = responseTo(request);
      request.write(Buffer.alloc(1000));
      const refused = await response;
      expectRefusal(refused, 'Authorization' in headers ? TAKEN : UNAUTHENTICATED);
      expect(refused.headers.connection).toBe('close');
      request.destroy();
    }
  });

  it('closes the connection of an anonymous client that never stops sending', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT ${free} HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE['Content-Type']}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const received = text(socket).catch(() => 'cut off');
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 1), Buffer.from('\r\n')]);
    let sent = 0;
    function* endless() {
      for (; ; sent += chunk.length) yield chunk;
    }
    await expect(pipeline(Readable.from(endless()), socket)).rejects.toThrow();
    await received;
    expect(sent).toBeGreaterThan(19 * MB);
    expect(sent).toBeLessThan(60 * MB);
  });

  it('gets no 100 Continue', async () => {
    const request = open(taken, { ...dev.authorization(), 'Content-Length': '5000000', Expect: '100-continue' });
    let continued = false;
    request.on('continue', () => {
      continued = true;
    });
    request.flushHeaders();
    const refused = await responseTo(request);
    expectRefusal(refused, TAKEN);
    expect([continued, refused.headers.connection]).toEqual([false, 'close']);
    request.destroy();
  });

  it('gets 100 Continue when it is accepted', async () => {
    const body = encodeForm({ upload: await xpi({ guid: 'continued@bodies.test', version: '1.0' }) });
    const headers = { ...dev.authorization(), 'Content-Length': String(body.length), Expect: '100-continue' };
    const request = open('/api/v4/addons/continued@bodies.test/versions/1.0/', headers);
    request.on('continue', () => request.end(body));
    request.flushHeaders();
    expect((await responseTo(request)).status).toBe(201);
  });
});

describe('an upload over the limit', () => {
  const OVER = signingRefusal(400, 'File exceeds the upload limit of 200 MB.');

  it('is refused at once by its Content-Length', async () => {
    const request = open(free, { ...dev.authorization(), 'Content-Length': String(300 * MB) });
    request.flushHeaders();
    expectRefusal(await responseTo(request), OVER);
    request.destroy();
  });

  it('is refused when it is one byte too large', async () => {
    const head = encodeForm({ upload: Buffer.alloc(0) });
    const [start, end] = [head.subarray(0, head.indexOf('\r\n\r\n') + 4), head.subarray(head.indexOf('\r\n\r\n') + 4)];
    function* form() {
      yield start;
      for (let sent = 0; sent < 200; sent++) yield Buffer.alloc(MB);
      yield Buffer.alloc(1);
      yield end;
    }
    const request = open(free, { ...dev.authorization(), 'Transfer-Encoding': 'chunked' });
    const response = responseTo(request);
    await send(form(), request);
    expectRefusal(await response, OVER);
    expect(await readdir(`${app.config.DATA_DIR}/blobs/staging`)).toEqual([]);
  });
});

describe('an upload that is interrupted', () => {
  it('leaves nothing in staging', async () => {
    for (const size of [10, 200, 70_000, 3 * MB]) {
      const request = open(free, { ...dev.authorization(), 'Content-Length': String(10 * MB) });
      request.on('error', () => {});
      await pipeline(Readable.from(formOf(size)), request, { end: false });
      await delay(20);
      request.destroy();
    }
    const staged = () => readdir(`${app.config.DATA_DIR}/blobs/staging`);
    await expect.poll(staged, { timeout: 10_000 }).toEqual([]);
    expect((await app.anonymous.get('/healthz')).status).toBe(200);
  });
});
