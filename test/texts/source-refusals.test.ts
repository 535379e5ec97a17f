import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PackageError } from '../../src/errors.ts';
import { listSource } from '../../src/package/source/list-source.ts';
import type { SourceFormat } from '../../src/package/source/source-format.ts';
import { LANGUAGES } from '../../src/texts/languages.ts';
import { englishText } from '../../src/texts/messages.ts';
import { messageText } from '../../src/texts/translated-messages.ts';
import { noise } from '../support/hostile-archive.ts';
import { hostileArchives } from '../support/hostile-archives.ts';
import { BZIP2, paxRecord, rawTar, type TarEntry } from '../support/raw-tar.ts';
import { type RawEnd, type RawEntry, rawZip } from '../support/raw-zip.ts';
import { storedFiles } from '../support/stored-files.ts';

const stored = storedFiles('source-refusals');

/** The documented text, which alone says nothing of what was found. */
const CATCH_ALL = 'Invalid or broken archive.';

async function reasonOf(bytes: Buffer, format: SourceFormat) {
  const refusal = await listSource(await stored(bytes), format).catch((error: unknown) => error);
  if (typeof refusal === 'number') return null;
  if (!(refusal instanceof PackageError) || refusal.reason === null) throw new Error('It was not refused with a code.');
  return refusal.reason;
}

const FILE: TarEntry = { name: 'src/main.js', content: 'tick();' };
const ENTRY: RawEntry = { name: 'src/main.js', content: 'tick();', deflated: true };
const tar = (...entries: TarEntry[]) => gzipSync(rawTar(entries));
const pax = (key: string, value: string) => tar({ name: 'x', type: 'x', content: paxRecord(key, value) }, FILE);
const zip = (entry: Partial<RawEntry>, end?: RawEnd) => rawZip([{ ...ENTRY, ...entry }], end);
const LINK = { attributes: 0xa1ff0000 };

/** The faults of archives of source code. */
const FAULTS: [fault: string, format: SourceFormat, bytes: Buffer][] = [
  ['an empty file', 'zip', Buffer.alloc(0)],
  ['no archive', 'zip', Buffer.from('This is a text and no archive.')],
  ['another format', 'zip', tar(FILE)],
  ['a format that is not accepted', 'tar.gz', Buffer.from('\xfd7zXZ\0\0\0', 'latin1')],
  ['an archive without files', 'tar.gz', tar()],
  ['gzip of something else', 'tar.gz', gzipSync('x'.repeat(600))],
  ['gzip without its end', 'tar.gz', tar(FILE).subarray(0, -9)],
  ['tar without its end', 'tar.gz', tar({ ...FILE, size: 50_000 })],
  ['bzip2 without its end', 'tar.bz2', BZIP2.subarray(0, -20)],
  ['a changed bit of bzip2', 'tar.bz2', Buffer.concat([BZIP2.subarray(0, 6), Buffer.from('x'), BZIP2.subarray(7)])],
  ['a wrong checksum of a header', 'tar.gz', tar(FILE, { ...FILE, checksumError: 1 })],
  ['an absolute name', 'tar.gz', tar({ name: '/etc/passwd' })],
  ['a name above the archive', 'zip', zip({ name: '../main.js' })],
  ['a name with a line break', 'tar.gz', tar({ name: 'a\nb' })],
  ['no name', 'tar.gz', tar({ name: '' })],
  ['a long name', 'tar.gz', pax('path', 'n'.repeat(513))],
  ['a link above the archive', 'zip', zip({ name: 'a/é', content: '../../c', deflated: false, central: LINK })],
  ['a link to an absolute path', 'tar.gz', tar({ name: 'a', type: '2', link: '/etc/passwd' })],
  ['a link with content', 'tar.gz', tar({ name: 'a', type: '2', link: 'b', content: 'x' })],
  ['a device', 'tar.gz', tar({ name: 'dev/tty', type: '3' })],
  ['a pipe in a ZIP archive', 'zip', zip({ central: { attributes: 0x11b60000 } })],
  ['a sparse file', 'tar.gz', pax('GNU.sparse.realsize', '9')],
  ['a long extended header', 'tar.gz', pax('comment', 'c'.repeat(66_000))],
  ['a large file', 'tar.gz', tar({ ...FILE, size: 104_857_601 })],
  ['20,001 files', 'tar.gz', tar(...Array.from({ length: 20_001 }, () => ({ name: 'a' })))],
  ['a bomb', 'tar.gz', tar({ name: 'zeros', content: Buffer.alloc(4_000_000) })],
  ['an encrypted file', 'zip', zip({ both: { flags: 0x0801 } })],
  ['an unsupported compression', 'zip', zip({ both: { method: 14 } })],
  ['another checksum', 'zip', zip({ both: { crc32: 1 } })],
  ['a program before the archive', 'zip', zip({}, { prefix: Buffer.from('PK program'), countPrefix: true })],
  ['a wrong offset of the directory', 'zip', zip({}, { directoryOffset: 3 })],
  ['bytes after the archive', 'zip', zip({}, { trailing: noise(30) })],
];

describe('a refused archive of source code', () => {
  it('has a text for each fault in three languages', async () => {
    const lines: string[] = [];
    for (const [fault, format, bytes] of FAULTS) {
      const reason = await reasonOf(bytes, format);
      if (reason === null) throw new Error(`It was listed with ${fault}.`);
      expect(englishText(reason).startsWith(`${CATCH_ALL} `)).toBe(true);
      lines.push(`${fault} (${reason.code})`, ...LANGUAGES.map((each) => `  ${messageText(reason, each)}`));
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('source-refusals.txt');
  });

  it('names what is wrong with each hostile archive', async () => {
    const reasons = await Promise.all(hostileArchives().map(({ bytes }) => reasonOf(bytes, 'zip')));
    const codes = new Set(reasons.map((reason) => reason?.code ?? 'listed'));
    expect([...codes].filter((code) => code !== 'listed' && !code.startsWith('source.'))).toEqual([]);
    expect(codes.size).toBeGreaterThan(5);
  });
});
