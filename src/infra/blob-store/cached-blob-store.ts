import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ServiceError, UnavailableError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import {
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type FileProblem,
  type PublicHeaders,
  type Reconciliation,
  requireBlobName,
  StoredFileError,
} from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

const MEGABYTE = 1024 * 1024;
/** A file above this part of the cache is not kept in it. */
const MAX_PART = 0.25;
/** Larger files are passed on while they are fetched; others once the cache has all of them, so no client gets a part of a damaged one. */
const FETCHED_FIRST_BYTES = 16 * MEGABYTE;
/** The cache is cut back to this part of its size, each time that a process has added the rest. */
const KEPT_PART = 0.9;
/** How long a draft may be written. */
const ABANDONED_MS = 3_600_000;
/** A use is noted at most this often. */
const USE_MS = 60_000;

/**
 * A store with a folder on this machine that has the files read or stored lately. Processes may share the folder. What is read from it is
 * hashed like a file of the store. The folder may be emptied at any time, and exceeds its size by a tenth for each process.
 */
export class CachedBlobStore implements BlobStore {
  readonly #store: BlobStore;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #cache: DiskBlobStore;
  /** Fetches under way, by blob. The result is whether the cache has it now. */
  readonly #fetches = new Map<string, Promise<boolean>>();
  /** Bytes that this process has added since it cut the cache back, which it does before its first file. */
  #added = Number.POSITIVE_INFINITY;

  constructor(store: BlobStore, folder: string, maxBytes: number) {
    this.#store = store;
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#cache = new DiskBlobStore(folder);
  }

  get location(): string {
    return this.#store.location;
  }

  async put(file: { path: string; sha256: string }): Promise<void> {
    requireBlobName(file.sha256);
    const size = await stat(file.path).then(
      (facts) => facts.size,
      () => null,
    );
    const draft = size !== null && this.#isKept(size) ? await this.#draftOf(file.path) : null;
    try {
      await this.#store.put(file);
      if (draft !== null) await this.#keep(draft, file.sha256, size ?? 0);
    } finally {
      if (draft !== null) await unlink(draft).catch(() => {});
    }
  }

