import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openZip } from '../zip/read-zip.ts';
import type { ZipEntry } from '../zip/zip-archive.ts';

/** Shorter texts are no secrets and would match everywhere. */
const MIN_SECRET_LENGTH = 16;

/**
 * Names of the files in the package at `path` that contain one of `secrets` as plain bytes, in the order of the archive.
 * Memory use does not depend on the size of the files. An OpenSearch package is one XML file, returned by its name. Throws PackageError when the archive cannot be read completely.
 */
export async function findSecrets(path: string, format: string, secrets: readonly string[]): Promise<string[]> {
  const needles = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).map((secret) => Buffer.from(secret));
  if (needles.length === 0) return [];
  if (format === 'opensearch') return holdsAny(needles, await readFile(path)) ? [basename(path)] : [];
  const search = new PieceSearch(needles);
  const archive = await openZip(path, { container: 'packed', visit: (entry, piece) => search.look(entry, piece) });
  await archive.close();
  return archive.entries.filter((entry) => search.found.has(entry)).map(({ name }) => name);
}

function holdsAny(needles: readonly Buffer[], bytes: Buffer): boolean {
  return needles.some((needle) => bytes.includes(needle));
}

/** Searches for byte strings in files that arrive in pieces, one file after the other; matches may span two pieces. */
class PieceSearch {
  readonly found = new Set<ZipEntry>();
  readonly #needles: readonly Buffer[];
  readonly #overlap: number;
  #entry: ZipEntry | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(needles: readonly Buffer[]) {
    this.#needles = needles;
    this.#overlap = Math.max(...needles.map(({ length }) => length)) - 1;
  }

  look(entry: ZipEntry, piece: Buffer): void {
    const before = entry === this.#entry ? this.#tail : Buffer.alloc(0);
    this.#entry = entry;
    const seam = Buffer.concat([before, piece.subarray(0, this.#overlap)]);
    if (holdsAny(this.#needles, piece) || holdsAny(this.#needles, seam)) this.found.add(entry);
    // A copy, because the piece must not be kept; it may be shorter than the overlap.
    const last = piece.subarray(-this.#overlap);
    this.#tail = Buffer.concat([before, last]).subarray(-this.#overlap);
  }
}
