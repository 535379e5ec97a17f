/* The log line of a request says what was sent. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { blobFile } from '../support/blob-file.ts';
import { addon } from '../support/factories.ts';
import { FILE } from '../support/updates.ts';

/** More than the connection buffers, so that a client can disconnect before the end. */
const SIZE = 32 * 1024 * 1024;

const app = setUpApp();
let stored: { sha256: string; path: string; bytes: Buffer };
const lines: Record<string, unknown>[] = [];
let errors: MockInstance;

beforeAll(async () => {
  const bytes = randomBytes(SIZE);
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  const { receiveFile } = await import('../../src/infra/staging/staging.ts');
  const staged = await receiveFile(Readable.from([bytes]));
  await blobs.put(staged);
  const { sha256 } = staged;
  const file = { ...FILE, sha256, originalSha256: sha256, size: BigInt(SIZE) };
  const { versions } = await addon({ status: 'public', versions: [{ version: '1.0', files: [file] }] });
  stored = { sha256, path: `/downloads/file/${versions[0]?.files[0]?.id}/x.xpi`, bytes };
  const { log } = await import('../../src/infra/log.ts');
  log.level = 'info';
  errors = vi.spyOn(log, 'error').mockImplementation(() => {});
  for (const level of ['info', 'warn', 'alert'] as const) {
    vi.spyOn(log, level).mockImplementation((facts: unknown, text?: string) => {
      if (text === 'request') lines.push({ level, ...(facts as object) });
    });
  }
});
beforeEach(() => {
  lines.splice(0);
  errors.mockClear();
});
afterAll(async () => {
  vi.restoreAllMocks();
  const { log } = await import('../../src/infra/log.ts');
  const { config } = await import('../../src/config.ts');
  log.level = config.LOG_LEVEL;
});

const address = () => app.url + stored.path;

/** The only line, without what differs from run to run. */
async function line(): Promise<Record<string, unknown> & { bytes: number }> {
  await expect.poll(() => lines.length).toBe(1);
  const { requestId: _id, milliseconds: _took, ...facts } = lines[0] ?? {};
  return facts as Record<string, unknown> & { bytes: number };
}

async function answer(method: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [response] = (await once(request(address(), { method, headers }).end(), 'response')) as [IncomingMessage];
  return response;
}

it('has the status and the bytes of a whole response', async () => {
  expect((await buffer(await answer('GET'))).equals(stored.bytes)).toBe(true);
  const { bytes, ...facts } = await line();
  expect(facts).toEqual({
    level: 'info',
    method: 'GET',
    path: stored.path,
    status: 200,
    aborted: false,
    operations: 'FileDownload',
  });
  expect(bytes).toBeGreaterThan(SIZE);
  expect(bytes).toBeLessThan(SIZE * 1.01);
});

it.each([
  ['HEAD', 200, 'another'],
  ['GET', 304, 'the same'],
])('has the bytes of the headers for %s with status %i', async (method, status, tag) => {
  const etag = tag === 'another' ? '"another"' : `"${stored.sha256}"`;
  (await answer(method, { 'If-None-Match': etag })).resume();
  const { bytes, ...facts } = await line();
  expect(facts).toEqual({
    level: 'info',
    method,
    path: stored.path,
    status,
    aborted: false,
    operations: 'FileDownload',
  });
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThan(4_000);
});

it('counts each response of a connection by itself', async () => {
  for (let round = 0; round < 2; round++) await app.anonymous.get('/signing/root.pem');
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[1]?.bytes).toBe(lines[0]?.bytes);
});

it('names the operations of a GraphQL request, and shortens what the client calls them', async () => {
  await app.anonymous.graphql(`query ${'Long'.repeat(50)} { addons(first: 1) { totalCount } }`, {});
  expect((await line())['operations']).toBe(`client ${'Long'.repeat(50)}`.slice(0, 100));
});

it('is of level debug for probes', async () => {
  await app.anonymous.get('/healthz');
  await app.anonymous.get('/readyz');
  await app.anonymous.get('/signing/root.pem');
  expect(await line()).toMatchObject({ path: '/signing/root.pem' });
});

it('has the bytes sent to a client that disconnected', async () => {
  (await answer('GET')).destroy();
  const { bytes, ...facts } = await line();
  expect(facts).toEqual({
    level: 'info',
    method: 'GET',
    path: stored.path,
    status: 200,
    aborted: true,
    operations: 'FileDownload',
  });
  expect(bytes).toBeLessThan(SIZE);
  await setTimeout(200);
  expect(errors).not.toHaveBeenCalled();
});

it.each([
  ['client', 'info'],
  ['service', 'warn'],
])('has no status when the %s ends the connection before the headers', async (who, level) => {
  const { startWebServer } = await import('../../src/http/listener.ts');
  const { logRequest } = await import('../../src/http/request-id.ts');
  const { config } = await import('../../src/config.ts');
  config.PORT = 0;
  const received = Promise.withResolvers<ServerResponse>();
  const server = await startWebServer(() => (incoming, response) => {
    logRequest(incoming, response, 'an-id');
    received.resolve(response);
  });
  const outgoing = get(`${server.url}/path`);
  outgoing.on('error', () => {});
  const ended = { client: outgoing, service: await received.promise };
  ended[who as keyof typeof ended].destroy();
  expect(await line()).toEqual({ level, method: 'GET', path: '/path', status: null, bytes: 0, aborted: true });
  await server.stop(0);
});

it('is a warning for a download that the service broke off', async () => {
  const changed = Buffer.from(stored.bytes);
  changed[SIZE - 1] = (changed[SIZE - 1] ?? 0) ^ 1;
  await writeFile(blobFile(app.config.DATA_DIR, stored.sha256), changed);
  await expect(buffer(await answer('GET'))).rejects.toThrow('aborted');
  const { bytes, ...facts } = await line();
  expect(facts).toEqual({
    level: 'warn',
    method: 'GET',
    path: stored.path,
    status: 200,
    aborted: true,
    operations: 'FileDownload',
  });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(SIZE);
  expect(errors).toHaveBeenCalledOnce();
});
