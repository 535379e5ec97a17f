import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listSource } from '../../../src/package/source/list-source.ts';
import { type SourceFormat, sourceFormat } from '../../../src/package/source/source-format.ts';
import { noise } from '../../support/hostile-archive.ts';
import { goodArchives, hostileArchives } from '../../support/hostile-archives.ts';
import { BZIP2, BZIP2_STREAMS, PACKED_FILES, paxRecord, rawTar, type TarEntry } from '../../support/raw-tar.ts';
import { type RawEnd, type RawEntry, rawZip } from '../../support/raw-zip.ts';
import { storedFiles } from '../../support/stored-files.ts';

const stored = storedFiles('');
/** The documented text, after which the fault follows. */
const REFUSED = { code: 'INVALID_PACKAGE', message: expect.stringMatching(/^Invalid or broken archive\. ./) };
const FILE: TarEntry = { name: 'src/main.js', content: 'tick();' };
const ENTRY: RawEntry = { name: 'src/main.js', content: 'tick();', deflated: true };

const list = async (bytes: Buffer, format: SourceFormat) => listSource(await stored(bytes), format);
const listTar = (entries: readonly TarEntry[], end?: Buffer) => list(gzipSync(rawTar(entries, end)), 'tar.gz');
const refused = (listing: Promise<number>) => expect(listing).rejects.toMatchObject(REFUSED);

describe('sourceFormat', () => {
  it('reads the format from the ending of a name, in any case', () => {
    const names = ['a.zip', 'a b.tar.gz', 'A.TGZ', 'x.y.tar.bz2', 'Source.Zip'];
    expect(names.map(sourceFormat)).toEqual(['zip', 'tar.gz', 'tar.gz', 'tar.bz2', 'zip']);
    const others = [
      '',
      'zip',
      '.zip',
      '.tar.gz',
      'a.gz',
      'a.bz2',
      'a.tar',
      'a.tbz2',
      'a.tar.xz',
      'a.zip.exe',
      'a.xpi',
      'a.7z',
    ];
    expect(others.map(sourceFormat)).toEqual(others.map(() => null));
  });
});

