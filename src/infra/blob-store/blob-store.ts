import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { config } from '../../config.ts';

/**
 * The folder of the blob store on disk, which may be a file system of its own. With `STORAGE=s3` it has the staging area of this machine
 * only.
 */
export const storeFolder = (): string => join(config.DATA_DIR, 'blobs');

/** What is wrong with a stored file: it is not in the store, or its bytes are not those that were stored. */
export type FileProblem = 'lost' | 'damaged';

/**
 * The store cannot provide the bytes of a file, now or later: its operator has to put the file back. An outage of the store is an
 * `UnavailableError` instead.
 */
export class StoredFileError extends Error {
  override readonly name = 'StoredFileError';
  /** Name of the blob. */
  readonly sha256: string;
  readonly problem: FileProblem;

  constructor(sha256: string, problem: FileProblem) {
    super(`stored file ${sha256} is ${problem}`);
    this.sha256 = sha256;
    this.problem = problem;
  }
}

/** A stored blob. `modified` is when it was stored, or touched, in milliseconds since 1970. */
export interface BlobEntry {
  sha256: string;
  modified: number;
}

/** A part of a blob; both ends are inclusive byte positions. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Headers of a file that a store itself sends to clients. */
export interface PublicHeaders {
  contentType: string;
  disposition: string;
}

/** What a comparison of a store with its records changed, in objects. */
export interface Reconciliation {
  /** Recorded, because the store has them and the records did not. */
  recorded: number;
  /** Removed: left by interrupted removals. */
  removed: number;
}

/**
 * Content-addressed storage of complete files. The name of a blob is the SHA-256 of its bytes in lower-case hex; every method
 * throws an `Error` for any other name. Equal bytes are stored once.
 */
export interface BlobStore {
  /**
   * Moves the file at `path` into the store; the file is removed afterwards, even on failure. Resolves once the blob is durable.
   * Storing existing bytes again resets their age, which protects them from collection, and repairs a blob that is known to be damaged.
   * @throws {UnavailableError} when the store cannot be written to.
   */
  put(file: { path: string; sha256: string }): Promise<void>;
  /**
   * Streams a whole blob and hashes it. The last chunk waits for the right hash, so no consumer gets all bytes of a damaged blob. The
   * stream fails with {StoredFileError} for a lost or damaged blob, with {UnavailableError} when the store cannot be read.
   */
  openVerified(sha256: string): Readable;
  /**
   * Reads a whole blob and compares its hash; null when it is right. Reports nothing. Callers that check many blobs one after another
   * pass the same buffer for all of them. @throws {UnavailableError} when the store cannot be read.
   */
  check(sha256: string, buffer?: Buffer): Promise<FileProblem | null>;
  /**
   * Streams a part of a blob. The hash is that of the whole, so the first part that a process sends of a file waits until it has read and
   * hashed all of it. The stream fails as that of `openVerified` does. A file that changes later without another size or time of
   * modification is not noticed.
   */
  openPart(sha256: string, range: ByteRange): Readable;
  /** Size in bytes, or null when the blob is missing. @throws {UnavailableError} when the store cannot be read. */
  size(sha256: string): Promise<number | null>;
  /**
   * Size in bytes of a blob that is about to be read; `recorded` is the size that it must have, if known.
   * @throws {StoredFileError} when it is lost, has another size, or this process found it damaged before; {UnavailableError} as `size`
   * does.
   */
  requireSize(sha256: string, recorded?: number): Promise<number>;
  /**
   * All blobs, or those whose names begin with `prefix`: at most two digits. In order of their names. Spares the look-up of the age of
   * blobs that `isWanted` excludes.
   */
  entries(prefix?: string, isWanted?: (sha256: string) => boolean): AsyncIterable<BlobEntry>;
  /**
   * Removes a blob, unless it became younger than `graceMs` in the meantime. Returns whether it was removed. Killed at any
   * point, it loses no blob younger than `graceMs`.
   */
  remove(sha256: string, graceMs: number): Promise<boolean>;
  /** Names of at most `limit` blobs that the store itself lists, whatever is recorded about it. */
  sample(limit: number): Promise<string[]>;
  /** Makes records and objects agree, where a store has both. A long run: it lists the whole store. */
  reconcile(): Promise<Reconciliation>;
  /**
   * An address at which clients can read the blob for some minutes without this service; null if the store has none.
   * @throws {UnavailableError}
   */
  publicUrl(sha256: string, headers: PublicHeaders): Promise<string | null>;
  /** The id of the installation that the store belongs to; null before the first one. @throws {UnavailableError} */
  readMarker(): Promise<string | null>;
  /** Sets the id: of a store without one only, or of any store. Durable when it resolves. @throws {UnavailableError} */
  writeMarker(id: string, when: 'unmarked' | 'always'): Promise<void>;
  /** What keeps files from being stored and read, for operators; null when nothing does. */
  problem(): Promise<string | null>;
  /** Where the store is, for operators: a folder or an address. */
  readonly location: string;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a text is a SHA-256 in lower-case hex. */
export const isBlobName = (name: string): boolean => SHA256.test(name);

/** @throws when `name` is not a SHA-256 in lower-case hex. */
export function requireBlobName(name: string): void {
  if (!isBlobName(name)) throw new Error(`not a SHA-256: ${name}`);
}
