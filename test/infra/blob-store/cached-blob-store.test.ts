/* The cache of a bucket: a folder that may be lost, damaged or emptied at any time. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { StoredFileError } from '../../../src/infra/blob-store/blob-store.ts';
import { CachedBlobStore } from '../../../src/infra/blob-store/cached-blob-store.ts';
import { DiskBlobStore } from '../../../src/infra/blob-store/disk-blob-store.ts';

const MEGABYTE = 1024 * 1024;

/** A store in a folder that counts what is read from it. */
class CountingStore extends DiskBlobStore {
  reads = 0;
  override openVerified(sha256: string) {
    this.reads += 1;
    return super.openVerified(sha256);
  }
}

describe('a cache', () => {
  let store: CountingStore;
  let folder: string;
  beforeEach(async () => {
    store = new CountingStore(await mkdtemp(`${config.DATA_DIR}-blobs-`));
    folder = join(await mkdtemp(`${config.DATA_DIR}-cache-`), 'cache');
  });
  const open = (megabytes: number) => new CachedBlobStore(store, folder, megabytes * MEGABYTE);

  async function file(size: number, fill: string): Promise<{ path: string; sha256: string }> {
    const path = join(await mkdtemp(`${config.DATA_DIR}-file-`), 'file');
    const bytes = Buffer.alloc(size, fill);
    await writeFile(path, bytes);
    return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  const read = async (cached: CachedBlobStore, sha256: string) => (await buffer(cached.openVerified(sha256))).length;
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  const bytesKept = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };

  it('has what was stored and what was read, and fetches it once for concurrent readers', async () => {
    const { path, sha256 } = await file(1_000, 'a');
    await open(100).put({ path, sha256 });
    expect(await read(open(100), sha256)).toBe(1_000);
    expect(store.reads).toBe(0);
    await rm(folder, { recursive: true });
    const cached = open(100);
    expect(await Promise.all([read(cached, sha256), read(cached, sha256), read(cached, sha256)])).toEqual(
      Array(3).fill(1_000),
    );
    expect((await buffer(cached.openPart(sha256, { start: 10, end: 19 }))).length).toBe(10);
    expect(store.reads).toBe(1);
  });

  it('gives out nothing of a file that is damaged in it, and fetches it again', async () => {
    const { path, sha256 } = await file(1_000, 'b');
    const cached = open(100);
    await cached.put({ path, sha256 });
    // Another inode than that of the store.
    await rm(pathOf(sha256));
    await writeFile(pathOf(sha256), 'other bytes');
    expect(await read(cached, sha256)).toBe(1_000);
    expect(store.reads).toBe(1);
    expect(await read(cached, sha256)).toBe(1_000);
    expect(store.reads).toBe(1);
  });

  it('keeps a large file that it passes on, unless the reader stops', async () => {
    const { path, sha256 } = await file(20 * MEGABYTE, 'c');
    await store.put({ path, sha256 });
    const cached = open(100);
    for await (const _chunk of cached.openVerified(sha256)) break;
    await expect.poll(() => readdir(folder)).toEqual([]);
    expect(await read(cached, sha256)).toBe(20 * MEGABYTE);
    expect(await read(cached, sha256)).toBe(20 * MEGABYTE);
    expect(store.reads).toBe(2);
  });

  it('keeps no damaged file of the store, and none above a quarter of its size', async () => {
    const small = await file(1_000, 'd');
    await store.put(small);
    await writeFile(join(store.location, small.sha256.slice(0, 2), small.sha256), 'e'.repeat(1_000));
    await expect(read(open(100), small.sha256)).rejects.toThrow(StoredFileError);
    const large = await file(3 * MEGABYTE, 'f');
    const cached = open(10);
    await cached.put(large);
    expect(await read(cached, large.sha256)).toBe(3 * MEGABYTE);
    expect(await bytesKept()).toBe(0);
  });

  it('stays within its size, and keeps what was used last', async () => {
    const cached = open(10);
    const first = await file(MEGABYTE, 'x');
    await cached.put(first);
    for (let number = 0; number < 30; number++) {
      await cached.put(await file(MEGABYTE, String.fromCharCode(65 + number)));
      expect(await bytesKept()).toBeLessThanOrEqual(11 * MEGABYTE);
    }
    expect(await bytesKept()).toBeGreaterThanOrEqual(8 * MEGABYTE);
    expect(await stat(pathOf(first.sha256)).catch(() => null)).toBeNull();
  });

  it('that cannot be written to leaves the store as it is', async () => {
    const { path, sha256 } = await file(1_000, 'g');
    await writeFile(folder, 'not a folder');
    const cached = open(100);
    await cached.put({ path, sha256 });
    expect(await read(cached, sha256)).toBe(1_000);
    expect((await buffer(cached.openPart(sha256, { start: 0, end: 9 }))).length).toBe(10);
  });
});
