import { Readable } from 'node:stream';
import type { TestApp } from './app.ts';

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

/** Attaches a stored archive as source code to all versions of add-ons. */
export async function addSources(app: TestApp, addonIds: readonly number[], sha256: string): Promise<void> {
  await app.sql(
    `INSERT INTO version_source (version_id, name, size, sha256) SELECT id, 'source.zip', 1, $2 FROM version WHERE addon_id = ANY($1)`,
    [addonIds, sha256],
  );
}
