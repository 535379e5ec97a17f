import { Readable } from 'node:stream';

/** Puts the bytes of a package into the blob store. Returns the columns of its file. */
export async function storePackage(bytes: Buffer) {
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  const { receiveFile } = await import('../../src/infra/staging/staging.ts');
  const { sha256, size } = await receiveFile(Readable.from([bytes])).then(async (staged) => {
    await blobs.put(staged);
    return staged;
  });
  return { sha256, originalSha256: sha256, size: BigInt(size), isStored: true as const };
}
