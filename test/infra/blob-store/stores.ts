import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, inject } from 'vitest';
import { config } from '../../../src/config.ts';
import type { BlobStore, StoredFileError } from '../../../src/infra/blob-store/blob-store.ts';
import { CachedBlobStore } from '../../../src/infra/blob-store/cached-blob-store.ts';
import { DiskBlobStore } from '../../../src/infra/blob-store/disk-blob-store.ts';
import { S3BlobStore } from '../../../src/infra/blob-store/s3-blob-store.ts';
import { pool } from '../../../src/infra/db.ts';
import { createTestDatabase, useTestDatabase } from '../../support/database.ts';
import { hasS3Server, S3_KINDS, type S3Kind, type S3Server, startS3Server } from '../../support/s3-servers.ts';
import { HELLO } from './hello-file.ts';

type Report = (error: StoredFileError) => Promise<void>;

/** An empty store, and what tests do to the blob `HELLO` in it. */
export interface StoreFixture {
  store: BlobStore;
  /** Replaces its bytes. */
  spoil(bytes: string): Promise<void>;
  /** Makes it look older. */
  age(ms: number): Promise<void>;
  /** Whether readers get the first bytes before the store has read the last ones. */
  isStreaming: boolean;
}

interface StoreKind {
  name: string;
  open(report: Report): Promise<StoreFixture>;
}

const folder: StoreKind = {
  name: 'a folder',
  open: async (report) => {
    const path = await mkdtemp(`${config.DATA_DIR}-blobs-`);
    const file = join(path, HELLO.slice(0, 2), HELLO);
    return {
      store: new DiskBlobStore(path, report),
      spoil: async (bytes) => {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes);
      },
      isStreaming: true,
      age: (ms) => utimes(file, new Date(Date.now() - ms), new Date(Date.now() - ms)),
    };
  },
};

const servers = new Map<S3Kind, Promise<S3Server>>();
let prefixes = 0;

/** The server of this test file. */
export function sharedServer(kind: S3Kind): Promise<S3Server> {
  const present =
    servers.get(kind) ?? startS3Server(kind, join(inject('runFolder'), `${kind}-${process.pid}-${Date.now()}`));
  servers.set(kind, present);
  return present;
}

/** An empty bucket of a server, and an empty table. */
export async function openBucket(kind: S3Kind, report: Report) {
  const { client, bucket, endpoint, credentials } = await sharedServer(kind);
  prefixes += 1;
  const prefix = `tests/${prefixes}/`;
  await pool.query('TRUNCATE stored_object');
  const settings = { bucket, endpoint, credentials, prefix, region: 'us-east-1', forcePathStyle: true };
  const Key = `${prefix}${HELLO.slice(0, 2)}/${HELLO}`;
  return {
    settings,
    store: new S3BlobStore(settings, report),
    isStreaming: true,
    spoil: async (bytes: string) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.from(bytes) }));
    },
    age: async (ms: number) => {
      await pool.query(`UPDATE stored_object SET stored = stored - make_interval(secs => $1::float8 / 1000)`, [ms]);
    },
  };
}

const bucketOf = (kind: S3Kind): StoreKind => ({
  name: `a bucket of ${kind}`,
  open: (report) => openBucket(kind, report),
});

/** Its cache is emptied when the bucket is changed. */
const cachedBucketOf = (kind: S3Kind): StoreKind => ({
  name: `a bucket of ${kind} with a cache`,
  open: async (report) => {
    const fixture = await openBucket(kind, report);
    const cache = await mkdtemp(`${config.DATA_DIR}-cache-`);
    const spoil = async (bytes: string) => {
      await fixture.spoil(bytes);
      await rm(cache, { recursive: true, force: true });
    };
    return { ...fixture, store: new CachedBlobStore(fixture.store, cache, 1_000_000_000), spoil, isStreaming: false };
  },
});

/** Every kind that this machine can run. Creates the database of the test file. */
export async function STORES(): Promise<StoreKind[]> {
  await useTestDatabase(await createTestDatabase());
  afterAll(async () => {
    for (const server of servers.values()) await (await server).stop();
  });
  const kinds: S3Kind[] = [];
  for (const kind of S3_KINDS) if (await hasS3Server(kind)) kinds.push(kind);
  return [folder, ...kinds.map(bucketOf), ...kinds.slice(0, 1).map(cachedBucketOf)];
}
