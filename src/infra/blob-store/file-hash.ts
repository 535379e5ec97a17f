import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

export const READ_BYTES = 256 * 1024;

/** A buffer for `check` of a store. */
export const readBuffer = (): Buffer => Buffer.allocUnsafeSlow(READ_BYTES);

/** Reads a file from its start, and compares its hash with the name. */
export async function hasHash(sha256: string, handle: FileHandle, buffer = readBuffer()): Promise<boolean> {
  const hash = createHash('sha256');
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest('hex') === sha256;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
