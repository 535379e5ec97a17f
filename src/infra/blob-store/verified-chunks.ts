import { createHash } from 'node:crypto';

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
