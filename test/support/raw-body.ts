import type { ZipArchive, ZipEntry } from '../../src/package/zip/zip-archive.ts';

/** The compressed body of an entry. */
export async function rawBody(archive: ZipArchive, entry: ZipEntry): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await archive.readRawTo(entry, async (piece) => void pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}
