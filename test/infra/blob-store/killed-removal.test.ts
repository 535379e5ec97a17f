import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { blobs } from '../../../src/infra/blob-store/blobs.ts';
import { HELLO, helloFile } from './hello-file.ts';

const REMOVE = join(import.meta.dirname, 'remove-process.ts');

async function killDuringRemoval(graceMs: number): Promise<void> {
  const env = { DATA_DIR: config.DATA_DIR, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [REMOVE, HELLO, String(graceMs)], { env, stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

const files = () => readdir(join(config.DATA_DIR, 'blobs', HELLO.slice(0, 2)));

describe('a collector killed between the two steps of a removal', () => {
  beforeEach(async () => blobs.put(await helloFile()));

  it('does not lose a blob that was stored again', async () => {
    await killDuringRemoval(60_000);
    expect(await blobs.size(HELLO)).toBe(5);
    expect((await buffer(blobs.openVerified(HELLO))).toString()).toBe('hello');
    expect(await files()).toEqual([HELLO]);
  });

  it('leaves a blob that can be stored again', async () => {
    await killDuringRemoval(-1);
    await blobs.put(await helloFile());
    expect(await blobs.remove(HELLO, 60_000)).toBe(false);
    expect(await blobs.size(HELLO)).toBe(5);
  });

  it('and another one that goes on later lose no blob that was stored in between', async () => {
    await killDuringRemoval(-1);
    const [moved = ''] = await files();
    await blobs.put(await helloFile());
    await killDuringRemoval(60_000);
    // What the first one does if it was stopped instead: it has looked at the age of the file that it moved.
    await unlink(join(config.DATA_DIR, 'blobs', HELLO.slice(0, 2), moved));
    expect(await blobs.size(HELLO)).toBe(5);
    expect(await files()).toEqual([HELLO]);
  });

  it('leaves no file that the next collection keeps', async () => {
    await killDuringRemoval(-1);
    for await (const { sha256 } of blobs.entries()) expect(await blobs.remove(sha256, -1)).toBe(true);
    expect(await files()).toEqual([]);
  });

  it('leaves one copy of a blob that is stored again after the kill', async () => {
    await killDuringRemoval(-1);
    await blobs.put(await helloFile());
    expect(await Readable.from(blobs.entries()).toArray()).toMatchObject([{ sha256: HELLO }]);
    expect(await files()).toEqual([HELLO]);
  });
});