describe('a tar archive', () => {
  it.each<[string, TarEntry[], number]>([
    ['a file', [FILE], 1],
    ['folders and names that start with a dot', [{ name: './', type: '5' }, { name: './.env' }], 2],
    ['an old header without a type', [{ ...FILE, type: '\0' }], 1],
    ['a name with a prefix', [{ ...FILE, prefix: 'd/'.repeat(70) }], 1],
    [
      'the comment of a repository',
      [{ name: 'pax_global_header', type: 'g', content: paxRecord('comment', 'f'.repeat(40)) }, FILE],
      1,
    ],
    ['a long pax name', [{ name: 'x', type: 'x', content: paxRecord('path', `${'d/'.repeat(200)}é.js`) }, FILE], 1],
    ['a long GNU name', [{ name: '././@LongLink', type: 'L', content: `${'d/'.repeat(200)}x.js\0` }, FILE], 1],
    [
      'links inside',
      [FILE, { name: 'a/b/c', type: '2', link: '../../src/main.js' }, { name: 'd', type: '1', link: 'src/main.js' }],
      3,
    ],
    [
      'a pax size',
      [
        { name: 'x', type: 'x', content: paxRecord('size', '7') },
        { ...FILE, size: 0 },
      ],
      1,
    ],
    ['a label', [{ name: 'backup', type: 'V' }, FILE], 1],
    ['names in another character set', [{ name: Buffer.from('caf\xe9.js', 'latin1') }], 1],
  ])('is listed with %s', async (_name, entries, count) => {
    expect(await listTar(entries)).toBe(count);
  });

  it('is listed without the blocks at its end, and with more of them', async () => {
    expect(await listTar([FILE], Buffer.alloc(0))).toBe(1);
    expect(await listTar([FILE], Buffer.alloc(10_240))).toBe(1);
  });

  it.each<[string, TarEntry[]]>([
    ['no file', []],
    ['a wrong checksum', [{ ...FILE, checksumError: 1 }]],
    ['an absolute name', [{ name: '/etc/passwd' }]],
    ['a name above it', [{ name: 'a/../../x' }]],
    ['a name above it with backslashes', [{ name: 'a\\..\\..\\x' }]],
    ['a drive letter', [{ name: 'C:\\x' }]],
    ['an empty name', [{ name: '' }]],
    ['a name with a line break', [{ name: 'a\nb' }]],
    ['a name of 513 bytes', [{ name: 'x', type: 'x', content: paxRecord('path', 'n'.repeat(513)) }, FILE]],
    ['a pax name above it', [{ name: 'x', type: 'x', content: paxRecord('path', '../x') }, FILE]],
    ['a link above it', [{ name: 'a/b', type: '2', link: '../../x' }]],
    ['a link to an absolute path', [{ name: 'a', type: '2', link: '/etc/passwd' }]],
    ['a hard link above it', [{ name: 'a', type: '1', link: '../x' }]],
    [
      'a pax link above it',
      [
        { name: 'x', type: 'x', content: paxRecord('linkpath', '/etc/passwd') },
        { name: 'a', type: '2', link: 'b' },
      ],
    ],
    ['a link with content', [{ name: 'a', type: '2', link: 'b', content: 'x' }]],
    ['a character device', [{ name: 'a', type: '3' }]],
    ['a block device', [{ name: 'a', type: '4' }]],
    ['a pipe', [{ name: 'a', type: '6' }]],
    ['a sparse file', [{ name: 'a', type: 'S' }]],
    ['a pax sparse file', [{ name: 'x', type: 'x', content: paxRecord('GNU.sparse.realsize', '9') }, FILE]],
    ['an unknown type', [{ name: 'a', type: '%' }]],
    ['a size above the limit of a file', [{ ...FILE, size: 104_857_601 }]],
    ['a size behind the end', [{ ...FILE, size: 5_000 }]],
    ['a pax size that is no number', [{ name: 'x', type: 'x', content: paxRecord('size', '-1') }, FILE]],
    ['a pax record behind its end', [{ name: 'x', type: 'x', content: '99 path=a\n' }, FILE]],
    ['a pax record without a length', [{ name: 'x', type: 'x', content: 'path=a\n' }, FILE]],
    [
      'an extended header of 65 KiB',
      [{ name: 'x', type: 'x', content: paxRecord('comment', 'c'.repeat(66_000)) }, FILE],
    ],
    ['20,001 entries', Array.from({ length: 20_001 }, () => ({ name: 'a' }))],
  ])('is refused with %s', async (_name, entries) => {
    await refused(listTar(entries));
  });

  it('is refused when it is truncated, another format, or inflates too well', async () => {
    const packed = gzipSync(rawTar([FILE, { name: 'noise', content: noise(5_000) }]));
    await refused(list(packed.subarray(0, -9), 'tar.gz'));
    const damaged = Buffer.from(packed);
    damaged.writeUInt32LE(0, damaged.length - 8);
    await refused(list(damaged, 'tar.gz'));
    await refused(list(Buffer.alloc(0), 'tar.gz'));
    await refused(list(gzipSync('no archive'), 'tar.gz'));
    await refused(list(rawTar([FILE]), 'tar.gz'));
    await refused(list(packed, 'zip'));
    await refused(list(packed, 'tar.bz2'));
    await refused(list(gzipSync(rawTar([{ name: 'zeros', content: Buffer.alloc(4_000_000) }])), 'tar.gz'));
  });
});

