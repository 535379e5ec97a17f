import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PackageError } from '../../../src/errors.ts';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { DEFAULT_ZIP_LIMITS, type OpenZipOptions } from '../../../src/package/zip/zip-archive.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { INVALID, packageWith, UNREADABLE } from '../../support/hostile-archive.ts';
import { goodArchives, hostileArchives, hostileUploads, packedArchives } from '../../support/hostile-archives.ts';
import { descriptor, extraField, type RawEntry, rawZip } from '../../support/raw-zip.ts';
import { storedFiles } from '../../support/stored-files.ts';

const stored = storedFiles('.zip');

/** Name and content of every entry. */
async function contentsOf(path: string, options?: OpenZipOptions): Promise<Map<string, Buffer>> {
  const archive = await openZip(path, options);
  try {
    const contents = new Map<string, Buffer>();
    for (const entry of archive.entries) contents.set(entry.name, await archive.read(entry));
    return contents;
  } finally {
    await archive.close();
  }
}

/** SHA-256 of every content, which is faster to compare than megabytes. */
function digests(contents: Map<string, Buffer>): Array<[string, string]> {
  return Array.from(contents, ([name, content]): [string, string] => [name, hash('sha256', content)]).sort();
}

/** The message of the `PackageError`; any other result fails the test. */
async function refusalOf(path: string, options?: OpenZipOptions): Promise<string> {
  const refusal = await contentsOf(path, options).then(
    () => new Error('The archive was accepted.'),
    (error: unknown) => error,
  );
  if (!(refusal instanceof PackageError)) throw refusal;
  return refusal.message;
}

describe('openZip on hostile archives', () => {
  const archives = hostileArchives();

  it('covers at least 110 archives with unique names', () => {
    expect(archives.length).toBeGreaterThanOrEqual(110);
    expect(new Set(archives.map((archive) => archive.name)).size).toBe(archives.length);
  });

  it.each(archives)('refuses $name', async ({ bytes, text }) => {
    const found = await refusalOf(await stored(bytes));
    expect(found).toEqual(beginningWith(text));
    expect([UNREADABLE, INVALID]).not.toContain(found);
  });
});

describe('openZip on packed containers', () => {
  it.each(packedArchives())('accepts $name', async ({ bytes, files }) => {
    const path = await stored(bytes);
    expect(digests(await contentsOf(path, { container: 'packed' }))).toEqual(digests(files));
    expect(await refusalOf(path)).not.toBe('');
    const archive = await openZip(path, { container: 'packed' });
    expect(archive.isPlain).toBe(false);
    await archive.close();
  });

  it.each(hostileUploads())('refuses $name', async ({ bytes, text }) => {
    expect(await refusalOf(await stored(bytes), { container: 'packed' })).toContain(text);
  });

  it.each(goodArchives())('regards $name as plain', async ({ bytes }) => {
    const archive = await openZip(await stored(bytes), { container: 'packed' });
    expect(archive.isPlain).toBe(true);
    await archive.close();
  });

  it('names both names of an entry with another Unicode path', async () => {
    const extra = extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('caf\u00e9.js')]));
    const bytes = rawZip(packageWith({ name: 'caf#U00e9.js', both: { extra } }));
    expect(await refusalOf(await stored(bytes), { container: 'packed' })).toBe(
      'Invalid file name in archive: caf#U00e9.js is also named caf\u00e9.js. Pack with UTF-8 names, for example with the environment variable LC_ALL=C.UTF-8.',
    );
  });
});

describe('openZip on packed containers with bytes after the end', () => {
  it.each([512, 60_000])('counts %i bytes', async (count) => {
    const bytes = rawZip(packageWith(), { trailing: Buffer.alloc(count) });
    expect(await refusalOf(await stored(bytes), { container: 'packed' })).toBe(
      `Could not parse the manifest file. ${count} bytes follow the end of the archive; write it to a file instead of to standard output.`,
    );
  });
});

describe('openZip on unusual archives', () => {
  it.each(goodArchives())('accepts $name', async ({ bytes, files }) => {
    expect(digests(await contentsOf(await stored(bytes)))).toEqual(digests(files));
  });

  it('accepts an archive without entries', async () => {
    expect(await contentsOf(await stored(rawZip([])))).toEqual(new Map());
  });

  it('lists entries in the order of the directory, with the position of each body', async () => {
    const path = await stored(rawZip([{ name: 'b', content: 'one' }, { name: 'a/' }], { reversedDirectory: true }));
    const archive = await openZip(path);
    expect(archive.path).toBe(path);
    expect(archive.entries).toEqual([
      { name: 'a/', directory: true, method: 0, crc32: 0, compressedSize: 0, size: 0, dataOffset: 66 },
      { name: 'b', directory: false, method: 0, crc32: crc32('one'), compressedSize: 3, size: 3, dataOffset: 31 },
    ]);
    await archive.close();
  });
});

