import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSecrets } from '../../../src/package/validation/validate-package.ts';
import { noise } from '../../support/hostile-archive.ts';
import { type RawEntry, rawZip } from '../../support/raw-zip.ts';

const SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const OTHER = 'a secret of sixteen bytes or more';
/** Larger files are read in chunks of 256 KiB; see the ZIP reader. */
const LARGE = 6 * 1024 * 1024;
const CHUNK = 256 * 1024;

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

/** A large file with `text` at `position`. */
function largeWith(text: string, position: number): Buffer {
  const content = Buffer.from(noise(LARGE));
  content.write(text, position);
  return content;
}

it('returns the files that contain a secret, in the order of the archive', async () => {
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
  ['up to the end of a chunk', CHUNK - SECRET.length],
  ['with its last byte in the next chunk', CHUNK - SECRET.length + 1],
  ['with its first byte in the chunk before', 3 * CHUNK - 1],
  ['half in one chunk, half in the next', 2 * CHUNK - SECRET.length / 2],
])('finds a secret %s of a large file, stored or deflated', async (_, position) => {
  const content = largeWith(SECRET, position);
  const entries = [
    { name: 'stored.bin', content },
    { name: 'deflated.bin', content, deflated: true },
    { name: 'clean.bin', content: largeWith(SECRET.toUpperCase(), position) },
  ];
  expect(await found(entries)).toEqual(['stored.bin', 'deflated.bin']);
});

it('does not join halves in two files', async () => {
  const half = SECRET.length / 2;
  const entries = [
    { name: 'first.js', content: SECRET.slice(0, half) },
    { name: 'second.js', content: SECRET.slice(half) },
  ];
  expect(await found(entries)).toEqual([]);
});

it('ignores secrets shorter than 16 bytes, and reads no file without a secret', async () => {
  expect(await found([{ name: 'a.js', content: 'password' }], ['password'])).toEqual([]);
  expect(await findSecrets(join(folder, 'not there'), 'webextension', [])).toEqual([]);
});
