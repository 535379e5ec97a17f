import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeText } from '../../src/commands/export.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'addons-text-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('writeText', () => {
  it('compresses a file whose name ends in .gz', async () => {
    await writeText(join(folder, 'a.txt'), Readable.from(['one\n', 'two\n']));
    await writeText(join(folder, 'a.txt.gz'), Readable.from(['one\n', 'two\n']));
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(gunzipSync(await readFile(join(folder, 'a.txt.gz'))).toString()).toBe('one\ntwo\n');
  });

  it.each(['a.txt', 'a.txt.gz'])('leaves %s unchanged if the source fails', async (name) => {
    await writeFile(join(folder, name), 'before');
    async function* broken() {
      yield 'one\n';
      throw new Error('no more');
    }
    await expect(writeText(join(folder, name), Readable.from(broken()))).rejects.toThrow('no more');
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), 'utf8')).toBe('before');
  });

  it('refuses a folder and a device before it reads the text', async () => {
    const text = () => Readable.from(['one\n']);
    await expect(writeText(folder, text())).rejects.toThrow(`${folder} is a folder; - is standard output`);
    const device = join(folder, 'device');
    await symlink('/dev/null', device);
    await expect(writeText(device, text())).rejects.toThrow(`${device} is no regular file; - is standard output`);
    expect((await stat(device)).isCharacterDevice()).toBe(true);
  });
});
