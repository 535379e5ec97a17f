import { createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { onDisk, stagingPath } from '../staging/staging.ts';
import type { BlobStore } from './blob-store.ts';
import { blobs } from './blobs.ts';

/** A private copy of a blob. No other process has its path. */
export interface VerifiedCopy {
  path: string;
  /** In bytes. */
  size: number;
  /** Computed from the bytes of the copy while they were written. */
  sha256: string;
}

/**
 * Copies a blob, by default of the store of this installation, to a new file and compares its hash.
 * @throws {StoredFileError} when it is lost or has other bytes; {UnavailableError} during an outage of the store. No file is left then.
 */
export async function copyVerified(sha256: string, path: string, store: BlobStore = blobs): Promise<void> {
  try {
    await pipeline(store.openVerified(sha256), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  }
}

/**
 * Calls `use` with a private copy of a blob, whose bytes have the hash that names it, and removes the copy afterwards. All code that
 * reads a stored package as a file does it here, because the file in the store may be replaced at any moment.
 * @throws as `copyVerified` does; {UnavailableError} also when the disk is full.
 */
export async function withVerifiedCopy<Result>(
  sha256: string,
  use: (copy: VerifiedCopy) => Promise<Result>,
): Promise<Result> {
  const copy = await makeCopy(sha256);
  try {
    return await use(copy);
  } finally {
    await unlink(copy.path).catch(() => {});
  }
}

async function makeCopy(sha256: string): Promise<VerifiedCopy> {
  const path = await stagingPath();
  await onDisk(() => copyVerified(sha256, path));
  const { size } = await stat(path);
  return { path, size, sha256 };
}

/** A copy that readers share. */
interface SharedCopy {
  copy: Promise<VerifiedCopy>;
  made: number;
  readers: number;
  removal: NodeJS.Timeout | null;
}

/** A shared copy is kept for this long after its last reader, and is not given to new ones after its age. */
const SHARED_MS = { idle: 5_000, age: 60_000 };
/** Copies that are kept without readers. */
const MAX_IDLE = 4;

const sharedCopies = new Map<string, SharedCopy>();

/**
 * As `withVerifiedCopy`, but calls within some seconds of each other share one copy, as people read many files of one package. The copy must
 * not be changed.
 * @throws as `withVerifiedCopy` does.
 */
export async function withSharedCopy<Result>(
  sha256: string,
  use: (copy: VerifiedCopy) => Promise<Result>,
): Promise<Result> {
  const present = sharedCopies.get(sha256);
  const isFresh = present !== undefined && performance.now() - present.made < SHARED_MS.age;
  const shared = isFresh ? present : share(sha256);
  shared.readers += 1;
  if (shared.removal !== null) clearTimeout(shared.removal);
  shared.removal = null;
  try {
    return await use(await shared.copy);
  } finally {
    shared.readers -= 1;
    if (shared.readers === 0) keepIdle(sha256, shared);
  }
}

/** Starts a copy for the readers from now on. One that cannot be made is not shared with later ones. */
function share(sha256: string): SharedCopy {
  const shared: SharedCopy = { copy: makeCopy(sha256), made: performance.now(), readers: 0, removal: null };
  sharedCopies.set(sha256, shared);
  shared.copy.catch(() => forget(sha256, shared));
  return shared;
}

/** Removes a copy without readers after some seconds; at once if a newer one replaced it, and the oldest ones above the number of those kept. */
function keepIdle(sha256: string, shared: SharedCopy): void {
  if (sharedCopies.get(sha256) !== shared) return void removeCopy(shared);
  shared.removal = setTimeout(() => removeIdle(sha256, shared), SHARED_MS.idle).unref();
  const idle = [...sharedCopies].filter(([, { removal }]) => removal !== null);
  for (const [name, old] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) removeIdle(name, old);
}

function removeIdle(sha256: string, shared: SharedCopy): void {
  if (shared.removal !== null) clearTimeout(shared.removal);
  forget(sha256, shared);
  void removeCopy(shared);
}

function forget(sha256: string, shared: SharedCopy): void {
  if (sharedCopies.get(sha256) === shared) sharedCopies.delete(sha256);
}

async function removeCopy({ copy }: SharedCopy): Promise<void> {
  await copy.then(({ path }) => unlink(path)).catch(() => {});
}