describe('openZip limits', () => {
  const twoFiles: RawEntry[] = [
    { name: 'one.txt', content: 'x'.repeat(100) },
    { name: 'two.txt', content: 'x'.repeat(100), deflated: true },
  ];
  const bytes = rawZip(twoFiles);

  it.each<[string, OpenZipOptions, string]>([
    ['the archive', { archiveBytes: bytes.length - 1 }, 'File exceeds the upload limit of 0 MB.'],
    ['all content', { inflatedBytes: 199 }, 'Invalid archive.'],
    ['the entries', { entries: 1 }, 'Invalid archive.'],
    ['a name', { nameBytes: 6 }, 'Invalid file name in archive: one.txt'],
    ['an entry', { entryBytes: 99 }, 'File exceeding size limit in archive: one.txt'],
  ])('refuses an archive above the limit of %s', async (_, limits, text) => {
    expect(await refusalOf(await stored(bytes), limits)).toEqual(beginningWith(text));
  });

  it('accepts an archive exactly at each limit', async () => {
    const limits = { archiveBytes: bytes.length, inflatedBytes: 200, entries: 2, nameBytes: 7, entryBytes: 100 };
    expect((await contentsOf(await stored(bytes), limits)).size).toBe(2);
  });

  it('names the upload limit in megabytes', async () => {
    expect(await refusalOf(await sparseFile(DEFAULT_ZIP_LIMITS.archiveBytes + 1))).toBe(
      'File exceeds the upload limit of 200 MB.',
    );
  });

  it('limits the ratio only for content that inflates to more than 1 MiB', async () => {
    const blank = (size: number) => rawZip([{ name: 'blank', content: Buffer.alloc(size), deflated: true }]);
    expect((await contentsOf(await stored(blank(1024 * 1024)))).size).toBe(1);
    expect(await refusalOf(await stored(blank(1024 * 1024 + 1)))).toEqual(beginningWith('Invalid archive.'));
  });

  it('throws errors of the file system unchanged', async () => {
    await expect(openZip(`${await stored(rawZip([]))}.missing`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('openZip on damaged archives', () => {
  const streamed: RawEntry = {
    name: 'icons/clock.svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    both: { flags: 0x0808 },
    local: { crc32: 0, compressedSize: 0, size: 0 },
    after: descriptor('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  };
  const original = rawZip(packageWith({ name: 'icons/' }, streamed));

  it('refuses the archive or reads the original contents after any bit flips', async () => {
    const path = await stored(original);
    const expected = await contentsOf(path);
    const bits = fc.uniqueArray(fc.nat(original.length * 8 - 1), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bits, async (flipped) => {
        const bytes = Buffer.from(original);
        for (const bit of flipped) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await writeFile(path, bytes);
        const contents = await contentsOf(path).catch((error: unknown) => error);
        if (contents instanceof PackageError) return;
        // Names are stored twice and have no checksum: the same flip in both copies renames a file.
        if (flipped.length === 1) expect(contents).toEqual(expected);
        else expect([...(contents as typeof expected).values()]).toEqual([...expected.values()]);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every truncation, insertion and removal of a byte', async () => {
    const path = await stored(original);
    await fc.assert(
      fc.asyncProperty(fc.nat(original.length - 1), fc.constantFrom('cut', 'insert', 'remove'), async (at, change) => {
        const rest = { cut: Buffer.alloc(0), insert: original.subarray(at), remove: original.subarray(at + 1) }[change];
        const between = change === 'insert' ? Buffer.of(0) : Buffer.alloc(0);
        await writeFile(path, Buffer.concat([original.subarray(0, at), between, rest]));
        expect(await refusalOf(path)).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });

  it('refuses random bytes', async () => {
    const path = await stored(original);
    const tail = original.subarray(-22);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean(), async (bytes, withEnd) => {
        await writeFile(path, withEnd ? Buffer.concat([bytes, tail]) : bytes);
        expect(await refusalOf(path)).toEqual(beginningWith('Could not parse the manifest file.'));
      }),
      { numRuns: 200 },
    );
  });
});

describe('openZip on large archives', () => {
  it('verifies 150 MB with constant memory, and yields to the event loop', async () => {
    const path = await archiveOfZeros(75_000_000);
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    const turns = await turnsDuring(openAndClose(path), () => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    });
    expect(turns).toBeGreaterThan(100);
    expect(peak).toBeLessThan(100_000_000);
  });

  it('yields to the event loop while it inflates many small entries', async () => {
    const entry = (index: number) => ({
      name: `f${index}`,
      content: Buffer.alloc(20_000, `${index} `),
      deflated: true,
    });
    const path = await stored(rawZip(Array.from({ length: 1500 }, (_, index) => entry(index))));
    expect(await turnsDuring(openAndClose(path))).toBeGreaterThan(12);
  });
});

async function openAndClose(path: string): Promise<void> {
  const archive = await openZip(path);
  await archive.close();
}

/** The number of turns of the event loop until `work` is done; `onTurn` runs in each turn. */
async function turnsDuring(work: Promise<void>, onTurn: () => void = () => undefined): Promise<number> {
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    onTurn();
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    running = false;
  });
  return turns;
}

async function sparseFile(size: number): Promise<string> {
  const path = await stored(Buffer.alloc(0));
  const handle = await open(path, 'r+');
  await handle.truncate(size);
  await handle.close();
  return path;
}

/** An archive of two stored entries of `size` zeros each, as a sparse file. */
async function archiveOfZeros(size: number): Promise<string> {
  const chunk = Buffer.alloc(1_000_000);
  let crc = 0;
  for (let done = 0; done < size; done += chunk.length) crc = crc32(chunk, crc);
  const both = { size, compressedSize: size, crc32: crc };
  const second = 31 + size;
  const bytes = rawZip(
    [
      { name: 'a', both },
      { name: 'b', both, central: { offset: second } },
    ],
    { directoryOffset: second + 31 + size },
  );
  const path = await sparseFile(second + 31 + size);
  const handle = await open(path, 'r+');
  await handle.write(bytes, 0, 31, 0);
  await handle.write(bytes, 31, 31, second);
  await handle.write(bytes, 62, bytes.length - 62, second + 31 + size);
  await handle.close();
  return path;
}
