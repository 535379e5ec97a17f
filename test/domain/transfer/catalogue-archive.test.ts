import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import tar from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withCatalogueFile } from '../../../src/domain/transfer/catalogue-archive.ts';

const LINES = '{"kind":"category"}\n';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-archive-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Entry = {
  name: string;
  type?: 'file' | 'directory' | 'symlink' | 'link' | 'fifo';
  linkname?: string;
  content?: string;
};

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const { content, ...header } of entries) {
    if (content === undefined) pack.entry(header);
    else pack.entry(header, content);
  }
  pack.finalize();
  return buffer(pack);
}

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const whole = (): Promise<Buffer> =>
  tarOf([
    { name: 'packages/', type: 'directory' },
    { name: 'catalogue.jsonl', content: LINES },
    { name: './packages/a.xpi', content: 'a package' },
  ]);

describe('a catalogue in a tar archive', () => {
  it.each([
    ['c.tar', (bytes: Buffer) => bytes],
    ['c.tar.gz', (bytes: Buffer) => gzipSync(bytes)],
    ['c.tgz', (bytes: Buffer) => gzipSync(bytes)],
    ['c.tar.zst', (bytes: Buffer) => zstdCompressSync(bytes)],
  ])('is unpacked for as long as it is read: %s', async (name, compress) => {
    const path = await written(name, compress(await whole()));

    const file = await withCatalogueFile(path, async (unpacked) => {
      expect(await readFile(unpacked, 'utf8')).toBe(LINES);
      expect(await readFile(join(dirname(unpacked), 'packages/a.xpi'), 'utf8')).toBe('a package');
      return unpacked;
    });

    await expect(readdir(dirname(file))).rejects.toThrow('ENOENT');
  });

  it('passes any other name as it is', async () => {
    expect(await withCatalogueFile('-', async (file) => file)).toBe('-');
    expect(await withCatalogueFile('c.jsonl.gz', async (file) => file)).toBe('c.jsonl.gz');
  });

  it.each<[string, Entry]>([
    ['a file above the folder', { name: '../out', content: 'x' }],
    ['a file above the folder within a path', { name: 'packages/../../out', content: 'x' }],
    ['a symbolic link', { name: 'packages', type: 'symlink', linkname: '/etc' }],
    ['a hard link', { name: 'passwords', type: 'link', linkname: '/etc/passwd' }],
    ['a pipe', { name: 'pipe', type: 'fifo' }],
    ['the same file twice', { name: 'catalogue.jsonl', content: LINES }],
  ])('refuses %s and leaves nothing', async (_case, entry) => {
    const path = await written('c.tar', await tarOf([{ name: 'catalogue.jsonl', content: LINES }, entry]));
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('addons-catalogue-'));

    await expect(withCatalogueFile(path, async () => 'read')).rejects.toMatchObject({ name: 'UnreadableFileError' });

    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('addons-catalogue-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
    expect(await readdir(folder)).toEqual(['c.tar']);
  });

  it('keeps an absolute path within its folder', async () => {
    const path = await written('c.tar', await tarOf([{ name: '/catalogue.jsonl', content: LINES }]));

    expect(await withCatalogueFile(path, (file) => readFile(file, 'utf8'))).toBe(LINES);
  });

  it.each<[string, () => Promise<string>]>([
    ['that is missing', async () => join(folder, 'missing.tar.gz')],
    ['without a catalogue', async () => written('c.tar', await tarOf([{ name: 'other.jsonl', content: LINES }]))],
    ['that ends early', async () => written('c.tar.gz', gzipSync(await whole()).subarray(0, 60))],
    ['that ends within a file', async () => written('c.tar', (await whole()).subarray(0, 1_100))],
    ['in another compression', async () => written('c.tar.zst', gzipSync(await whole()))],
    ['of other bytes', async () => written('c.tar', Buffer.alloc(4_096, 'no archive '))],
  ])('refuses an archive %s', async (_case, make) => {
    await expect(withCatalogueFile(await make(), async () => 'read')).rejects.toMatchObject({
      name: 'UnreadableFileError',
    });
  });
});
