import { createHash, randomBytes, randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { config } from '../../config.ts';
import { InvalidInputError, ThrottledError, UnavailableError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { storeFolder } from '../blob-store/blob-store.ts';
import { openDatabaseSession, pool } from '../db.ts';
import { LOCK_KEYS } from '../lock-keys.ts';

const RETRY_MS = 250;
const RETRIES = 240;

let owner: Promise<number> | null = null;

/**
 * The number that owns the staged files of this process. A session advisory lock on it is held until the process or its
 * database ends, so other processes see whether the owner lives, on this machine or another.
 * @throws {UnavailableError} when the database cannot be reached.
 */
function stagingOwner(): Promise<number> {
  owner ??= hold(randomInt(1, 2 ** 31)).catch(() => {
    owner = null;
    throw new UnavailableError();
  });
  return owner;
}

/** The owners whose locks are held, as text. */
export async function liveStagingOwners(): Promise<Set<string>> {
  const { rows } = await pool.query<{ owner: string }>(
    `SELECT objid::text AS owner FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCK_KEYS.stagingOwner],
  );
  return new Set(rows.map((row) => row.owner));
}

async function hold(number: number): Promise<number> {
  const session = await openDatabaseSession('addons staging');
  await session.query('SELECT pg_advisory_lock($1, $2)', [LOCK_KEYS.stagingOwner, number]);
  session.once('end', () => void holdAgain(number));
  return number;
}

/** Takes the lock again after its connection was lost. When this fails for a minute, new files get a new owner. */
async function holdAgain(number: number): Promise<void> {
  for (let retry = 0; retry < RETRIES && !pool.ended; retry++) {
    const held = await hold(number).catch(() => null);
    if (held !== null) return;
    await setTimeout(RETRY_MS, undefined, { ref: false });
  }
  owner = null;
}

/** A file of a GraphQL multipart request or a REST form, received completely or not. */
export interface UploadedFile {
  fileName: string;
  mimeType: string;
  /** The bytes. The stream fails when the client disconnects or a limit is exceeded. */
  open(): Readable;
  /** Set when the bytes are in staging and within the limits. */
  staged?: StagedFile;
}

/** A complete upload in the staging folder. Its holder moves it to the blob store or discards it. */
export interface StagedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Of the whole file, hex. */
  sha256: string;
  discard(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

/** Maximum size of an uploaded package, in bytes. */
export const UPLOAD_LIMIT_BYTES = 200 * MEGABYTE;

const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

/** Bytes of unfinished uploads in this process. The limit on free space covers all processes. */
let occupied = 0;

/** Age after which a file is removed even if its owner lives: no request or job writes this rarely. */
const ABANDONED_MS = 3_600_000;

/** Time for which the lock of an owner must be free before its files are removed; a lost connection is replaced sooner. */
const OWNER_GONE_MS = 5_000;

/** In the folder of the store, so that a staged file can be renamed into it whatever file system it has. */
export function stagingFolder(): string {
  return join(storeFolder(), 'staging');
}

/** Runs `work`. @throws {UnavailableError} when the disk is full or cannot be written to. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    throw FULL_DISK.has((error as NodeJS.ErrnoException).code ?? '') ? new UnavailableError() : error;
  });
}

/** @throws {UnavailableError} when the disk is full or cannot be written to. */
const makeStagingFolder = () => onDisk(() => mkdir(stagingFolder(), { recursive: true, mode: 0o700 }));

/**
 * A path in the staging folder. The caller creates the file, then moves it into the blob store or removes it.
 * @throws {UnavailableError} when the database cannot be reached or the disk is full.
 */
export async function stagingPath(): Promise<string> {
  const owner = await stagingOwner();
  await makeStagingFolder();
  return join(stagingFolder(), `${owner}.${randomBytes(16).toString('hex')}`);
}

/** The message for an upload that is larger than allowed (contract, Limits: 400, not 413). */
export function tooLarge(limitBytes: number): InvalidInputError {
  return new InvalidInputError(message('upload.too_large', { size: String(Math.floor(limitBytes / MEGABYTE)) }));
}

/** @throws {UnavailableError} when the disk is nearly full. */
export async function requireRoom(): Promise<void> {
  await makeStagingFolder();
  const { bavail, bsize } = await onDisk(() => statfs(stagingFolder()));
  if (bavail * bsize < config.LOW_DISK_MB * MEGABYTE) throw new UnavailableError();
}

/**
 * Writes a stream to a new file in the staging folder, readable by this user only, and hashes it. On failure the file is
 * removed and the source destroyed.
 * @throws {InvalidInputError} above `limitBytes`, or what `refusal` makes.
 * @throws {UnavailableError} when the disk is full or the staging quota is used up.
 */
export async function receiveFile(
  source: Readable,
  { limitBytes = UPLOAD_LIMIT_BYTES, refusal = tooLarge }: { limitBytes?: number; refusal?: typeof tooLarge } = {},
): Promise<StagedFile> {
  // The client may disconnect before the first read; without a listener the `error` event would end the process.
  source.on('error', () => {});
  try {
    await requireRoom();
    const path = await stagingPath();
    return await onDisk(() => writeStaged(path, source, limitBytes, refusal));
  } catch (error) {
    source.destroy();
    throw error;
  }
}

async function writeStaged(
  path: string,
  source: Readable,
  limitBytes: number,
  refusal: typeof tooLarge,
): Promise<StagedFile> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      occupied += chunk.length;
      if (size > limitBytes) throw refusal(limitBytes);
      if (occupied > config.STAGING_QUOTA_MB * MEGABYTE) throw new UnavailableError();
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    occupied -= size;
    await handle.close();
  }
  return { path, size, sha256: hash.digest('hex'), discard: () => unlink(path).catch(() => {}) };
}

/** When the lock of an owner was first seen free, on the clock of `performance.now()`. */
let goneSince = new Map<string, number>();

/**
 * Removes the files that killed processes left in staging: those of an owner whose lock has been free for `ownerGoneMs`, and
 * those not written to for an hour. Returns the number of files removed.
 */
export async function sweepStaging({ ownerGoneMs = OWNER_GONE_MS } = {}): Promise<number> {
  const names = await readdir(stagingFolder()).catch(() => []);
  const alive = names.length === 0 ? new Set<string>() : await liveStagingOwners();
  const owners = new Set(names.map(ownerOf).filter((owner) => !alive.has(owner)));
  goneSince = new Map([...owners].map((owner) => [owner, goneSince.get(owner) ?? performance.now()]));
  const isOrphan = (name: string): boolean =>
    performance.now() - (goneSince.get(ownerOf(name)) ?? Number.POSITIVE_INFINITY) >= ownerGoneMs;
  let removed = 0;
  for (const name of names) {
    const path = join(stagingFolder(), name);
    if (!isOrphan(name) && !(await isAbandoned(path))) continue;
    await unlink(path).then(
      () => removed++,
      () => {},
    );
  }
  return removed;
}

const ownerOf = (name: string): string => name.split('.', 1)[0] ?? '';

async function isAbandoned(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && Date.now() - facts.mtimeMs > ABANDONED_MS;
}

/** `Retry-After` of an account whose open bodies use up its quota. */
const RETRY_S = 10;

/** Bytes that the open request bodies of each account may write to staging through this process. */
const reserved = new Map<number, number>();

/**
 * Reserves room for a request body of at most `bytes` before any of it is read. Returns the function that releases it.
 * @throws {ThrottledError} when open bodies of the account would exceed STAGING_ACCOUNT_MB.
 */
export function reserveUpload(accountId: number, bytes: number): () => void {
  const total = (reserved.get(accountId) ?? 0) + bytes;
  if (total > config.STAGING_ACCOUNT_MB * MEGABYTE) throw new ThrottledError(RETRY_S);
  reserved.set(accountId, total);
  return () => {
    const rest = (reserved.get(accountId) ?? 0) - bytes;
    if (rest > 0) reserved.set(accountId, rest);
    else reserved.delete(accountId);
  };
}
