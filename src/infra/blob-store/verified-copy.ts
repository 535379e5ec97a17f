import { createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { onDisk, stagingPath } from '../staging/staging.ts';
import { blobs } from './blobs.ts';

/** A private copy of a blob. No other process knows its path. */
export interface VerifiedCopy {
  path: string;
  /** In bytes. */
  size: number;
  /** Computed from the bytes of the copy while they were written. */
  sha256: string;
}

/**
 * Copies a blob to a new file and compares its hash.
 * @throws {StoredFileError} when it is lost or has other bytes; {UnavailableError} during an outage of the store. No file is left then.
 */
export async function copyVerified(sha256: string, path: string): Promise<void> {
  try {
    await pipeline(blobs.openVerified(sha256), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  }
}

/**
 * Calls `use` with a private copy of a blob, whose bytes have the hash that names it, and removes the copy afterwards. All code that
 * reads a stored package as a file does it here, because the file in the store may be replaced at any moment.
 * @throws as `copyVerified` does; {UnavailableError} also when the disk is full.
 */
export async function withVerifiedCopy<Result>(
  sha256: string,
  use: (copy: VerifiedCopy) => Promise<Result>,
): Promise<Result> {
  const path = await stagingPath();
  await onDisk(() => copyVerified(sha256, path));
  try {
    const { size } = await stat(path);
    return await use({ path, size, sha256 });
  } finally {
    await unlink(path).catch(() => {});
  }
}
