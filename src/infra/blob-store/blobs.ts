import { join } from 'node:path';
import { type Config, config } from '../../config.ts';
import { pool } from '../db.ts';
import { log } from '../log.ts';
import { type BlobStore, type StoredFileError, storeFolder } from './blob-store.ts';
import type { BucketSettings } from './bucket.ts';
import { CachedBlobStore } from './cached-blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { S3BlobStore } from './s3-blob-store.ts';

/** Requests for a popular file would fill the log. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** When this process last reported each problem, on the clock of `performance.now()`. */
const reported = new Map<string, number>();

/**
 * Reports a lost or damaged file to the operator, at most once a minute in each process: a log line of level `alert`, and a row that
 * `addons doctor` lists. Never rejects.
 */
async function reportProblem({ sha256, problem }: StoredFileError): Promise<void> {
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

/** Those of the settings, which SIGHUP may replace. The library reads credentials again once they have expired, so these expire at once. */
async function currentCredentials() {
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config;
  return { accessKeyId, secretAccessKey, expiration: new Date() };
}

/** The bucket of the settings. */
function bucketSettings(): BucketSettings {
  const { S3_ENDPOINT, S3_PREFIX } = config;
  return {
    bucket: config.S3_BUCKET ?? '',
    endpoint: S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT,
    region: config.S3_REGION,
    credentials: config.S3_ACCESS_KEY_ID === undefined ? undefined : currentCredentials,
    forcePathStyle: config.S3_FORCE_PATH_STYLE ?? S3_ENDPOINT !== undefined,
    prefix: S3_PREFIX === undefined ? '' : `${S3_PREFIX}/`,
  };
}

/** A store of the settings, whether the service uses it or not. */
export const openStore = (kind: Config['STORAGE']): BlobStore =>
  kind === 's3' ? new S3BlobStore(bucketSettings(), reportProblem) : new DiskBlobStore(storeFolder(), reportProblem);

function openOwnStore(): BlobStore {
  const store = openStore(config.STORAGE);
  if (config.STORAGE === 'fs' || config.S3_CACHE_MB === 0) return store;
  return new CachedBlobStore(store, join(config.DATA_DIR, 'cache'), config.S3_CACHE_MB * 1024 * 1024);
}

/** The blob store of this installation. */
export const blobs: BlobStore = openOwnStore();
