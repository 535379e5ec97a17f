import { pool } from '../db.ts';
import { log } from '../log.ts';
import { type BlobStore, type StoredFileError, storeFolder } from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

/** Requests for a popular file would fill the log. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** When this process last reported each problem, on the clock of `performance.now()`. */
const reported = new Map<string, number>();

/**
 * Reports a lost or damaged file to the operator, at most once a minute in each process: a log line of level `alert`, and a row that
 * `addons doctor` lists. Never rejects.
 */
export async function reportProblem({ sha256, problem }: StoredFileError): Promise<void> {
  const key = `${problem} ${sha256}`;
  const now = performance.now();
  if (now - (reported.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
  if (reported.size >= MAX_REMEMBERED) reported.clear();
  reported.set(key, now);
  log.alert({ sha256, problem }, 'A stored file is lost or damaged.');
  try {
    await pool.query(
      `INSERT INTO stored_file_problem (sha256, problem) VALUES ($1, $2)
       ON CONFLICT (sha256) DO UPDATE SET problem = excluded.problem, seen = now()`,
      [sha256, problem],
    );
  } catch (error) {
    log.warn({ err: error, sha256 }, 'The problem of a stored file was not recorded.');
  }
}

/** The blob store of this installation. */
export const blobs: BlobStore = new DiskBlobStore(storeFolder(), reportProblem);
