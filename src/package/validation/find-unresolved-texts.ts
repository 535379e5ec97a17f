import type { UnresolvedText } from '../manifest/package-manifest.ts';
import { readArchiveManifest } from '../manifest/read-package.ts';
import { readEntries } from '../zip/read-entries.ts';
import { openZip } from '../zip/read-zip.ts';

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Texts of the manifest at `path`, a verified WebExtension, that refer to missing messages. Reads the manifest alone if it has no
 * reference. Throws PackageError when the archive cannot be read.
 */
export async function findUnresolvedTexts(path: string): Promise<UnresolvedText[]> {
  const limits = { fileBytes: MAX_MANIFEST_BYTES, totalBytes: MAX_MANIFEST_BYTES };
  const contents = await readEntries(path, new Set([MANIFEST]), limits);
  if (!contents.get(MANIFEST)?.includes('__MSG_')) return [];
  const archive = await openZip(path, { container: 'packed' });
  try {
    return (await readArchiveManifest(archive)).unresolvedTexts;
  } finally {
    await archive.close();
  }
}
