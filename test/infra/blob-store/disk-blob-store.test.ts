import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { UnavailableError } from '../../../src/errors.ts';
import { DiskBlobStore } from '../../../src/infra/blob-store/disk-blob-store.ts';
import { whileUnreadable } from '../../support/blob-file.ts';
import { HELLO, helloFile } from './hello-file.ts';

describe('a blob store on disk', () => {
  it('lists its blobs next to other files', async () => {
    const folder = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    const store = new DiskBlobStore(folder);
    await store.put(await helloFile());
    await writeFile(join(folder, 'README'), 'Files of add-ons');
    expect(await Readable.from(store.entries()).toArray()).toMatchObject([{ sha256: HELLO }]);
    expect(await Readable.from(store.entries('2c')).toArray()).toHaveLength(1);
    expect(await Readable.from(store.entries('2d')).toArray()).toEqual([]);
  });

  it('restores a blob whose removal by this release or 0.1.0 was interrupted before it is read', async () => {
    const folder = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    const store = new DiskBlobStore(folder);
    await store.put(await helloFile());
    const file = join(folder, HELLO.slice(0, 2), HELLO);
    await rename(file, `${file}.removed`);
    expect((await buffer(store.openVerified(HELLO))).toString()).toBe('hello');
    await rename(file, `${file}.removed.0123456789abcdef`);
    expect(await store.check(HELLO)).toBeNull();
    expect(await readdir(dirname(file))).toEqual([HELLO]);
  });

  it('keeps a blob that was stored while collections and readers move its files', async () => {
    const folder = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    const stores = Array.from({ length: 4 }, () => new DiskBlobStore(folder));
    const until = Date.now() + 1_000;
    const repeat = async (work: () => Promise<unknown>) => {
      while (Date.now() < until) await work();
    };
    await stores[0]?.put(await helloFile());
    await Promise.all([
      ...stores.slice(0, 2).map((store) => repeat(() => store.remove(HELLO, 60_000))),
      repeat(async () => stores[2]?.put(await helloFile())),
      // A reader puts back what it misses.
      repeat(async () => stores[3]?.size(HELLO)),
    ]);
    expect(await stores[0]?.size(HELLO)).toBe(5);
    for await (const _entry of stores[0]?.entries() ?? []);
    expect(await readdir(join(folder, HELLO.slice(0, 2)))).toEqual([HELLO]);
  });

  it('throws UnavailableError when it cannot be written to', async () => {
    const { path } = await helloFile();
    const store = new DiskBlobStore(`${path}/blobs`);
    await expect(store.put(await helloFile())).rejects.toThrow(UnavailableError);
  });

  it('throws UnavailableError for a blob that cannot be read, which is not missing', async () => {
    const folder = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    const store = new DiskBlobStore(folder);
    await store.put(await helloFile());
    const outage = {
      code: 'UNAVAILABLE',
      message: 'The file could not be read (ENOTDIR).',
      details: { retryAfter: 10 },
    };
    await whileUnreadable(join(folder, HELLO.slice(0, 2), HELLO), async () => {
      await expect(store.size(HELLO)).rejects.toMatchObject(outage);
      await expect(buffer(store.openPart(HELLO, { start: 0, end: 1 }))).rejects.toMatchObject(outage);
      await expect(store.requireSize(HELLO)).rejects.toMatchObject(outage);
      await expect(buffer(store.openVerified(HELLO))).rejects.toMatchObject(outage);
    });
    expect(await store.size(HELLO)).toBe(5);
  });

  it('throws UnavailableError for a file that cannot be opened', async () => {
    const folder = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    // A socket has a size, but open(2) fails with ENXIO.
    const socket = `${folder}/socket`;
    const server = createServer().listen(socket);
    await once(server, 'listening');
    await mkdir(join(folder, HELLO.slice(0, 2)));
    await symlink(socket, join(folder, HELLO.slice(0, 2), HELLO));
    const read = buffer(new DiskBlobStore(folder).openVerified(HELLO));
    await expect(read).rejects.toMatchObject({ message: 'The file could not be read (ENXIO).' });
    server.close();
  });
});
