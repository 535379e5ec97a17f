import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSecrets } from '../../../src/package/validation/find-secrets.ts';
import { noise } from '../../support/hostile-archive.ts';
import { type RawEntry, rawZip } from '../../support/raw-zip.ts';

const SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const OTHER = 'a secret of sixteen bytes or more';
/** Content larger than this is read in pieces of 256 KiB; see the ZIP reader. */
const LARGE = 6 * 1024 * 1024;
const PIECE = 256 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function found(entries: RawEntry[], secrets = [SECRET, OTHER]): Promise<string[]> {
  const path = join(folder, 'package.xpi');
  await writeFile(path, rawZip(entries));
  return findSecrets(path, 'webextension', secrets);
}

/** A large file with `text` at a position. */
function largeWith(text: string, position: number): Buffer {
  const content = Buffer.from(noise(LARGE));
  content.write(text, position);
  return content;
}

it('names the files with a secret in the order of the archive', async () => {
  const entries = [
    { name: 'z.js', content: `const key = "${SECRET}";`, deflated: true },
    { name: 'folder/' },
    { name: 'empty.js', content: '' },
    { name: 'clean.js', content: SECRET.slice(1) },
    { name: 'a.js', content: `${OTHER}${SECRET}` },
  ];
  expect(await found(entries)).toEqual(['z.js', 'a.js']);
});

it.each([
  ['at the start', 0],
  ['at the end', LARGE - SECRET.length],
  ['up to the end of a piece', PIECE - SECRET.length],
  ['with its last byte in the next piece', PIECE - SECRET.length + 1],
  ['with its first byte in the piece before', 3 * PIECE - 1],
  ['half in one piece, half in the next', 2 * PIECE - SECRET.length / 2],
])('finds it %s of a large file, stored or deflated', async (_, position) => {
  const content = largeWith(SECRET, position);
  const entries = [
    { name: 'stored.bin', content },
    { name: 'deflated.bin', content, deflated: true },
    { name: 'clean.bin', content: largeWith(SECRET.toUpperCase(), position) },
  ];
  expect(await found(entries)).toEqual(['stored.bin', 'deflated.bin']);
});

it('takes halves in two files for no secret', async () => {
  const half = SECRET.length / 2;
  const entries = [
    { name: 'first.js', content: SECRET.slice(0, half) },
    { name: 'second.js', content: SECRET.slice(half) },
  ];
  expect(await found(entries)).toEqual([]);
});

it('leaves words shorter than 16 bytes alone, and reads nothing without a secret', async () => {
  expect(await found([{ name: 'a.js', content: 'password' }], ['password'])).toEqual([]);
  expect(await findSecrets(join(folder, 'not there'), 'webextension', [])).toEqual([]);
});