describe('a tar.bz2 archive', () => {
  it('is listed, concatenated streams included', async () => {
    expect(await list(BZIP2, 'tar.bz2')).toBe(PACKED_FILES);
    expect(await list(BZIP2_STREAMS, 'tar.bz2')).toBe(PACKED_FILES);
  });

  it('is refused when it is cut, and when a bit that counts is changed', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('BZh9'), Buffer.from('BZh0'), rawTar([FILE])]) {
      await refused(list(bytes, 'tar.bz2'));
    }
    for (let at = 0; at < BZIP2.length; at += 29) await refused(list(BZIP2.subarray(0, at), 'tar.bz2'));
    let listed = 0;
    for (let at = 0; at < BZIP2.length - 1; at += 17) {
      const changed = Buffer.from(BZIP2);
      changed[at] = BZIP2.readUInt8(at) ^ (1 << (at % 8));
      const outcome = await list(changed, 'tar.bz2').catch((error: unknown) => error);
      if (outcome === PACKED_FILES) listed += 1;
      else expect([at, outcome]).toMatchObject([at, REFUSED]);
    }
    // Codes of symbols that do not occur.
    expect(listed).toBeLessThan(5);
  });
});

describe('a ZIP archive', () => {
  it.each<[string, RawEntry[], RawEnd]>([
    ['a file', [ENTRY], {}],
    ['the comment of a repository', [ENTRY], { comment: 'f'.repeat(40) }],
    ['a symbolic link inside', [{ name: 'a/b', content: '../c', central: { attributes: 0xa1ff0000 } }], {}],
    ['an unknown extra field', [{ ...ENTRY, central: { extra: Buffer.from([0x75, 0x70, 0, 0]) } }], {}],
    ['a name in another character set', [{ ...ENTRY, name: Buffer.from('caf\xe9.js', 'latin1') }], {}],
  ])('is listed with %s', async (_name, entries, end) => {
    expect(await list(rawZip(entries, end), 'zip')).toBe(entries.length);
  });

  it.each<[string, RawEntry[], RawEnd]>([
    ['no file', [], {}],
    ['a name above it', [{ ...ENTRY, name: '../x' }], {}],
    ['a link above it', [{ name: 'a/b', content: '../../c', central: { attributes: 0xa1ff0000 } }], {}],
    ['a device', [{ ...ENTRY, central: { attributes: 0x61b60000 } }], {}],
    ['an encrypted entry', [{ ...ENTRY, both: { flags: 0x0801 } }], {}],
    ['an unknown method', [{ ...ENTRY, both: { method: 14 } }], {}],
    ['another checksum', [{ ...ENTRY, both: { crc32: 1 } }], {}],
    ['another size', [{ ...ENTRY, both: { size: 6 } }], {}],
    ['a program before it', [ENTRY], { prefix: noise(1_000), countPrefix: true }],
    ['a wrong offset of its directory', [ENTRY], { directoryOffset: 3 }],
    ['bytes after it', [ENTRY], { trailing: Buffer.from('x') }],
  ])('is refused with %s', async (_name, entries, end) => {
    await refused(list(rawZip(entries, end), 'zip'));
  });

  it('is refused or listed, and nothing else, for each hostile package', async () => {
    for (const [index, { name, bytes }] of hostileArchives().entries()) {
      const outcome = await list(bytes, 'zip').catch((error: unknown) => error);
      if (typeof outcome !== 'number') expect([name, outcome]).toMatchObject([name, REFUSED]);
      if (index % 20 > 0) continue;
      await refused(list(bytes, 'tar.gz'));
      await refused(list(bytes, 'tar.bz2'));
    }
  });

  it('is listed for each unusual package', async () => {
    for (const { name, bytes, files } of goodArchives()) {
      expect([name, await list(bytes, 'zip')]).toEqual([name, expect.any(Number)]);
      expect(files.size).toBeGreaterThan(0);
    }
  });
});

describe('the processor time of an archive', () => {
  it.each<[SourceFormat, Buffer]>([
    ['zip', rawZip([ENTRY])],
    ['tar.gz', gzipSync(rawTar([FILE]))],
    ['tar.bz2', BZIP2],
  ])('is limited for %s', async (format, bytes) => {
    await expect(listSource(await stored(bytes), format, 0)).rejects.toMatchObject({
      reason: { code: 'source.too_slow' },
    });
  });
});
