/* The files in archives of source code. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listFiles, readFileBytes, readFileText } from '../../../src/package/code/package-files.ts';
import type { SourceFormat } from '../../../src/package/source/source-format.ts';
import { noise } from '../../support/hostile-archive.ts';
import { BZIP2, PACKED_FILES, paxRecord, rawTar, type TarEntry } from '../../support/raw-tar.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { storedFiles } from '../../support/stored-files.ts';

const stored = storedFiles('');
const tarGz = (entries: readonly TarEntry[]) => stored(gzipSync(rawTar(entries)));

const LONG = noise(300_000);
const ENTRIES: readonly TarEntry[] = [
  { name: 'project/', type: '5' },
  { name: './project/b.js', content: 'let b;\n' },
  { name: 'project/a.bin', content: 'a\0' },
  { name: 'project//long', content: LONG },
  { name: 'project/empty' },
  { name: 'project/link', type: '2', link: 'b.js' },
];

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('the files of an archive of source code', () => {
  it('are those of a tar archive, without folders and links', async () => {
    expect(await listFiles(await tarGz(ENTRIES), 'tar.gz')).toEqual([
      { path: 'project/a.bin', size: 2, sha256: sha256('a\0'), isText: false, library: null },
      { path: 'project/b.js', size: 7, sha256: sha256('let b;\n'), isText: true, library: null },
      { path: 'project/empty', size: 0, sha256: sha256(''), isText: true, library: null },
      { path: 'project/long', size: LONG.length, sha256: sha256(LONG), isText: false, library: null },
    ]);
  });

  it('are those of a bzip2 archive', async () => {
    const path = await stored(BZIP2);
    const files = await listFiles(path, 'tar.bz2');
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(PACKED_FILES);
    for (const { path: name, size } of files)
      expect((await readFileBytes(path, 'tar.bz2', name, 1e6))?.length).toBe(size);
  });

  it('are those of a ZIP archive', async () => {
    const path = await stored(
      rawZip([
        { name: 'a/', content: '' },
        { name: 'a/b.js', content: 'let b;', deflated: true },
      ]),
    );
    expect(await listFiles(path, 'zip')).toMatchObject([{ path: 'a/b.js', size: 6, sha256: sha256('let b;') }]);
    expect(await readFileText(path, 'zip', 'a/b.js')).toEqual({ text: 'let b;', encoding: 'utf-8' });
  });

  it('are read one by one', async () => {
    const path = await tarGz(ENTRIES);
    const bytes = (name: string, max = 1e6) => readFileBytes(path, 'tar.gz', name, max);
    expect(await bytes('project/long')).toEqual(LONG);
    expect(await bytes('project/empty')).toEqual(Buffer.alloc(0));
    expect(await bytes('project/long', 1_000)).toBeNull();
    for (const name of ['absent', 'project/link', 'project', '../b.js', '']) expect(await bytes(name)).toBeNull();
  });

  it('have the last content of a name', async () => {
    const path = await tarGz([
      { name: 'a.js', content: 'one' },
      { name: './a.js', content: 'second' },
    ]);
    expect(await listFiles(path, 'tar.gz')).toMatchObject([{ path: 'a.js', size: 6, sha256: sha256('second') }]);
    expect((await readFileText(path, 'tar.gz', 'a.js'))?.text).toBe('second');
  });

  it('have the names of extended headers', async () => {
    const path = await tarGz([
      { name: 'x', type: 'x', content: paxRecord('path', 'zwölf/a.js') },
      { name: 'short', content: 'a' },
    ]);
    expect(await listFiles(path, 'tar.gz')).toMatchObject([{ path: 'zwölf/a.js', size: 1 }]);
  });

  it.each(['zip', 'tar.gz', 'tar.bz2'] satisfies SourceFormat[])(
    'are refused for a broken archive: %s',
    async (format) => {
      await expect(listFiles(await stored(noise(1_000)), format)).rejects.toMatchObject({ code: 'INVALID_PACKAGE' });
    },
  );
});
