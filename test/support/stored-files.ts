import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/**
 * Creates a folder that is removed after the tests of a file. Returns a function that writes bytes to a new file in it and returns
 * the path.
 */
export function storedFiles(ending: string): (bytes: Uint8Array) => Promise<string> {
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stored-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (bytes) => {
    files += 1;
    const path = join(folder, `${files}${ending}`);
    await writeFile(path, bytes);
    return path;
  };
}
