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

/** Reads all chunks of a blob, and compares their hash with the name. */
export async function haveHash(sha256: string, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex') === sha256;
}

/**
 * Passes the chunks of a blob on and hashes them. The last one follows once `onEnd` has returned, which is called with whether the hash is
 * right and throws for a damaged blob.
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Buffer>,
  sha256: string,
  onEnd: (isWhole: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  for await (const chunk of chunks) {
    hash.update(chunk);
    if (held !== null) yield held;
    held = chunk;
  }
  await onEnd(hash.digest('hex') === sha256);
  if (held !== null) yield held;
}
