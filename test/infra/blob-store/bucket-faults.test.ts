/* A bucket whose server hangs, fails, loses responses, or returns other bytes. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { UnavailableError } from '../../../src/errors.ts';
import { StoredFileError } from '../../../src/infra/blob-store/blob-store.ts';
import { S3BlobStore } from '../../../src/infra/blob-store/s3-blob-store.ts';
import { closeDatabase, pool } from '../../../src/infra/db.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { hasS3Server } from '../../support/s3-servers.ts';
import { HELLO, helloFile } from './hello-file.ts';
import { openBucket, STORES, sharedServer } from './stores.ts';

await STORES();
afterAll(closeDatabase);

/** Above the size of one part of an upload. */
const LARGE = 40 * 1024 * 1024;

describe.runIf(await hasS3Server('versitygw'))('a bucket', () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy((await sharedServer('versitygw')).endpoint);
  });
  afterEach(() => proxy.choose(() => 'none'));
  afterAll(() => proxy.close());

  /** A store behind the proxy. */
  async function open(timeoutMs = 1_000): Promise<S3BlobStore> {
    const { settings } = await openBucket('versitygw', async () => {});
    return new S3BlobStore({ ...settings, endpoint: proxy.url, timeoutMs });
  }

  async function largeFile(): Promise<{ path: string; sha256: string }> {
    const bytes = randomBytes(LARGE);
    const path = join(await mkdtemp(`${config.DATA_DIR}-large-`), 'file');
    await writeFile(path, bytes);
    return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  const hashOf = async (store: S3BlobStore, sha256: string): Promise<string> =>
    createHash('sha256')
      .update(await buffer(store.openVerified(sha256)))
      .digest('hex');

  it('gets a large file in parts, and continues a body that breaks', async () => {
    const store = await open(5_000);
    const file = await largeFile();
    await store.put(file);
    expect(proxy.requests.filter((line) => line.includes(file.sha256)).map((line) => line.split(' ')[0])).toEqual([
      ...['POST', 'PUT', 'PUT', 'PUT', 'POST'],
    ]);
    let reads = 0;
    proxy.choose((method) => (method === 'GET' && reads++ === 0 ? 'cut' : 'none'));
    expect(await hashOf(store, file.sha256)).toBe(file.sha256);
    expect(reads).toBe(2);
  });

  it('is given a request again whose response was lost, and one that failed', async () => {
    for (const fault of ['lose', 'error'] as const) {
      const store = await open(5_000);
      let writes = 0;
      proxy.choose((method) => (method === 'PUT' && writes++ === 0 ? fault : 'none'));
      await store.put(await helloFile());
      expect(await hashOf(store, HELLO)).toBe(HELLO);
    }
  });

  it('confirms no file that it received with other bytes', async () => {
    const store = await open();
    proxy.choose((method) => (method === 'PUT' ? 'alter-request' : 'none'));
    await expect(store.put(await helloFile())).rejects.toThrow(UnavailableError);
    proxy.choose(() => 'none');
    expect(await store.size(HELLO)).toBeNull();
    const { rows } = await pool.query('SELECT is_complete FROM stored_object');
    expect(rows).toEqual([{ is_complete: false }]);
  });

  it('gives out no complete file with other bytes', async () => {
    const store = await open();
    await store.put(await helloFile());
    proxy.choose((method) => (method === 'GET' ? 'alter' : 'none'));
    await expect(hashOf(store, HELLO)).rejects.toThrow(StoredFileError);
  });

  it('does not take a file for damaged that was altered on its way once', async () => {
    const store = await open();
    await store.put(await helloFile());
    for (const read of [() => hashOf(store, HELLO), () => buffer(store.openPart(HELLO, { start: 1, end: 2 }))]) {
      let reads = 0;
      proxy.choose((method) => (method === 'GET' && reads++ === 0 ? 'alter' : 'none'));
      await expect(read()).rejects.toThrow('The file could not be read (altered).');
      expect(await hashOf(store, HELLO)).toBe(HELLO);
    }
    let reads = 0;
    proxy.choose((method) => (method === 'GET' && reads++ === 0 ? 'alter' : 'none'));
    expect(await store.check(HELLO)).toBeNull();
  });

  it('that hangs fails requests in time, and after some of them at once, until it responds', async () => {
    const store = await open(300);
    await store.put(await helloFile());
    proxy.choose(() => 'hang');
    for (let request = 0; request < 5; request++) {
      await expect(hashOf(store, HELLO)).rejects.toThrow(UnavailableError);
    }
    const before = performance.now();
    await expect(hashOf(store, HELLO)).rejects.toThrow('The file could not be read (outage).');
    await expect(store.put(await helloFile())).rejects.toThrow('The file could not be stored (outage).');
    expect(performance.now() - before).toBeLessThan(250);
    expect(await store.size(HELLO)).toBe(5);
    proxy.choose(() => 'none');
    await expect.poll(() => hashOf(store, HELLO).catch(() => null), { timeout: 10_000 }).toBe(HELLO);
  });
});
