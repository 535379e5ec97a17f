import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { PackageError } from '../../errors.ts';
import { openZip } from './read-zip.ts';
import { writeZip } from './write-zip.ts';
import type { ZipArchive } from './zip-archive.ts';

/**
 * Copies the archive at `from` to `to`, which must not exist, in the form that is signed: without a CRX header, comments, zip64 and
 * unknown extra fields. An archive that has none of them, or is refused, is copied byte for byte.
 */
export async function plainCopy(from: string, to: string): Promise<void> {
  const archive = await openUnlessRefused(from);
  try {
    if (archive === null || archive.isPlain) await copyFile(from, to, constants.COPYFILE_FICLONE);
    else
      await writeZip(
        to,
        archive.entries.map((entry) => ({ name: entry.name, copy: { archive, entry } })),
      );
  } finally {
    await archive?.close();
  }
}

async function openUnlessRefused(path: string): Promise<ZipArchive | null> {
  try {
    return await openZip(path, { container: 'packed' });
  } catch (error) {
    if (error instanceof PackageError) return null;
    throw error;
  }
}
