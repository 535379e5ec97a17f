import { Buffer } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { ContainerRules } from './container-rules.ts';
import { crxHeaderBytes } from './crx-header.ts';
import { inflateEntry } from './entry-body.ts';
import { FileWindow } from './file-window.ts';
import { inTurn } from './in-turn.ts';
import { readDirectory } from './read-directory.ts';
import { archiveTooLarge, entryTooLarge } from './refusals.ts';
import { verifyEntries } from './verify-entries.ts';
import { DEFAULT_ZIP_LIMITS, type OpenZipOptions, type ZipArchive, type ZipEntry } from './zip-archive.ts';

/**
 * Opens the ZIP archive at `path` (APPNOTE 6.3.10, without encryption, in the given `container`) and verifies all of it: one
 * interpretation of the container, safe and distinct names, declared sizes and CRCs. Two programs then cannot see different
 * contents, and compressed bodies may be copied unchanged. Uses a few MB of memory for any archive. The caller closes it.
 * @throws {PackageError} with the documented text (`refusals.ts`); the file system's error when the file cannot be read.
 */
export async function openZip(path: string, options: OpenZipOptions = {}): Promise<ZipArchive> {
  const { digests: wanted, visit, container, ...limits } = options;
  const allLimits = { ...DEFAULT_ZIP_LIMITS, ...limits };
  const rules = new ContainerRules(container);
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > allLimits.archiveBytes) throw archiveTooLarge(allLimits.archiveBytes);
    const origin = await crxHeaderBytes(handle, rules);
    const window = new FileWindow(handle, size, origin);
    const reader = () => FileWindow.forOneReader(handle, size, origin);
    const { records, offset } = await readDirectory(window, allLimits, rules);
    const digests = typeof wanted === 'function' ? wanted(records.map(({ name }) => name)) : wanted;
    const entries = await inTurn(size, () => verifyEntries(reader(), { records, offset }, { digests, visit, rules }));
    const { isPlain } = rules;
    return openArchive({ path, size, isPlain, handle, window, reader, entries, entryBytes: allLimits.entryBytes });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface OpenParts extends Pick<ZipArchive, 'path' | 'size' | 'entries' | 'isPlain'> {
  handle: FileHandle;
  window: FileWindow;
  /** A further window, for one reader. */
  reader: () => FileWindow;
  entryBytes: number;
}

function openArchive({ handle, window, reader, entryBytes, ...archive }: OpenParts): ZipArchive {
  const readTo = (entry: ZipEntry, take: (piece: Buffer) => void) => inflateEntry(window, entry, take);
  let copyWindow: FileWindow | undefined;
  let isCopying = false;
  return {
    ...archive,
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
        copyWindow ??= reader();
        for await (const piece of copyWindow.pieces(entry.dataOffset, entry.compressedSize)) await take(piece);
      } finally {
        isCopying = false;
      }
    },
    close: () => handle.close(),
  };
}
