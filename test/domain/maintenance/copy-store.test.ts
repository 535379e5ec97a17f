import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';

const app = setUpApp();

type Store = import('../../../src/infra/blob-store/disk-blob-store.ts').DiskBlobStore;

describe('a copy of a store', () => {
  let from: Store;
  let to: Store;
  let names: string[];
  let copyStore: typeof import('../../../src/domain/maintenance/copy-store.ts').copyStore;
  beforeAll(async () => {
    ({ copyStore } = await import('../../../src/domain/maintenance/copy-store.ts'));
  });
  beforeEach(async () => {
    const { DiskBlobStore } = await import('../../../src/infra/blob-store/disk-blob-store.ts');
    [from, to] = [new DiskBlobStore(await folder()), new DiskBlobStore(await folder())];
    names = [];
    for (let file = 0; file < 600; file++) names.push(await stored(randomBytes(16)));
    names.sort();
    await app.sql('DELETE FROM picture_rendition');
    await app.sql(
      `INSERT INTO picture_rendition (source_sha256, name, sha256) SELECT name, 'x', name FROM unnest($1::text[]) name`,
      [names],
    );
  });

  const folder = () => mkdtemp(`${app.config.DATA_DIR}-blobs-`);
  const pathIn = ({ location }: Store, sha256: string) => join(location, sha256.slice(0, 2), sha256);

  async function stored(bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(from.location, 'new');
    await writeFile(path, bytes);
    await from.put({ path, sha256 });
    return sha256;
  }

  it('has all referenced files, and replaces those with other bytes', async () => {
    const unreferenced = await stored(randomBytes(16));
    const done = { lost: [], damaged: [], resumed: 0 };
    expect(await copyStore(from, to)).toEqual({ ...done, copied: 600, present: 0 });
    expect(await to.size(unreferenced)).toBeNull();
    const [first = ''] = names;
    await writeFile(pathIn(to, first), 'other bytes');
    expect(await copyStore(from, to)).toEqual({ ...done, copied: 1, present: 599 });
    expect(await to.check(first)).toBeNull();
  });

  it('names what the source has lost or damaged, and copies nothing of it', async () => {
    const [lost = '', damaged = ''] = names;
    await rm(pathIn(from, lost));
    await writeFile(pathIn(from, damaged), 'other bytes');
    expect(await copyStore(from, to)).toMatchObject({ copied: 598, lost: [lost], damaged: [damaged] });
    expect([await to.size(lost), await to.size(damaged)]).toEqual([null, null]);
  });

  it('continues where it was interrupted', async () => {
    const put = to.put.bind(to);
    let files = 0;
    to.put = async (file) => {
      files += 1;
      if (files === 400) throw new Error('interrupted');
      await put(file);
    };
    await expect(copyStore(from, to)).rejects.toThrow('interrupted');
    to.put = put;
    const { copied, present, resumed } = await copyStore(from, to);
    expect(resumed).toBe(256);
    expect(copied + present).toBe(600);
    for (const name of names) expect(await to.check(name)).toBeNull();
  });
});
