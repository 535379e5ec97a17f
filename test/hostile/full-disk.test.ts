/* A disk that is full: the largest one that an unprivileged process can mount. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type HttpResponse } from '../crash/support/http-exchange.ts';
import {
  canMountDisks,
  createInstallation,
  type Installation,
  type RunningProcess,
} from '../crash/support/installation.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database.ts';
import { expectNoRoom } from '../support/expect-refusal.ts';
import { noise } from '../support/hostile-archive.ts';
import { xpi } from '../support/packages.ts';

const MEGABYTE = 1024 * 1024;
const DISK_MB = 6;
const isPossible = await canMountDisks();
if (!isPossible) console.log('skipped: this machine cannot mount a disk');

let database: TestDatabase;
let installation: Installation;
let server: RunningProcess;
let key: ApiKey;

describe.runIf(isPossible)('a full disk', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    const SECRET_KEY = randomBytes(32).toString('hex');
    installation = await createInstallation({ ...databaseSettings(database), SECRET_KEY, LOW_DISK_MB: '0' });
    key = await installation.developer('cramped');
    server = await installation.serve({ diskMb: DISK_MB });
  });

  afterAll(async () => {
    await installation.remove();
    await database.drop();
  });

  async function upload(guid: string, bytes: number): Promise<HttpResponse> {
    const { contentType, body } = uploadForm(await xpi({ guid, files: { 'noise.bin': noise(bytes) } }));
    const headers = {
      authorization: authorization(key),
      'content-type': contentType,
      'content-length': String(body.length),
    };
    const url = installation.url + versionPath(guid, '1.0');
    return exchange({ method: 'PUT', url, headers, body });
  }

  const staged = () => readdir(join(server.dataDir, 'blobs/staging'));
  const blobs = async () =>
    (await readdir(join(server.dataDir, 'blobs'), { recursive: true })).filter((name) => /\w{64}$/.test(name));

  it('refuses uploads that do not fit with 503, and accepts smaller ones', async () => {
    expect((await upload('first@example.org', 3 * MEGABYTE)).status).toBe(201);
    expectNoRoom(await upload('second@example.org', 4 * MEGABYTE));
    expect(await staged()).toEqual([]);
    expect(await blobs()).toHaveLength(1);
    expect((await upload('third@example.org', MEGABYTE)).status).toBe(201);
  });

  it('accepts uploads again in the same process once there is space', async () => {
    const filler = join(server.dataDir, 'filler');
    await writeFile(filler, noise(MEGABYTE));
    for (let round = 0; round < 20; round++) expectNoRoom(await upload('second@example.org', 2 * MEGABYTE));
    await rm(filler);
    expect((await upload('second@example.org', 1.5 * MEGABYTE)).status).toBe(201);
    expect(await staged()).toEqual([]);
    expect(await blobs()).toHaveLength(3);
    expect(server.isRunning()).toBe(true);
  });

  it('refuses uploads with 503 while it has space but no room for another file', async () => {
    const folder = join(server.dataDir, 'files');
    await mkdir(folder);
    const fill = async () => {
      for (let count = 0; ; count++) await writeFile(join(folder, String(count)), '');
    };
    await expect(fill()).rejects.toThrow('ENOSPC');
    expectNoRoom(await upload('fourth@example.org', 1));
    await rm(folder, { recursive: true });
    expect((await upload('fourth@example.org', 1)).status).toBe(201);
  });
});
