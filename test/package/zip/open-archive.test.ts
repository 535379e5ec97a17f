import { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { noise, packageWith } from '../../support/hostile-archive.ts';
import { goodArchives } from '../../support/hostile-archives.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { storedFiles } from '../../support/stored-files.ts';

const stored = storedFiles('.zip');

describe('an open archive', () => {
  it('refuses to read more than the given limit', async () => {
    const archive = await openZip(await stored(rawZip(packageWith())));
    const [manifest] = archive.entries;
    if (!manifest) throw new Error('The package has no manifest.');
    await expect(archive.read(manifest, manifest.size - 1)).rejects.toThrow(
      'File exceeding size limit in archive: manifest.json',
    );
    expect((await archive.read(manifest, manifest.size)).length).toBe(manifest.size);
    await archive.close();
  });

  it('refuses content with another CRC than the entry', async () => {
    const bytes = rawZip([{ name: 'a.txt', content: 'before' }]);
    const path = await stored(bytes);
    const archive = await openZip(path, {});
    const [entry] = archive.entries;
    if (!entry) throw new Error('The archive has no entry.');
    await expect(archive.read({ ...entry, crc32: entry.crc32 ^ 1 })).rejects.toThrow('Invalid archive.');
    await archive.close();
  });

  it('returns the same bytes as a stream and as a buffer, to concurrent readers', async () => {
    const large = goodArchives().find((archive) => archive.name === 'a large deflated entry');
    if (!large) throw new Error('The corpus has no large entry.');
    const archive = await openZip(await stored(large.bytes));
    await Promise.all(
      archive.entries.map(async (entry) => {
        const pieces: Buffer[] = [];
        await archive.readTo(entry, (piece) => pieces.push(piece));
        expect(Buffer.concat(pieces).equals(large.files.get(entry.name) ?? Buffer.of(0))).toBe(true);
      }),
    );
    await archive.close();
  });

  it('copies bodies in chunks, one body at a time', async () => {
    const contents = [noise(3_000_000), noise(2_500_000), Buffer.of()];
    const path = await stored(rawZip(contents.map((content, index) => ({ name: `f${index}`, content }))));
    const archive = await openZip(path);
    for (const [index, entry] of archive.entries.entries()) {
      const copied: Buffer[] = [];
      await archive.readRawTo(entry, async (piece) => {
        await new Promise(setImmediate);
        copied.push(Buffer.from(piece));
      });
      expect(Buffer.concat(copied).equals(contents[index] ?? Buffer.of(0))).toBe(true);
    }
    const [first, second] = archive.entries;
    if (!first || !second) throw new Error('The archive has no entries.');
    const copying = archive.readRawTo(first, async () => {});
    await expect(archive.readRawTo(second, async () => {})).rejects.toThrow('copied at a time');
    await copying;
    await archive.close();
  });

  it('hashes and passes on the contents while verifying them, on request', async () => {
    const large = noise(9_000_000);
    const files = [
      { name: 'folder/', content: '' },
      { name: 'stored', content: noise(6_000_000) },
      { name: 'deflated', content: large, deflated: true },
      { name: 'small', content: 'abc', deflated: true },
      { name: 'empty', content: '' },
    ];
    const seen = new Map<string, ReturnType<typeof createHash>>();
    const archive = await openZip(await stored(rawZip(files)), {
      digests: true,
      visit: ({ name }, piece) => {
        const sum = seen.get(name) ?? createHash('sha256');
        seen.set(name, sum.update(piece));
      },
    });
    for (const [index, { name, sha256, directory }] of archive.entries.entries()) {
      const expected = directory ? undefined : hash('sha256', files[index]?.content ?? '');
      expect(sha256?.toString('hex'), name).toBe(expected);
    }
    expect(Array.from(seen, ([name, sum]) => [name, sum.digest('hex')])).toEqual(
      files.slice(1, 4).map(({ name, content }) => [name, hash('sha256', content)]),
    );
    await archive.close();
  });
});
