import { createReadStream } from 'node:fs';
import { access, constants, copyFile, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { config } from '../../config.ts';
import { UnavailableError } from '../../errors.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** Where the bytes with this SHA-256 (hex) lie in the store, whether they are there or not. */
export function blobPath(sha256: string): string {
  if (!SHA256.test(sha256)) throw new Error(`not a SHA-256: ${sha256}`);
  return join(config.DATA_DIR, 'blobs', sha256.slice(0, 2), sha256);
}

/**
 * Moves a complete, synced file into the content-addressed store. The same bytes are stored once; storing them again
 * renews their time, so that the collector leaves them alone. Durable when it returns.
 * @throws {UnavailableError} when the disk refuses.
 */
export async function storeBlob(file: { path: string; sha256: string }): Promise<void> {
  const target = blobPath(file.sha256);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(file.path, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await unlink(file.path).catch(() => {});
    throw new UnavailableError(`The file could not be stored (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

/** Whether the store has these bytes already. If so, their time is renewed as if they had been stored again. */
export async function keepBlob(sha256: string): Promise<boolean> {
  const now = new Date();
  return utimes(blobPath(sha256), now, now).then(
    () => true,
    () => false,
  );
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes of a blob, or null when it is not in the store. */
export async function blobSize(sha256: string): Promise<number | null> {
  return stat(blobPath(sha256)).then(
    (facts) => facts.size,
    () => null,
  );
}

/**
 * Copies a blob out of the store, unless a file of its size is there already. The copy appears complete or not at all, shares
 * the bytes on the disk where the file system can, and may be changed without harm to the store.
 * @returns false when the blob is not in the store. @throws when the disk refuses.
 */
export async function copyBlob(sha256: string, target: string): Promise<boolean> {
  const size = await blobSize(sha256);
  if (size === null) return false;
  const there = await stat(target).catch(() => null);
  if (there?.isFile() && there.size === size) return true;
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.part`;
  await copyFile(blobPath(sha256), draft, constants.COPYFILE_FICLONE);
  await rename(draft, target);
  return true;
}

/** Streams a blob, or the part from `start` to `end`, both inclusive byte positions. */
export function openBlob(sha256: string, range: { start?: number; end?: number } = {}): Readable {
  return createReadStream(blobPath(sha256), { ...range, highWaterMark: 256 * 1024 });
}

/** Whether the store can be written to right now. */
export async function isStoreWritable(): Promise<boolean> {
  try {
    await mkdir(config.DATA_DIR, { recursive: true });
    await access(config.DATA_DIR, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Every blob in the store older than `olderThanMs`, for the collector of what no row refers to. */
export async function* oldBlobs(olderThanMs: number): AsyncGenerator<{ sha256: string; path: string }> {
  const top = join(config.DATA_DIR, 'blobs');
  for (const folder of await readdir(top).catch(() => [])) {
    for (const sha256 of await readdir(join(top, folder))) {
      const path = join(top, folder, sha256);
      const facts = await stat(path).catch(() => null);
      if (facts !== null && SHA256.test(sha256) && Date.now() - facts.mtimeMs > olderThanMs) yield { sha256, path };
    }
  }
}

/**
 * Removes a blob that nothing refers to. It is set aside first and looked at again: when the same bytes were stored a
 * moment ago they are put back. Returns whether it is gone.
 */
export async function removeBlob(sha256: string, graceMs: number): Promise<boolean> {
  const path = blobPath(sha256);
  const aside = `${path}.collected`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const facts = await stat(aside);
  if (Date.now() - facts.mtimeMs < graceMs) {
    await rename(aside, path);
    return false;
  }
  await unlink(aside);
  return true;
}
