import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UnavailableError } from '../../errors.ts';
import { type BlobStore, type ByteRange, requireBlobName } from './blob-store.ts';

/** Blobs in the memory of one process, for tests. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, { bytes: Buffer; modified: number }>();

  async put({ path, sha256 }: { path: string; sha256: string }): Promise<void> {
    requireBlobName(sha256);
    try {
      this.#blobs.set(sha256, { bytes: await readFile(path), modified: Date.now() });
    } catch {
      throw new UnavailableError('The file could not be stored.');
    } finally {
      await rm(path, { force: true });
    }
  }

  open(sha256: string, { start = 0, end }: ByteRange = {}): Readable {
    const blob = this.#find(sha256);
    if (blob === undefined) return new Readable({ read: (): void => {} }).destroy(new Error(`no blob ${sha256}`));
    return Readable.from([blob.bytes.subarray(start, end === undefined ? undefined : end + 1)]);
  }

  async size(sha256: string): Promise<number | null> {
    return this.#find(sha256)?.bytes.length ?? null;
  }

  async touch(sha256: string): Promise<boolean> {
    const blob = this.#find(sha256);
    if (blob) blob.modified = Date.now();
    return blob !== undefined;
  }

  async *list(olderThanMs: number): AsyncGenerator<string> {
    for (const [sha256, { modified }] of [...this.#blobs]) {
      if (Date.now() - modified > olderThanMs) yield sha256;
    }
  }

  async remove(sha256: string, graceMs: number): Promise<boolean> {
    const blob = this.#find(sha256);
    return blob !== undefined && Date.now() - blob.modified >= graceMs && this.#blobs.delete(sha256);
  }

  async withLocalFile<Result>(sha256: string, use: (path: string) => Promise<Result>): Promise<Result> {
    const blob = this.#find(sha256);
    if (blob === undefined) throw new UnavailableError('The file is missing from the store.');
    const folder = await mkdtemp(join(tmpdir(), 'blob-'));
    try {
      const path = join(folder, sha256);
      await writeFile(path, blob.bytes);
      return await use(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async isWritable(): Promise<boolean> {
    return true;
  }

  #find(sha256: string) {
    requireBlobName(sha256);
    return this.#blobs.get(sha256);
  }
}
