import { Buffer } from 'node:buffer';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackageError } from '../../../src/errors.ts';
import { nameFault, requireDistinctNames } from '../../../src/package/zip/entry-name.ts';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { writeZip, type ZipSource } from '../../../src/package/zip/write-zip.ts';
import { noise, packageWith } from '../../support/hostile-archive.ts';
import { goodArchives } from '../../support/hostile-archives.ts';
import { rawBody } from '../../support/raw-body.ts';
import { rawZip } from '../../support/raw-zip.ts';

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-zip-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function freshPath(): string {
  files += 1;
  return join(folder, `${files}.zip`);
}

async function contentsOf(path: string): Promise<Map<string, Buffer>> {
  const archive = await openZip(path);
  const contents = new Map<string, Buffer>();
  for (const entry of archive.entries) contents.set(entry.name, await archive.read(entry));
  await archive.close();
  return contents;
}

/** SHA-256 of every content, which is faster to compare than megabytes. */
function digests(contents: Map<string, Buffer>): Array<[string, string]> {
  return Array.from(contents, ([name, content]): [string, string] => [name, hash('sha256', content)]).sort();
}

/** Reads the archive at `from` and writes it again. */
async function copied(from: string): Promise<string> {
  const archive = await openZip(from);
  const path = freshPath();
  await writeZip(
    path,
    archive.entries.map((entry) => ({ name: entry.name, copy: { archive, entry } })),
  );
  await archive.close();
  return path;
}

