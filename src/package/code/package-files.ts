/* The files of a stored package, for people who read code. The archive was verified when it was uploaded. */
import type { Buffer } from 'node:buffer';
import { readEntries } from '../zip/read-entries.ts';
import { openZip } from '../zip/read-zip.ts';
import { type PackageFile, TEXT_BYTES } from './file-changes.ts';

/** Text of a file, decoded. */
export interface FileText {
  text: string;
  /** The encoding that it was decoded from. Bytes that are not valid in it became U+FFFD. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
}

/** As Git does, a NUL within these bytes makes a file binary. */
const HEAD_BYTES = 8_000;

const UTF16_MARKS = { 'utf-16le': '\xff\xfe', 'utf-16be': '\xfe\xff' } as const;

function markOf(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = head.toString('latin1', 0, 2);
  if (mark === UTF16_MARKS['utf-16le']) return 'utf-16le';
  return mark === UTF16_MARKS['utf-16be'] ? 'utf-16be' : null;
}

/**
 * All files of the package at `path`, by path in the order of code units.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function listPackageFiles(path: string): Promise<PackageFile[]> {
  const read = new Map<string, { bytes: number; isText: boolean; isMarked: boolean }>();
  const archive = await openZip(path, {
    digests: true,
    container: 'packed',
    visit: ({ name }, piece) => {
      const head = read.get(name) ?? { bytes: 0, isText: true, isMarked: markOf(piece) !== null };
      if (head.bytes < HEAD_BYTES && piece.subarray(0, HEAD_BYTES - head.bytes).includes(0))
        head.isText = head.isMarked;
      head.bytes += piece.length;
      read.set(name, head);
    },
  });
  await archive.close();
  const files = archive.entries.filter(({ directory }) => !directory);
  return files
    .map(({ name, size, sha256 }) => ({
      ...{ path: name, size, sha256: sha256?.toString('hex') ?? '' },
      isText: read.get(name)?.isText ?? true,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The texts of some files of the package at `path`, by path. Files above `TEXT_BYTES`, and those after the first `totalBytes`, are absent.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function readTexts(
  path: string,
  names: Iterable<string>,
  totalBytes: number,
): Promise<Map<string, FileText>> {
  const contents = await readEntries(path, new Set(names), { fileBytes: TEXT_BYTES, totalBytes });
  return new Map([...contents].map(([name, content]) => [name, decode(content)]));
}

/** A byte order mark is no part of the text. */
function decode(content: Buffer): FileText {
  const encoding = markOf(content) ?? 'utf-8';
  return { text: new TextDecoder(encoding).decode(content), encoding };
}
