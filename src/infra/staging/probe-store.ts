import { setTimeout } from 'node:timers/promises';
import { storeFolder } from '../blob-store/blob-store.ts';
import { blobs } from '../blob-store/blobs.ts';
import { DiskBlobStore } from '../blob-store/disk-blob-store.ts';

/** Probes are shared for this time, so that requests for readiness cannot fill the disk with writes. */
const FRESH_MS = 1_000;
/** A network file system that hangs does not respond at all. */
const LIMIT_MS = 2_000;

/** The result of `probe` that is at most `freshMs` old. */
function shared(probe: () => Promise<string | null>, freshMs: number, late: string): () => Promise<string | null> {
  let latest: { at: number; result: Promise<string | null> } | null = null;
  return () => {
    if (latest === null || performance.now() - latest.at > freshMs) {
      latest = { at: Number.POSITIVE_INFINITY, result: probe() };
      const { result } = latest;
      void result.then(() => {
        latest = { at: performance.now(), result };
      });
    }
    return Promise.race([latest.result, setTimeout(LIMIT_MS, late, { ref: false })]);
  };
}

/**
 * What keeps this machine from receiving uploads, with the code of the error, or null: a file is written to the folder of the store and
 * read again. The result is at most a second old.
 */
export const folderProblem = shared(
  () => new DiskBlobStore(storeFolder()).problem(),
  FRESH_MS,
  'the data folder does not respond',
);

/** A bucket charges for requests, and its outage ends no readiness. */
const BUCKET_FRESH_MS = 10_000;

const bucketProblem = shared(() => blobs.problem(), BUCKET_FRESH_MS, 'the bucket does not respond');

/** What keeps files from being stored and read: of the folder, or of a bucket, which is at most ten seconds old. */
export async function storeProblem(): Promise<string | null> {
  return (await folderProblem()) ?? (blobs.location === storeFolder() ? null : await bucketProblem());
}