describe('writeZip', () => {
  it.each(goodArchives())('copies $name without loss, to the same bytes each time', async ({ bytes, files }) => {
    const original = freshPath();
    await writeFile(original, bytes);
    const copy = await copied(original);
    expect(digests(await contentsOf(copy))).toEqual(digests(files));
    expect((await readFile(await copied(copy))).equals(await readFile(copy))).toBe(true);
  });

  it('copies compressed bytes unchanged', async () => {
    const original = freshPath();
    await writeFile(original, rawZip(packageWith()));
    const [before, after] = [await openZip(original), await openZip(await copied(original))];
    for (const [index, entry] of before.entries.entries()) {
      const twin = after.entries[index];
      if (!twin) throw new Error('The copy lacks an entry.');
      expect({ ...twin, dataOffset: 0 }).toEqual({ ...entry, dataOffset: 0 });
      expect((await rawBody(after, twin)).equals(await rawBody(before, entry))).toBe(true);
    }
    await Promise.all([before.close(), after.close()]);
  });

  it('writes only names and bodies into the container', async () => {
    const path = freshPath();
    await writeZip(path, [{ name: 'é', data: Buffer.from('a') }]);
    const shared = '1400000800000000210043beb7e8010000000100000002000000';
    expect((await readFile(path)).toString('hex')).toBe(
      [
        `504b0304${shared}c3a9`,
        '61',
        `504b01021400${shared}00000000000000000000`,
        '00000000c3a9',
        '504b05060000000001000100300000002100000000',
        '00',
      ].join(''),
    );
  });

  it('returns size and SHA-256 of the file, which only its owner can read', async () => {
    const path = freshPath();
    const sources = Array.from({ length: 40 }, (_, index) => ({ name: `n${index}`, data: noise(100_000 + index) }));
    const written = await writeZip(path, sources);
    const bytes = await readFile(path);
    expect(written).toEqual({ size: bytes.length, sha256: hash('sha256', bytes) });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('deflates content that shrinks, and stores other content and content with an extreme ratio', async () => {
    const path = freshPath();
    await writeZip(path, [
      { name: 'text', data: Buffer.from('tick '.repeat(100)) },
      { name: 'noise', data: noise(5000) },
      { name: 'empty', data: Buffer.alloc(0) },
      { name: 'blank', data: Buffer.alloc(3_000_000) },
    ]);
    const archive = await openZip(path);
    await archive.close();
    expect(archive.entries.map((entry) => entry.method)).toEqual([8, 0, 0, 0]);
  });

  it('never overwrites a file', async () => {
    const path = freshPath();
    await writeFile(path, 'precious');
    await expect(writeZip(path, [])).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  it.each([
    ['an unsafe name', ['../evil.js'], 'Invalid file name in archive: ../evil.js'],
    ['a name with a line break', ['a\nb'], 'Invalid file name in archive: a\\u000ab'],
    ['a name that is no text', ['\ud800'], 'Invalid file name in archive: \\ud800'],
    ['a name of a directory', ['folder/'], 'Invalid file name in archive: folder/'],
    ['a name that is too long', ['n'.repeat(513)], `Invalid file name in archive: ${'n'.repeat(200)}`],
    ['a name that is taken', ['a.js', 'A.js'], 'Invalid file name in archive: A.js'],
  ])('refuses %s and leaves no file', async (_, names, text) => {
    const path = freshPath();
    const sources = names.map((name) => ({ name, data: Buffer.alloc(0) }));
    await expect(writeZip(path, sources)).rejects.toThrow(PackageError);
    await expect(writeZip(path, sources)).rejects.toThrow(text);
    expect(await readdir(folder)).not.toContain(path.slice(folder.length + 1));
  });

  it('leaves no file if a source cannot be read', async () => {
    const original = freshPath();
    await writeFile(original, rawZip(packageWith({ name: 'big.bin', content: noise(2_000_000) })));
    const archive = await openZip(original);
    await archive.close();
    const path = freshPath();
    const sources = archive.entries.map((entry) => ({ name: entry.name, copy: { archive, entry } }));
    await expect(writeZip(path, sources)).rejects.toThrow();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('writes what the reader reads back, for any names and contents', async () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const source = fc.record({ name, data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) });
    await fc.assert(
      fc.asyncProperty(fc.array(source, { maxLength: 8 }), async (candidates) => {
        const sources = writable(candidates);
        const path = freshPath();
        await writeZip(path, sources);
        expect(await contentsOf(path)).toEqual(new Map(sources.map(({ name, data }) => [name, data])));
      }),
      { numRuns: 150 },
    );
  });

  it('writes what the zipfile module of Python reads', async () => {
    const path = freshPath();
    const sources = [
      { name: 'manifest.json', data: Buffer.from('{"name": "Corner clock"}') },
      { name: '_locales/ja/説明.json', data: Buffer.from('{}'.repeat(500)) },
      { name: 'noise.bin', data: noise(300_000) },
      { name: 'empty.css', data: Buffer.alloc(0) },
    ] satisfies ZipSource[];
    await writeZip(path, sources);
    const seen = await readWithPython(path);
    const hashes = sources.map(({ name, data }) => [name, hash('sha256', data)]);
    // Skipped without Python; the reader above has already checked the file.
    expect(seen ?? hashes).toEqual(hashes);
  });
});

/** The candidates that can be in one archive. */
function writable<T extends { name: string }>(candidates: T[]): T[] {
  const accepted: T[] = [];
  for (const candidate of candidates) {
    try {
      requireDistinctNames([...accepted, candidate].map((source) => source.name));
      if (nameFault(candidate.name) === null && candidate.name.isWellFormed() && !candidate.name.endsWith('/'))
        accepted.push(candidate);
    } catch {
      // The name is taken.
    }
  }
  return accepted;
}

const PYTHON = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
for info in archive.infolist():
    assert info.date_time == (1980, 1, 1, 0, 0, 0) and info.flag_bits == 0x800 and info.create_system == 0
    assert not info.extra and not info.comment and info.external_attr == 0
print(json.dumps([[i.filename, hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`;

/** Name and SHA-256 of each entry as Python reads them; undefined without Python. */
async function readWithPython(path: string): Promise<unknown> {
  const run = promisify(execFile);
  try {
    return JSON.parse((await run('python3', ['-c', PYTHON, path])).stdout);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
