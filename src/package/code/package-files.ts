/* The files of a stored package or archive of source code, for people who read code. It was verified when it was uploaded. */
import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import type { SourceFile } from '../source/entry-path.ts';
import { listSource } from '../source/list-source.ts';
import type { SourceFormat } from '../source/source-format.ts';
import { readEntries } from '../zip/read-entries.ts';
import { openZip } from '../zip/read-zip.ts';
import { type PackageFile, TEXT_BYTES } from './file-changes.ts';
import { knownLibrary } from './known-libraries.ts';

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

/** What the bytes of a file show, which arrive in pieces. */
class FileFacts {
  isText = true;
  #bytes = 0;
  #isMarked = false;

  take(piece: Buffer): void {
    if (this.#bytes === 0) this.#isMarked = markOf(piece) !== null;
    if (this.#bytes < HEAD_BYTES && piece.subarray(0, HEAD_BYTES - this.#bytes).includes(0))
      this.isText = this.#isMarked;
    this.#bytes += piece.length;
  }
}

/** Where files are: in a package, or in an archive of source code in its format. */
export type ArchiveFormat = 'package' | SourceFormat;

/**
 * All files of the archive at `path`, by path in the order of code units.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function listFiles(path: string, format: ArchiveFormat): Promise<PackageFile[]> {
  const files = format === 'package' ? await listPackage(path) : await listArchive(path, format);
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const fileOf = (path: string, size: number, sha256: string, isText: boolean): PackageFile => ({
  ...{ path, size, sha256, isText },
  library: knownLibrary(sha256),
});

async function listPackage(path: string): Promise<PackageFile[]> {
  const read = new Map<string, FileFacts>();
  const archive = await openZip(path, {
    digests: true,
    container: 'packed',
    visit: ({ name }, piece) => {
      const facts = read.get(name) ?? new FileFacts();
      facts.take(piece);
      read.set(name, facts);
    },
  });
  await archive.close();
  const files = archive.entries.filter(({ directory }) => !directory);
  return files.map(({ name, size, sha256 }) =>
    fileOf(name, size, sha256?.toString('hex') ?? '', read.get(name)?.isText ?? true),
  );
}

/** Paths as unpackers see them. */
const plainPath = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

async function listArchive(path: string, format: SourceFormat): Promise<PackageFile[]> {
  const read = new Map<string, { file: SourceFile; facts: FileFacts; hash: Hash }>();
  await listSource(path, format, undefined, (file, piece) => {
    const name = plainPath(file.name);
    if (name === '') return;
    let entry = read.get(name);
    // The last file of a name replaces the others.
    if (entry?.file !== file) entry = { file, facts: new FileFacts(), hash: createHash('sha256') };
    read.set(name, entry);
    entry.facts.take(piece);
    entry.hash.update(piece);
  });
  return [...read].map(([name, { file, facts, hash }]) => fileOf(name, file.size, hash.digest('hex'), facts.isText));
}

/**
 * The bytes of a file of the archive at `path`; null for an absent one and one above `maxBytes`.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function readFileBytes(
  path: string,
  format: ArchiveFormat,
  name: string,
  maxBytes: number,
): Promise<Buffer | null> {
  if (format === 'package') {
    const limits = { fileBytes: maxBytes, totalBytes: maxBytes };
    return (await readEntries(path, new Set([name]), limits)).get(name) ?? null;
  }
  let found: { file: SourceFile; pieces: Buffer[] } | null = null;
  await listSource(path, format, undefined, (file, piece) => {
    if (plainPath(file.name) !== name || file.size > maxBytes) return;
    if (found?.file !== file) found = { file, pieces: [] };
    found.pieces.push(Buffer.from(piece));
  });
  const { pieces } = (found as { pieces: Buffer[] } | null) ?? { pieces: null };
  return pieces && Buffer.concat(pieces);
}

/** The text of a file of the archive at `path`, as `readFileBytes` reads it. */
export async function readFileText(path: string, format: ArchiveFormat, name: string): Promise<FileText | null> {
  const bytes = await readFileBytes(path, format, name, TEXT_BYTES);
  return bytes && decode(bytes);
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
