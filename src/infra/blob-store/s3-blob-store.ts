import { stat, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { UnavailableError } from '../../errors.ts';
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
import { Bucket, type BucketSettings, type ObjectPart, storeUnavailable } from './bucket.ts';
import { haveHash, verifiedChunks } from './file-hash.ts';
import { objectChunks } from './object-chunks.ts';
import { reconcileBucket } from './reconcile-bucket.ts';
import {
  blobsOf,
  claimObject,
  completeObject,
  findObject,
  listObjects,
  markObject,
  noteRemoval,
  objectName,
  recordObjects,
} from './stored-objects.ts';
import { type LocalFile, writeObject } from './write-object.ts';

const MARKER = 'installation';
/** Blobs that a process remembers of each kind. */
const MAX_REMEMBERED = 10_000;
/** Rows that a process requests at once. */
const PAGE = 1_000;
/** A blob counts as damaged after this many reads with other bytes: connections alter some, too. */
const MAX_READS = 2;
/** A collection that marks a blob while it is stored is rare; one that does so again and again is none. */
const MAX_CLAIMS = 5;

interface Place {
  name: string;
  /** In bytes. */
  size: number;
}

/** Blobs as objects `aa/<sha256>` of a bucket, with their sizes and ages in rows of the database. */
export class S3BlobStore implements BlobStore {
  readonly location: string;
  readonly #bucket: Bucket;
  readonly #report: (error: StoredFileError) => Promise<void>;
  /** Places of blobs that were found. One that has moved is looked up again once its object is missing. */
  readonly #places = new Map<string, Place>();
  /** States of objects that were found damaged, by name. */
  readonly #damaged = new Map<string, string>();
  /** ETags of objects of which a part was sent, once all of them was read and hashed, by name. */
  readonly #whole = new Map<string, Promise<string>>();

  /** `report` is called with each lost or damaged blob that a reader finds. */
  constructor(settings: BucketSettings, report: (error: StoredFileError) => Promise<void> = async () => {}) {
    this.#bucket = new Bucket(settings);
    this.location = this.#bucket.location;
    this.#report = report;
  }

  async put({ path, sha256 }: { path: string; sha256: string }): Promise<void> {
    requireBlobName(sha256);
    try {
      await this.#store({ path, sha256, size: (await stat(path)).size });
    } catch (error) {
      throw error instanceof UnavailableError ? error : storeUnavailable('file.not_stored', error);
    } finally {
      await unlink(path).catch(() => {});
    }
  }

  async #store(file: LocalFile): Promise<void> {
    for (let attempt = 0; attempt < MAX_CLAIMS; attempt++) {
      const { generation, isSuspect } = await claimObject(file.sha256, file.size);
      const name = objectName(file.sha256, generation);
      await this.#write(name, file, isSuspect || this.#damaged.has(name));
      this.#damaged.delete(name);
      // The collection of the generation before may have been interrupted.
      if (generation > 0) await this.#bucket.remove(objectName(file.sha256, generation - 1)).catch(() => {});
      if (!(await completeObject(file.sha256, generation))) continue;
      remember(this.#places, file.sha256, { name, size: file.size });
      return;
    }
    throw new Error('collections remove the file while it is stored');
  }

  /** An object that exists has the same bytes, as its name is their hash, unless it was found damaged or has another size. */
  async #write(name: string, file: LocalFile, isSuspect: boolean): Promise<void> {
    if (!isSuspect) {
      if (await writeObject(this.#bucket, name, file, true)) return;
      if ((await this.#bucket.head(name))?.size === file.size) return;
    }
    await writeObject(this.#bucket, name, file, false);
  }

  openVerified(sha256: string): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#verified(sha256), { objectMode: false });
  }

  async check(sha256: string): Promise<FileProblem | null> {
    requireBlobName(sha256);
    for (let reads = 1; ; reads++) {
      const opened = await this.#open(sha256);
      if (opened === null) return 'lost';
      if (await this.#isWhole(sha256, opened)) return null;
      if (reads < MAX_READS) continue;
      remember(this.#damaged, opened.name, opened.state);
      return 'damaged';
    }
  }

  #isWhole(sha256: string, opened: Opened): Promise<boolean> {
    return haveHash(sha256, objectChunks(this.#bucket, opened.name, opened));
  }

  openPart(sha256: string, range: ByteRange): Readable {
    requireBlobName(sha256);
    return Readable.from(this.#part(sha256, range), { objectMode: false });
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.#place(sha256))?.size ?? null;
  }

  async requireSize(sha256: string, recorded?: number): Promise<number> {
    const place = await this.#place(sha256);
    if (place === null) throw await this.#problem(sha256, 'lost');
    if (place.size !== (recorded ?? place.size) || (await this.#isKnownDamaged(place))) {
      throw await this.#problem(sha256, 'damaged');
    }
    return place.size;
  }

  /** Those that the rows have, also those whose removal was interrupted. */
  async *entries(prefix = '', isWanted: (sha256: string) => boolean = () => true): AsyncGenerator<BlobEntry> {
    for (let after = ''; ; ) {
      const rows = await listObjects(prefix, after, PAGE);
      for (const { sha256, stored } of rows) if (isWanted(sha256)) yield { sha256, modified: stored.getTime() };
      after = rows.at(-1)?.sha256 ?? '';
      if (rows.length < PAGE) return;
    }
  }

  async remove(sha256: string, graceMs: number): Promise<boolean> {
    requireBlobName(sha256);
    const generation = await markObject(sha256, graceMs);
    if (generation === null) return false;
    this.#places.delete(sha256);
    await this.#bucket.remove(objectName(sha256, generation));
    await noteRemoval(sha256, generation);
    return true;
  }

  async sample(limit: number): Promise<string[]> {
    const names: string[] = [];
    for await (const page of this.#bucket.list('', Math.min(limit, PAGE))) {
      names.push(...blobsOf(page).map(({ sha256 }) => sha256));
      if (names.length >= limit) break;
    }
    return [...new Set(names)].slice(0, limit);
  }

  reconcile(): Promise<Reconciliation> {
    return reconcileBucket(this.#bucket);
  }

  async publicUrl(sha256: string, headers: PublicHeaders): Promise<string | null> {
    const place = await this.#place(sha256);
    return place && this.#bucket.publicUrl(place.name, headers);
  }

  readMarker(): Promise<string | null> {
    return this.#bucket.readText(MARKER);
  }

  writeMarker(id: string, when: 'unmarked' | 'always'): Promise<void> {
    return this.#bucket.writeText(MARKER, id, when === 'unmarked');
  }

  /** Writes a small object and reads it again. */
  async problem(): Promise<string | null> {
    const name = 'probe';
    const text = new Date().toISOString();
    try {
      await this.#bucket.writeText(name, text, false);
      // Another process may have written its own.
      return (await this.#bucket.readText(name)) === null ? 'the bucket does not return what was written' : null;
    } catch (error) {
      return `the bucket cannot be written to and read: ${(error as Error).message}`;
    }
  }

  /** Where a blob is; null when it is lost. @throws {UnavailableError} */
  async #place(sha256: string): Promise<Place | null> {
    requireBlobName(sha256);
    const known = this.#places.get(sha256);
    if (known !== undefined) return known;
    const row = await findObject(sha256);
    if (row?.isRemoved) return null;
    const name = objectName(sha256, row?.generation ?? 0);
    if (row?.isComplete) return remember(this.#places, sha256, { name, size: row.size });
    // Copied into the bucket by other means, or by a process that was killed before it noted the end.
    const found = await this.#bucket.head(name);
    if (found === null) return null;
    if (row === null) await recordObjects([{ sha256, generation: 0, size: found.size, modified: new Date() }]);
    return { name, size: found.size };
  }

  /** The place of a blob with the start of its bytes; null when it is lost. @throws {UnavailableError} */
  async #open(sha256: string, range?: ByteRange & { etag: string }): Promise<Opened | null> {
    for (let isFresh = !this.#places.has(sha256); ; isFresh = true) {
      const place = await this.#place(sha256);
      if (place === null) return null;
      const part = await this.#bucket.read(place.name, range);
      if (part !== null) return { ...place, ...part };
      if (isFresh) return null;
      this.#places.delete(sha256);
    }
  }

  async *#verified(sha256: string): AsyncGenerator<Buffer> {
    const opened = await this.#open(sha256);
    if (opened === null) throw await this.#problem(sha256, 'lost');
    yield* verifiedChunks(objectChunks(this.#bucket, opened.name, opened), sha256, async (isWhole) => {
      if (!isWhole) throw await this.#damage(sha256);
    });
  }

  async *#part(sha256: string, range: ByteRange): AsyncGenerator<Buffer> {
    const place = await this.#place(sha256);
    if (place === null) throw await this.#problem(sha256, 'lost');
    const opened = await this.#openWhole(sha256, place, range);
    yield* objectChunks(this.#bucket, opened.name, opened, range);
  }

  /** Opens a part of an object that was read and hashed before, and again if it was replaced since. */
  async #openWhole(sha256: string, place: Place, range: ByteRange): Promise<Opened> {
    for (let isFresh = !this.#whole.has(place.name); ; isFresh = true) {
      const etag = await this.#requireWhole(sha256, place);
      const opened = await this.#open(sha256, { ...range, etag });
      if (opened !== null) return opened;
      this.#whole.delete(place.name);
      if (isFresh) throw storeUnavailable('file.not_read', { code: 'changed' });
    }
  }

  /** Reads an object, unless this process has; concurrent calls read it once. Returns its ETag. */
  async #requireWhole(sha256: string, { name }: Place): Promise<string> {
    const known = this.#whole.get(name) ?? this.#hashWhole(sha256);
    remember(this.#whole, name, known);
    return known.catch((error) => {
      this.#whole.delete(name);
      throw error;
    });
  }

  async #hashWhole(sha256: string): Promise<string> {
    const opened = await this.#open(sha256);
    if (opened === null) throw await this.#problem(sha256, 'lost');
    if (!(await this.#isWhole(sha256, opened))) throw await this.#damage(sha256);
    return opened.etag;
  }

  /** The error for a blob that was read with another hash: an outage if it can be read without one. */
  async #damage(sha256: string): Promise<StoredFileError | UnavailableError> {
    const problem = await this.check(sha256);
    return problem === null ? storeUnavailable('file.not_read', { code: 'altered' }) : this.#problem(sha256, problem);
  }

  async #isKnownDamaged({ name }: Place): Promise<boolean> {
    const state = this.#damaged.get(name);
    if (state === undefined) return false;
    if ((await this.#bucket.head(name))?.state === state) return true;
    this.#damaged.delete(name);
    return false;
  }

  /** Reports a problem. Returns the error to throw. */
  async #problem(sha256: string, problem: FileProblem): Promise<StoredFileError> {
    const error = new StoredFileError(sha256, problem);
    await this.#report(error);
    return error;
  }
}

type Opened = Place & ObjectPart;

function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  if (map.size >= MAX_REMEMBERED) map.clear();
  map.set(key, value);
  return value;
}
