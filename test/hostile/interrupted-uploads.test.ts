/*
 * Clients that disconnect, clients that send slowly, and a disk without space: the server keeps no files of their uploads, and
 * accepts the next upload.
 */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, NoResponseError } from '../crash/support/http-exchange.ts';
import { createInstallation, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database.ts';
import { expectNoRoom, expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { noise } from '../support/hostile-archive.ts';
import { xpi } from '../support/packages.ts';

const INTERRUPTIONS = 100;
const CONCURRENT = 5;
/** Size limit of files that the server may write, which simulates a full disk. */
const FILE_SIZE_KB = 600;

let database: TestDatabase;
let installation: Installation;
let server: RunningProcess;
let key: ApiKey;
let slow: Promise<string>[];

beforeAll(async () => {
  database = await createTestDatabase();
  installation = await createInstallation(databaseSettings(database));
  key = await installation.developer('impatient');
  server = await installation.serve({ fileSizeKb: FILE_SIZE_KB });
  slow = [trickle('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '), trickle(await slowUpload())];
});

afterAll(async () => {
  await installation.remove();
  await database.drop();
});

/** The folder is created by the first upload whose body is read. */
async function stagedFiles(): Promise<string[]> {
  return readdir(join(installation.dataDir, 'blobs/staging')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function untilStagingIsEmpty(): Promise<void> {
  await until('an empty staging folder', 20_000, async () => ((await stagedFiles()).length === 0 ? true : null));
}

async function upload(guid: string, file: Buffer) {
  const { contentType, body } = uploadForm(file);
  return exchange({
    method: 'PUT',
    url: installation.url + versionPath(guid, '1.0'),
    headers: { authorization: authorization(key), 'content-type': contentType, 'content-length': String(body.length) },
    body,
  });
}

/** Starts an upload and disconnects after `bytes` of its body. */
async function disconnect(guid: string, form: { contentType: string; body: Buffer }, bytes: number): Promise<unknown> {
  async function* body(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes; at += 65_536) yield form.body.subarray(at, Math.min(at + 65_536, bytes));
    await sleep(bytes % 20);
    throw new Error('The client disconnects.');
  }
  const headers = {
    authorization: authorization(key),
    'content-type': form.contentType,
    'content-length': String(form.body.length),
  };
  const url = installation.url + versionPath(guid, '1.0');
  return exchange({ method: 'PUT', url, headers, body: body() }).catch((error: unknown) => error);
}

describe('uploads whose client disconnects', () => {
  it('leave nothing in staging, wherever they are interrupted', async () => {
    const form = uploadForm(await xpi({ guid: null, files: { 'noise.bin': noise(400_000) } }));
    const random = noise(INTERRUPTIONS * 4);

    for (let number = 0; number < INTERRUPTIONS; number += CONCURRENT) {
      const attempts = Array.from({ length: CONCURRENT }, (_, index) => {
        const bytes = random.readUInt32LE((number + index) * 4) % form.body.length;
        return disconnect(`gone-${number + index}@example.org`, form, bytes);
      });
      for (const outcome of await Promise.all(attempts)) expect(outcome).toBeInstanceOf(NoResponseError);
    }

    await untilStagingIsEmpty();
    expect(server.isRunning()).toBe(true);
  });

  it('leave their version numbers free', async () => {
    expect((await upload('gone-0@example.org', await xpi({ guid: null }))).status).toBe(201);
  });
});

describe('a client that sends one byte per second', () => {
  it('is disconnected while it sends headers or a body', async () => {
    const [head, body] = await Promise.all(slow);

    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toBe('');
  });
});

describe('an upload that does not fit on the disk', () => {
  it('gets 503 when the disk fills up, and leaves nothing in staging', async () => {
    const file = await xpi({ guid: null, files: { 'noise.bin': noise(FILE_SIZE_KB * 1024) } });

    const response = await upload('large@example.org', file);

    expectNoRoom(response);
    await untilStagingIsEmpty();
  });

  it('is accepted by the same process if it is smaller', async () => {
    const response = await upload('large@example.org', await xpi({ guid: null }));

    expect(response.status).toBe(201);
    expect(server.isRunning()).toBe(true);
  });

  it('gets the 503 of read-only mode before the body is sent if free space is already low', async () => {
    await server.end('SIGTERM');
    server = await installation.serve({ settings: { LOW_DISK_MB: '1000000000' } });

    const response = await exchange({
      method: 'PUT',
      url: installation.url + versionPath('low@example.org', '1.0'),
      headers: {
        authorization: authorization(key),
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
        expect: '100-continue',
      },
      body: neverSent(),
    });

    const text =
      "Some features are temporarily disabled while we perform website maintenance. We'll be back to full capacity shortly.";
    const { body, ...reply } = response;
    const refusal = { ...signingRefusal(503, text), headers: { 'x-svc-read-only': 'true' } };
    expectRefusal({ ...reply, json: JSON.parse(body.toString()) }, refusal);
    expect(await stagedFiles()).toEqual([]);
  });
});

/** The body of a client that waits for 100 Continue. */
async function* neverSent(): AsyncGenerator<Buffer> {
  await new Promise(() => {});
  yield Buffer.alloc(0);
}

/** Sends `start`, then a byte per second until the server closes the connection. Returns what the server sent. */
async function trickle(start: string): Promise<string> {
  const { hostname, port } = new URL(installation.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(start);
  const timer = setInterval(() => socket.write('x'), 1000);
  let received = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece;
  });
  // A byte that is sent after the response makes the server reset the connection.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return received;
}

async function slowUpload(): Promise<string> {
  const lines = [
    `PUT ${versionPath('slow@example.org', '1.0')} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization(key)}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 100000',
    '',
    '--b',
    'Content-Disposition: form-data; name="upload"; filename="a.xpi"',
    '',
    '',
  ];
  return lines.join('\r\n');
}
