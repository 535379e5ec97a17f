import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { ContainerRules } from './container-rules.ts';
import { crxHeaderBytes } from './crx-header.ts';
import { inflateEntry } from './entry-body.ts';
import { FileWindow } from './file-window.ts';
import { type DirectoryRecord, readDirectory } from './read-directory.ts';
import { readLocalHeader } from './verify-entries.ts';
import { DEFAULT_ZIP_LIMITS } from './zip-archive.ts';

/** Limits of the content that is read, in bytes. */
interface ReadLimits {
  /** Larger files are left out. */
  fileBytes: number;
  /** All files together; those that would exceed it are left out. */
  totalBytes: number;
}

/**
 * The inflated contents of some files of the ZIP archive at `path`, by name; unknown names, directories and files above the limits are
 * absent. Reads nothing else of the archive: only for archives that `openZip` has verified, in any container.
 * @throws {PackageError} for an archive that is broken where it is read; the file system's error when it cannot be read.
 */
export async function readEntries(
  path: string,
  names: ReadonlySet<string>,
  { fileBytes, totalBytes }: ReadLimits,
): Promise<Map<string, Buffer>> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const rules = new ContainerRules('packed');
    const window = new FileWindow(handle, size, await crxHeaderBytes(handle, rules));
    const { records } = await readDirectory(window, DEFAULT_ZIP_LIMITS, rules);
    const contents = new Map<string, Buffer>();
    let total = 0;
    for (const record of records) {
      const bytes = Math.max(record.size, record.compressedSize);
      if (record.directory || !names.has(record.name) || bytes > fileBytes || total + bytes > totalBytes) continue;
      total += bytes;
      contents.set(record.name, await contentOf(window, record, rules));
    }
    return contents;
  } finally {
    await handle.close();
  }
}

async function contentOf(window: FileWindow, record: DirectoryRecord, rules: ContainerRules): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await inflateEntry(window, await readLocalHeader(window, record, rules), (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}
