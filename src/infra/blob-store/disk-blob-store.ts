import type { Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { UnavailableError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { syncFolder } from '../sync-folder.ts';
import {
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type FileProblem,
  type Reconciliation,
  requireBlobName,
  StoredFileError,
} from './blob-store.ts';
import { hasHash, READ_BYTES, readBuffer, verifiedChunks } from './file-hash.ts';
import { probeFolder, readFolderMarker, writeFolderMarker } from './folder-marker.ts';
import { blobOfFile, moveAside, putBack, unlessMissing } from './moved-aside.ts';

/** Other entries are no blobs: the staging area, and `lost+found` of a file system of its own. */
const SUBFOLDER = /^[0-9a-f]{2}$/;
/** Each after a file was put back that removals moved aside. */
const MAX_LOOKS = 5;
/** `Retry-After` of a blob that cannot be read. */
const RETRY_S = 10;
/** Damaged blobs that a process remembers, and as many whole ones. */
const MAX_REMEMBERED = 10_000;

/** Blobs as files `aa/<sha256>` below a folder that several processes may share. */
export class DiskBlobStore implements BlobStore {
  readonly location: string;
  /** Subfolders whose own entries this process has made durable, whichever process created them. */
  readonly #durable = new Set<string>();
  /**
   * State of the files that were found damaged. After a broken download, clients request the rest of the file, which would make it
   * complete; a file that is put back has another state.
   */
  readonly #damaged = new Map<string, string>();
  /** Whether each file of which a part was sent is whole, by name and state. */
  readonly #whole = new Map<string, Promise<boolean>>();
  readonly #report: (error: StoredFileError) => Promise<void>;

  /** `report` is called with each lost or damaged blob that a reader finds. */
  constructor(folder: string, report: (error: StoredFileError) => Promise<void> = async () => {}) {
    this.location = folder;
    this.#report = report;
  }

  async put(file: { path: string; sha256: string }): Promise<void> {
    const target = this.#path(file.sha256);
    const folder = dirname(target);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(file.path, target);
      await syncFolder(folder);
      if (!this.#durable.has(folder)) {
        for (const parent of [this.location, dirname(this.location)]) await syncFolder(parent);
        this.#durable.add(folder);
      }
    } catch (error) {
      await unlink(file.path).catch(() => {});
      throw new UnavailableError(message('file.not_stored', { code: codeOf(error) }));
    }
  }

  openVerified(sha256: string): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#verifiedChunks(sha256), { objectMode: false, highWaterMark: READ_BYTES });
  }

  async check(sha256: string, buffer = readBuffer()): Promise<FileProblem | null> {
    const handle = await this.#withFile(sha256, (path) => open(path));
    if (handle === null) return 'lost';
    try {
      if (await hasHash(sha256, handle, buffer)) return null;
      this.#rememberDamage(sha256, await handle.stat());
      return 'damaged';
    } catch (error) {
      throw cannotRead(error);
    } finally {
      await handle.close();
    }
  }

  openPart(sha256: string, range: ByteRange): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#partChunks(sha256, range), { objectMode: false, highWaterMark: READ_BYTES });
  }

  async requireSize(sha256: string, recorded?: number): Promise<number> {
    const facts = await this.#withFile(sha256, (path) => stat(path));
    if (facts === null) throw await this.#problem(sha256, 'lost');
    const isDamaged = facts.size !== (recorded ?? facts.size) || this.#damaged.get(sha256) === stateOf(facts);
    if (isDamaged) throw await this.#problem(sha256, 'damaged');
    return facts.size;
  }

  size(sha256: string): Promise<number | null> {
    return this.#withFile(sha256, async (path) => (await stat(path)).size);
  }

  async *entries(prefix = '', isWanted: (sha256: string) => boolean = () => true): AsyncGenerator<BlobEntry> {
    for (const folder of (await readdir(this.location).catch(() => [])).sort()) {
      if (!SUBFOLDER.test(folder) || !folder.startsWith(prefix)) continue;
      const files = await readdir(join(this.location, folder));
      const found = files.map(blobOfFile).filter((each) => each !== null);
      const aside = new Set(found.filter(({ isAside }) => isAside).map(({ sha256 }) => sha256));
      for (const sha256 of [...new Set(found.map((each) => each.sha256))].sort()) {
        if (aside.has(sha256)) await putBack(this.#path(sha256));
        if (!isWanted(sha256)) continue;
        const modified = await this.#withFile(sha256, async (path) => (await stat(path)).mtimeMs);
        if (modified !== null) yield { sha256, modified };
      }
    }
  }

  /**
   * POSIX has no "unlink if older than". The file is therefore moved aside first, so that no other one takes its name, and is put back
   * when it is young. After a kill in between, the next access restores it (docs/decisions.md D138).
   */
  async remove(sha256: string, graceMs: number): Promise<boolean> {
    const path = this.#path(sha256);
    try {
      const aside = await moveAside(path);
      if (Date.now() - aside.modified >= graceMs) {
        await unlink(aside.path);
        return true;
      }
    } catch (error) {
      // The blob is missing, or another process restored it.
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
    await putBack(path);
    return false;
  }

  async sample(limit: number): Promise<string[]> {
    const names: string[] = [];
    for await (const { sha256 } of this.entries()) if (names.push(sha256) >= limit) break;
    return names;
  }

  /** A folder has no records. */
  async reconcile(): Promise<Reconciliation> {
    return { recorded: 0, removed: 0 };
  }

  async publicUrl(): Promise<string | null> {
    return null;
  }

  readMarker(): Promise<string | null> {
    return readFolderMarker(this.location).catch(rethrowCannotRead);
  }

  writeMarker(id: string, when: 'unmarked' | 'always'): Promise<void> {
    return writeFolderMarker(this.location, id, when);
  }

  problem(): Promise<string | null> {
    return probeFolder(this.location);
  }

  async *#verifiedChunks(sha256: string): AsyncGenerator<Buffer> {
    const handle = await this.#withFile(sha256, (path) => open(path));
    if (handle === null) throw await this.#problem(sha256, 'lost');
    try {
      yield* verifiedChunks(chunksOf(handle), sha256, async (isRight) => {
        if (!isRight) throw await this.#damage(sha256, await handle.stat());
        // First, because clients disconnect once they have the last byte, which must not precede the end of the stream.
        await handle.close();
      });
    } finally {
      await handle.close();
    }
  }

  async *#partChunks(sha256: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    const handle = await this.#withFile(sha256, (path) => open(path));
    if (handle === null) throw await this.#problem(sha256, 'lost');
    try {
      await this.#requireWhole(sha256, handle);
      for (let position = start; position <= end; ) {
        const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, end - position + 1));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position).catch(rethrowCannotRead);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        position += bytesRead;
      }
    } finally {
      await handle.close();
    }
  }

  /** Reads a file, unless this process has read it in this state before; concurrent calls read it once. */
  async #requireWhole(sha256: string, handle: FileHandle): Promise<void> {
    const facts = await handle.stat();
    const key = `${sha256} ${stateOf(facts)}`;
    const known = this.#whole.get(key) ?? hasHash(sha256, handle).catch(rethrowCannotRead);
    if (this.#whole.size >= MAX_REMEMBERED) this.#whole.clear();
    this.#whole.set(key, known);
    const result = await known.catch((error) => {
      this.#whole.delete(key);
      throw error;
    });
    if (!result) throw await this.#damage(sha256, facts);
  }

  #damage(sha256: string, facts: Stats): Promise<StoredFileError> {
    this.#rememberDamage(sha256, facts);
    return this.#problem(sha256, 'damaged');
  }

  #rememberDamage(sha256: string, facts: Stats): void {
    if (this.#damaged.size >= MAX_REMEMBERED) this.#damaged.clear();
    this.#damaged.set(sha256, stateOf(facts));
  }

  /** Reports a problem. Returns the error to throw. */
  async #problem(sha256: string, problem: FileProblem): Promise<StoredFileError> {
    const error = new StoredFileError(sha256, problem);
    await this.#report(error);
    return error;
  }

  #path(sha256: string): string {
    requireBlobName(sha256);
    return join(this.location, sha256.slice(0, 2), sha256);
  }

  /**
   * The result of `use` on the blob's file, or null when the file is missing and no interrupted removal has left it.
   * @throws {UnavailableError} for every other failure of `use`.
   */
  async #withFile<Result>(sha256: string, use: (path: string) => Promise<Result>): Promise<Result | null> {
    const path = this.#path(sha256);
    try {
      for (let looks = 1, isAside = true; ; looks++) {
        const result = await use(path).catch(unlessMissing(null));
        if (result !== null || !isAside || looks === MAX_LOOKS) return result;
        // Once more also if nothing is aside now: another process may have put it back since the look.
        isAside = await putBack(path);
      }
    } catch (error) {
      throw cannotRead(error);
    }
  }
}

const cannotRead = (error: unknown): UnavailableError =>
  new UnavailableError(message('file.not_read', { code: codeOf(error) }), RETRY_S);

function rethrowCannotRead(error: unknown): never {
  throw cannotRead(error);
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    yield* handle.createReadStream({ highWaterMark: READ_BYTES, autoClose: false });
  } catch (error) {
    throw cannotRead(error);
  }
}

/** Distinguishes a file from the one that replaces it. */
const stateOf = ({ ino, mtimeMs, size }: Stats): string => `${ino} ${mtimeMs} ${size}`;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';
