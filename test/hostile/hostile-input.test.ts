/*
 * Sends every hostile package, form and credential to a web server in its own process. Each gets its documented response, and
 * the server keeps working.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type HttpResponse } from '../crash/support/http-exchange.ts';
import { createInstallation, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { hostileUploads } from '../support/hostile-archives.ts';
import { xpi } from '../support/packages.ts';
import { hostileTokens } from '../support/tokens.ts';
import { type FormCase, formCases } from './forms.ts';

const MEGABYTE = 1024 * 1024;
const MEMORY_RISE = 150 * MEGABYTE;
const UPLOAD_LIMIT = 200 * MEGABYTE;

let database: TestDatabase;
let installation: Installation;
let server: RunningProcess;
let key: ApiKey;
let memoryBefore: number;

beforeAll(async () => {
  database = await createTestDatabase();
  installation = await createInstallation(databaseSettings(database));
  key = await installation.developer('attacker');
  server = await installation.serve();
  for (let number = 1; number <= 5; number++)
    expect((await goodUpload('warm@example.org', `1.${number}`)).status).toBeLessThan(300);
  memoryBefore = await server.memory();
});

afterAll(async () => {
  await installation.remove();
  await database.drop();
});

/** Add-on ids that no other request of this file uses. */
const guids = (function* () {
  for (let number = 1; ; number++) yield `hostile-${number}@example.org`;
})();

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: FormCase['body'],
  chunkBytes?: number,
) {
  const length: Record<string, string> = chunkBytes === undefined ? { 'content-length': String(body.length) } : {};
  return exchange({
    method,
    url: installation.url + path,
    headers: { authorization: authorization(key), ...length, ...headers },
    body: chunkBytes === undefined ? body : inPieces(body, chunkBytes),
  });
}

async function* inPieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function goodUpload(guid: string, version: string): Promise<HttpResponse> {
  const { contentType, body } = uploadForm(await xpi({ guid, version }));
  return send('PUT', versionPath(guid, version), { 'content-type': contentType }, body);
}

const read = (response: HttpResponse) => ({ ...response, json: JSON.parse(response.body.toString()) as unknown });

const archives = hostileUploads();

describe('a hostile package', () => {
  it.each(archives)('is refused: $name', async ({ bytes, text }) => {
    const { contentType, body } = uploadForm(bytes);

    const response = await send('PUT', versionPath(guids.next().value, '1.0'), { 'content-type': contentType }, body);

    const reply = read(response);
    const { error } = reply.json as { error: string };
    expect(error.startsWith(text), error).toBe(true);
    expectRefusal(reply, signingRefusal(400, error));
  });
});

describe('a hostile form', () => {
  const cases = new Map<string, FormCase>();
  beforeAll(async () => {
    // The package has no id, so each form creates an add-on.
    const file = await xpi({ guid: null, version: '1.0' });
    for (const each of formCases(file, '1.0')) cases.set(each.name, each);
  });

  it.each(formCases(Buffer.alloc(1), '1.0').map(({ name, status }) => ({ name, status })))(
    'returns $status: $name',
    async ({ name }) => {
      const { method, headers, body, chunkBytes, status, text } = cases.get(name) as FormCase;
      const path = method === 'POST' ? '/api/v4/addons/' : versionPath(guids.next().value, '1.0');

      const response = await send(method, path, headers, body, chunkBytes);

      if (status === 201) {
        expect(read(response)).toMatchObject({ status, json: { processed: false } });
      } else {
        expectRefusal(
          read(response),
          status === 415 ? { status, json: { detail: text } } : signingRefusal(status, text),
        );
      }
    },
  );

  it('is refused one byte over the limit', async () => {
    const { contentType, body } = uploadForm(Buffer.alloc(UPLOAD_LIMIT + 1));
    const path = versionPath(guids.next().value, '1.0');

    const response = await send('PUT', path, { 'content-type': contentType }, body, MEGABYTE);

    expectRefusal(read(response), signingRefusal(400, 'File exceeds the upload limit of 200 MB.'));
  });
});

/** The number of one-time tokens that were accepted. */
async function usedNonces(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query('SELECT FROM spent_token')).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

describe('an invalid credential', () => {
  // The names do not depend on the key, which does not exist yet.
  const names = hostileTokens({ key: 'key', secret: 'secret', now: 0 }).map(({ name }) => name);
  const tokens = new Map<string, ReturnType<typeof hostileTokens>[number]>();
  let used: number;
  beforeAll(async () => {
    used = await usedNonces();
    for (const token of hostileTokens({ ...key, now: Math.floor(Date.now() / 1000) })) tokens.set(token.name, token);
  });

  it.each(names)('is refused: %s', async (name) => {
    const { header, detail, code } = tokens.get(name) ?? expect.fail();

    const response = await send(
      'GET',
      versionPath('warm@example.org', '1.1'),
      { authorization: header },
      Buffer.alloc(0),
    );

    const text: unknown = typeof detail === 'string' ? detail : expect.stringMatching(detail);
    expectRefusal(read(response), signingRefusal(401, text, code));
  });

  it('uses no nonce', async () => {
    expect(used).toBeGreaterThan(0);
    expect(await usedNonces()).toBe(used);
  });
});

describe('the server after all of them', () => {
  it('has received at least 100 packages, 77 different credentials and 20 forms', () => {
    expect(archives.length).toBeGreaterThanOrEqual(100);
    const names = hostileTokens({ key: '', secret: '', now: 0 }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(77);
    expect(formCases(Buffer.alloc(1), '1.0').filter(({ status }) => status !== 201).length).toBeGreaterThanOrEqual(20);
  });

  it('runs in the same process and accepts an upload', async () => {
    expect(server.isRunning()).toBe(true);
    expect((await goodUpload('warm@example.org', '2.0')).status).toBe(202);
  });

  it('has used less than 150 MB of additional memory at any time', async () => {
    expect((await server.peakMemory()) - memoryBefore).toBeLessThan(MEMORY_RISE);
  });

  it('has no files in staging', async () => {
    expect(await readdir(join(installation.dataDir, 'blobs/staging'))).toEqual([]);
  });
});
