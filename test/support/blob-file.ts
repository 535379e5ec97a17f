import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Path of a blob's file in the data folder of an installation, for tests that damage or inspect it. */
export const blobFile = (dataDir: string, sha256: string): string => join(dataDir, 'blobs', sha256.slice(0, 2), sha256);

/** Runs `work` while every access to the blob's file fails with ENOTDIR. */
export async function whileUnreadable(file: string, work: () => Promise<void>): Promise<void> {
  const folder = dirname(file);
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, '');
  try {
    await work();
  } finally {
    await rm(folder);
    await rename(`${folder}-aside`, folder);
  }
}
