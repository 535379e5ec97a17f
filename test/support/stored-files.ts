import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import type { TestApp } from './app.ts';

/**
 * Creates a folder that is removed after the tests of a file. Returns a function that writes bytes to a new file in it and returns
 * the path. The folder is in the file system of DATA_DIR, so the blob store can take the files over.
 */
export function storedFiles(ending: string): (bytes: Uint8Array) => Promise<string> {
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(inject('runFolder'), 'stored-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (bytes) => {
    files += 1;
    const path = join(folder, `${files}${ending}`);
    await writeFile(path, bytes);
    return path;
  };
}

/** Marks the packages of all files as stored, as an import with packages does. */
export async function markStored(app: TestApp): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  const addons = await app.sql<{ id: number }>('SELECT id FROM addon');
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE file SET is_stored = true`;
    await publishAddons(
      tx,
      addons.map(({ id }) => id),
    );
  });
}