  openVerified(sha256: string): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#verified(sha256), { objectMode: false });
  }

  openPart(sha256: string, range: ByteRange): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#part(sha256, range), { objectMode: false });
  }

  async *#verified(sha256: string): AsyncGenerator<Buffer> {
    if (await this.#has(sha256)) {
      try {
        return yield* this.#cache.openVerified(sha256) as AsyncIterable<Buffer>;
      } catch (error) {
        await this.#dropDamaged(sha256, error);
      }
    }
    const size = await this.#store.requireSize(sha256);
    if (size > FETCHED_FIRST_BYTES && this.#isKept(size)) return yield* this.#fetchAndPass(sha256, size);
    const isFetched = this.#isKept(size) && (await this.#fetchOnce(sha256, size));
    yield* (isFetched ? this.#cache : this.#store).openVerified(sha256) as AsyncIterable<Buffer>;
  }

  async *#part(sha256: string, range: ByteRange): AsyncGenerator<Buffer> {
    const isCached = (await this.#has(sha256)) || (await this.#fetchForPart(sha256));
    if (!isCached) return yield* this.#store.openPart(sha256, range) as AsyncIterable<Buffer>;
    try {
      yield* this.#cache.openPart(sha256, range) as AsyncIterable<Buffer>;
    } catch (error) {
      await this.#dropDamaged(sha256, error);
      throw new UnavailableError(message('file.not_read', { code: 'changed' }));
    }
  }

  async #fetchForPart(sha256: string): Promise<boolean> {
    const size = await this.#store.requireSize(sha256);
    return this.#isKept(size) && this.#fetchOnce(sha256, size);
  }

  #isKept(size: number): boolean {
    return size <= this.#maxBytes * MAX_PART;
  }

  /** Whether the cache has a blob. Notes its use. */
  async #has(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    try {
      const { atimeMs, mtime } = await stat(path);
      if (Date.now() - atimeMs > USE_MS) await utimes(path, new Date(), mtime);
      return true;
    } catch {
      return false;
    }
  }

  /** A damaged or removed file of the cache is no damage of the store. @throws any other error. */
  async #dropDamaged(sha256: string, error: unknown): Promise<void> {
    if (!(error instanceof StoredFileError)) throw error;
    await unlink(this.#path(sha256)).catch(() => {});
  }

  /** Concurrent calls fetch a blob once. */
  #fetchOnce(sha256: string, size: number): Promise<boolean> {
    const present = this.#fetches.get(sha256);
    if (present !== undefined) return present;
    const fetch = this.#fetch(sha256, size).finally(() => this.#fetches.delete(sha256));
    this.#fetches.set(sha256, fetch);
    return fetch;
  }

  /** Returns false when this machine cannot keep the file. @throws what the store throws. */
  async #fetch(sha256: string, size: number): Promise<boolean> {
    const draft = await this.#newDraft();
    try {
      await pipeline(this.#store.openVerified(sha256), createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
      return await this.#keep(draft, sha256, size);
    } catch (error) {
      if (error instanceof ServiceError || error instanceof StoredFileError) throw error;
      return false;
    } finally {
      await unlink(draft).catch(() => {});
    }
  }

  /** Passes a blob on while it is written to the cache, as far as this machine can do that. */
  async *#fetchAndPass(sha256: string, size: number): AsyncGenerator<Buffer> {
    const draft = await this.#newDraft();
    const copy = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
    const written = finished(copy).then(
      () => true,
      () => false,
    );
    try {
      for await (const chunk of this.#store.openVerified(sha256) as AsyncIterable<Buffer>) {
        if (!copy.destroyed && !copy.write(chunk)) await Promise.race([drained(copy), written]);
        yield chunk;
      }
      copy.end();
      if (await written) await this.#keep(draft, sha256, size);
    } finally {
      copy.destroy();
      await unlink(draft).catch(() => {});
    }
  }

  /** Moves a complete draft to its place. Returns false when this machine cannot keep it. */
  async #keep(draft: string, sha256: string, size: number): Promise<boolean> {
    try {
      await this.#makeRoom(size);
      await mkdir(dirname(this.#path(sha256)), { recursive: true, mode: 0o700 });
      await rename(draft, this.#path(sha256));
      return true;
    } catch {
      return false;
    }
  }

  async #makeRoom(size: number): Promise<void> {
    this.#added += size;
    if (this.#added <= this.#maxBytes * (1 - KEPT_PART)) return;
    this.#added = size;
    const files = await this.#files();
    let total = files.reduce((sum, file) => sum + file.size, 0);
    for (const { path, size: bytes } of files.sort((one, other) => one.used - other.used)) {
      if (total + size <= this.#maxBytes * KEPT_PART) break;
      await unlink(path).catch(() => {});
      total -= bytes;
    }
  }

  /** The files of the cache. Removes drafts of killed processes. */
  async #files(): Promise<{ path: string; size: number; used: number }[]> {
    const files = [];
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const facts = await stat(path).catch(() => null);
      if (facts === null) continue;
      const isDraft = entry.name.startsWith('draft.');
      if (!isDraft) files.push({ path, size: facts.size, used: facts.atimeMs });
      else if (Date.now() - facts.mtimeMs > ABANDONED_MS) await unlink(path).catch(() => {});
    }
    return files;
  }

  async #newDraft(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch(() => {});
    return join(this.#folder, `draft.${randomBytes(16).toString('hex')}`);
  }

  /** A draft with the bytes of a file, which stays; null when this machine cannot keep it. */
  async #draftOf(path: string): Promise<string | null> {
    const draft = await this.#newDraft();
    try {
      await link(path, draft).catch(() => copyFile(path, draft));
      return draft;
    } catch {
      return null;
    }
  }

  #path(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2), sha256);
  }

  check(sha256: string, buffer?: Buffer): Promise<FileProblem | null> {
    return this.#store.check(sha256, buffer);
  }

  size(sha256: string): Promise<number | null> {
    return this.#store.size(sha256);
  }

  requireSize(sha256: string, recorded?: number): Promise<number> {
    return this.#store.requireSize(sha256, recorded);
  }

  entries(prefix?: string, isWanted?: (sha256: string) => boolean): AsyncIterable<BlobEntry> {
    return this.#store.entries(prefix, isWanted);
  }

  async remove(sha256: string, graceMs: number): Promise<boolean> {
    const isRemoved = await this.#store.remove(sha256, graceMs);
    if (isRemoved) await unlink(this.#path(sha256)).catch(() => {});
    return isRemoved;
  }

  sample(limit: number): Promise<string[]> {
    return this.#store.sample(limit);
  }

  reconcile(): Promise<Reconciliation> {
    return this.#store.reconcile();
  }

  publicUrl(sha256: string, headers: PublicHeaders): Promise<string | null> {
    return this.#store.publicUrl(sha256, headers);
  }

  readMarker(): Promise<string | null> {
    return this.#store.readMarker();
  }

  writeMarker(id: string, when: 'unmarked' | 'always'): Promise<void> {
    return this.#store.writeMarker(id, when);
  }

  problem(): Promise<string | null> {
    return this.#store.problem();
  }
}

const drained = (stream: NodeJS.WritableStream) => new Promise<void>((resolve) => stream.once('drain', resolve));
