/* The behaviour of every blob store: the folder, and buckets of two servers, with and without a cache. */
import { access } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../src/errors.ts';
import {
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  StoredFileError,
} from '../../../src/infra/blob-store/blob-store.ts';
import { closeDatabase } from '../../../src/infra/db.ts';
import { HELLO, helloFile } from './hello-file.ts';
import { STORES, type StoreFixture } from './stores.ts';

const MISSING = '0'.repeat(64);

afterAll(closeDatabase);

describe.each(await STORES())('a blob store: $name', ({ open }) => {
  let store: BlobStore;
  let fixture: StoreFixture;
  let reported: string[];
  beforeEach(async () => {
    reported = [];
    fixture = await open(async ({ sha256, problem }) => void reported.push(`${problem} ${sha256}`));
    store = fixture.store;
  });

  const whole = async () => (await buffer(store.openVerified(HELLO))).toString();
  const part = async (range: ByteRange) => (await buffer(store.openPart(HELLO, range))).toString();
  const list = async (olderThanMs: number) => {
    const entries: BlobEntry[] = await Readable.from(store.entries()).toArray();
    return entries.filter(({ modified }) => Date.now() - modified > olderThanMs).map(({ sha256 }) => sha256);
  };

  it('takes over the file, and stores equal bytes once', async () => {
    for (let round = 0; round < 2; round++) {
      const file = await helloFile();
      await store.put(file);
      await expect(access(file.path)).rejects.toThrow('ENOENT');
    }
    expect(await list(-1)).toEqual([HELLO]);
    expect(await store.size(HELLO)).toBe(5);
  });

  it('streams a blob and any range of it', async () => {
    await store.put(await helloFile());
    expect(await whole()).toBe('hello');
    expect(await part({ start: 1, end: 3 })).toBe('ell');
    expect(await part({ start: 3, end: 4 })).toBe('lo');
    expect(await part({ start: 0, end: 0 })).toBe('h');
  });

  it('reports missing blobs', async () => {
    expect(await store.size(MISSING)).toBeNull();
    expect(await store.remove(MISSING, 0)).toBe(false);
    expect(await list(-1)).toEqual([]);
    await expect(buffer(store.openVerified(MISSING))).rejects.toThrow(new StoredFileError(MISSING, 'lost'));
    await expect(store.requireSize(MISSING)).rejects.toThrow(new StoredFileError(MISSING, 'lost'));
    expect(reported).toEqual([`lost ${MISSING}`, `lost ${MISSING}`]);
  });

  it('gives out no complete blob with other bytes, and finds it damaged until the file is replaced', async () => {
    await store.put(await helloFile());
    await fixture.spoil('jello');
    expect(await store.requireSize(HELLO)).toBe(5);
    const damaged = new StoredFileError(HELLO, 'damaged');
    const chunks: Buffer[] = [];
    const read = async () => {
      for await (const chunk of store.openVerified(HELLO)) chunks.push(chunk);
    };
    await expect(read()).rejects.toThrow(damaged);
    expect(chunks).toEqual([]);
    await expect(store.requireSize(HELLO)).rejects.toThrow(damaged);
    await store.put(await helloFile());
    expect(await store.requireSize(HELLO)).toBe(5);
    expect(await whole()).toBe('hello');
    expect(reported).toEqual([`damaged ${HELLO}`, `damaged ${HELLO}`]);
  });

  it('sends no part of a damaged blob, and reads a whole one once for all parts of it', async () => {
    await store.put(await helloFile());
    await fixture.spoil('jello');
    const first = { start: 0, end: 0 };
    await expect(part(first)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
    await expect(part(first)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
    await expect(store.requireSize(HELLO)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
    await expect(buffer(store.openPart(MISSING, first))).rejects.toThrow(new StoredFileError(MISSING, 'lost'));
    await store.put(await helloFile());
    expect(await Promise.all([part(first), part({ start: 1, end: 4 }), part(first)])).toEqual(['h', 'ello', 'h']);
    await fixture.spoil('jello, which is longer');
    await expect(part(first)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
  });

  it('finds a blob damaged that has another size than the recorded one', async () => {
    await store.put(await helloFile());
    expect(await store.requireSize(HELLO, 5)).toBe(5);
    await expect(store.requireSize(HELLO, 6)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
  });

  it('checks blobs of several sizes with one buffer, reports nothing, and remembers a damaged one', async () => {
    const small = Buffer.alloc(3);
    await store.put(await helloFile());
    expect(await store.check(HELLO, small)).toBeNull();
    expect(await store.check(HELLO)).toBeNull();
    expect(await store.check(MISSING, small)).toBe('lost');
    for (const bytes of ['jello', 'hello and more', '']) {
      await fixture.spoil(bytes);
      expect([bytes, await store.check(HELLO, small)]).toEqual([bytes, 'damaged']);
    }
    expect(reported).toEqual([]);
    await expect(store.requireSize(HELLO)).rejects.toThrow(new StoredFileError(HELLO, 'damaged'));
  });

  it('holds back the last chunk of a large blob until its hash is right', async () => {
    const bytes = 'x'.repeat(1_000_000);
    await fixture.spoil(bytes);
    let size = 0;
    const read = async () => {
      for await (const chunk of store.openVerified(HELLO)) size += chunk.length;
    };
    await expect(read()).rejects.toThrow(StoredFileError);
    expect(size > 0).toBe(fixture.isStreaming);
    expect(size).toBeLessThan(bytes.length);
  });

  it('throws UnavailableError for a file that does not exist', async () => {
    const { path } = await helloFile();
    await expect(store.put({ path: `${path}-missing`, sha256: HELLO })).rejects.toThrow(UnavailableError);
    expect(await store.size(HELLO)).toBeNull();
  });

  it('lists and removes only blobs older than the grace period', async () => {
    await store.put(await helloFile());
    expect(await list(60_000)).toEqual([]);
    expect(await store.remove(HELLO, 60_000)).toBe(false);
    expect(await whole()).toBe('hello');
    expect(await store.remove(HELLO, -1)).toBe(true);
    expect(await store.size(HELLO)).toBeNull();
  });

  it('resets the age of a blob that is stored again', async () => {
    await store.put(await helloFile());
    await fixture.age(60_000);
    expect(await list(50_000)).toEqual([HELLO]);
    await store.put(await helloFile());
    expect(await list(50_000)).toEqual([]);
  });

  it('refuses names that are not SHA-256', async () => {
    for (const name of ['', '..', '../../etc/passwd', HELLO.toUpperCase(), `${HELLO}/`, `${HELLO}.removed`]) {
      await expect(async () => store.size(name)).rejects.toThrow('not a SHA-256');
      await expect(async () => store.openVerified(name)).rejects.toThrow('not a SHA-256');
      await expect(async () => store.openPart(name, { start: 0, end: 1 })).rejects.toThrow('not a SHA-256');
      await expect(async () => store.remove(name, 0)).rejects.toThrow('not a SHA-256');
      await expect(async () => store.put({ ...(await helloFile()), sha256: name })).rejects.toThrow('not a SHA-256');
    }
  });
});
