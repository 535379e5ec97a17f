import { Buffer } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { inflateEntry } from './entry-body.ts';
import { FileWindow } from './file-window.ts';
import { inTurn } from './in-turn.ts';
import { readDirectory } from './read-directory.ts';
import { archiveTooLarge, entryTooLarge } from './refusals.ts';
import { verifyEntries } from './verify-entries.ts';
import type { OpenZipOptions, ZipArchive, ZipEntry } from './zip-archive.ts';
import { DEFAULT_ZIP_LIMITS } from './zip-limits.ts';

/**
 * Opens the ZIP archive at `path` (APPNOTE 6.3.10, without zip64, encryption and comments) and verifies all of it: one
 * interpretation of the container, safe and distinct names, declared sizes and CRCs. Two programs then cannot see different
 * contents, and compressed bodies may be copied unchanged. Uses a few MB of memory for any archive. The caller closes it.
 * @throws {PackageError} with the documented text (`refusals.ts`); the file system's error when the file cannot be read.
 */
export async function openZip(path: string, options: OpenZipOptions = {}): Promise<ZipArchive> {
  const { digests: wanted, visit, ...limits } = options;
  const allLimits = { ...DEFAULT_ZIP_LIMITS, ...limits };
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > allLimits.archiveBytes) throw archiveTooLarge(allLimits.archiveBytes);
    const window = new FileWindow(handle, size);
    const { records, offset } = await readDirectory(window, allLimits);
    const digests = typeof wanted === 'function' ? wanted(records.map(({ name }) => name)) : wanted;
    const entries = await inTurn(size, () =>
      verifyEntries(FileWindow.forOneReader(handle, size), { records, offset }, { digests, visit }),
    );
    return openArchive({ path, handle, window, entries, entryBytes: allLimits.entryBytes });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface OpenParts {
  path: string;
  handle: FileHandle;
  window: FileWindow;
  entries: ZipEntry[];
  entryBytes: number;
}

function openArchive({ path, handle, window, entries, entryBytes }: OpenParts): ZipArchive {
  const { size } = window;
  const readTo = (entry: ZipEntry, take: (piece: Buffer) => void) => inflateEntry(window, entry, take);
  let copyWindow: FileWindow | undefined;
  let isCopying = false;
  return {
    path,
    size,
    entries,
    readTo,
    async read(entry, cap = entryBytes) {
      if (entry.size > cap) throw entryTooLarge(entry.name);
      const content = Buffer.allocUnsafeSlow(entry.size);
      let filled = 0;
      await readTo(entry, (piece) => {
        filled += piece.copy(content, filled);
      });
      return content;
    },
    async readRawTo(entry, take) {
      if (isCopying) throw new Error('One body of an archive is copied at a time.');
      isCopying = true;
      try {
        copyWindow ??= FileWindow.forOneReader(handle, size);
        for await (const piece of copyWindow.pieces(entry.dataOffset, entry.compressedSize)) await take(piece);
      } finally {
        isCopying = false;
      }
    },
    close: () => handle.close(),
  };
}
