/* Collections of a bucket: marks, interrupted removals, and requests that are carried out late. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { StoredFileError } from '../../../src/infra/blob-store/blob-store.ts';
import { Bucket } from '../../../src/infra/blob-store/bucket.ts';
import { abortAbandoned } from '../../../src/infra/blob-store/reconcile-bucket.ts';
import { S3BlobStore } from '../../../src/infra/blob-store/s3-blob-store.ts';
import { claimObject, completeObject, findObject, markObject } from '../../../src/infra/blob-store/stored-objects.ts';
import { closeDatabase, pool } from '../../../src/infra/db.ts';
import { hasS3Server, type S3Server } from '../../support/s3-servers.ts';
import { HELLO, helloFile } from './hello-file.ts';
import { openBucket, STORES, sharedServer } from './stores.ts';

await STORES();
afterAll(closeDatabase);

describe.runIf(await hasS3Server('versitygw'))('a bucket', () => {
  let store: S3BlobStore;
  let server: S3Server;
  let prefix: string;
  beforeEach(async () => {
    server = await sharedServer('versitygw');
    const opened = await openBucket('versitygw', async () => {});
    store = opened.store;
    prefix = opened.settings.prefix;
    await pool.query('DELETE FROM stored_file_problem');
  });

  const name = (generation: number) => `2c/${HELLO}${generation === 0 ? '' : `.${generation}`}`;
  const object = (generation: number) => ({ Bucket: server.bucket, Key: prefix + name(generation) });
  const objects = async () => {
    const { Contents = [] } = await server.client.send(
      new ListObjectsV2Command({ Bucket: server.bucket, Prefix: prefix }),
    );
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length));
  };
  const whole = async () => (await buffer(store.openVerified(HELLO))).toString();
  const names = async () => (await Readable.from(store.entries()).toArray()).map(({ sha256 }) => sha256);

  it('keeps a blob that is stored again after the mark, however late the deletion is carried out', async () => {
    await store.put(await helloFile());
    // A collector that stops here has not sent its request yet.
    expect(await markObject(HELLO, -1)).toBe(0);
    await expect(buffer(new S3BlobStore(await openedSettings()).openVerified(HELLO))).rejects.toThrow(StoredFileError);
    await store.put(await helloFile());
    expect(await objects()).toEqual([name(1)]);
    await server.client.send(new DeleteObjectCommand(object(0)));
    expect(await whole()).toBe('hello');
    expect(await names()).toEqual([HELLO]);
    expect(await store.remove(HELLO, 60_000)).toBe(false);
  });

  async function openedSettings() {
    const { endpoint, bucket, credentials } = server;
    return { endpoint, bucket, credentials, prefix, region: 'us-east-1', forcePathStyle: true };
  }

  it('is stored again under a new name after each removal', async () => {
    for (const generation of [0, 1, 2]) {
      await store.put(await helloFile());
      expect(await objects()).toEqual([name(generation)]);
      expect(await store.remove(HELLO, -1)).toBe(true);
      expect([await objects(), await store.size(HELLO), await names()]).toEqual([[], null, []]);
    }
  });

  it('does not count as stored when a collection marks it during the upload', async () => {
    const { generation } = await claimObject(HELLO, 5);
    expect(await markObject(HELLO, -1)).toBe(0);
    expect(await completeObject(HELLO, generation)).toBe(false);
    await store.put(await helloFile());
    expect(await whole()).toBe('hello');
  });

  it('has a removal that was interrupted after the mark in the next collection', async () => {
    await store.put(await helloFile());
    await markObject(HELLO, -1);
    expect(await names()).toEqual([HELLO]);
    expect(await store.remove(HELLO, 60_000)).toBe(true);
    expect(await objects()).toEqual([]);
  });

  it('marks no blob that a row references', async () => {
    await store.put(await helloFile());
    await pool.query(`INSERT INTO picture_rendition (source_sha256, name, sha256) VALUES ('x', 'x', $1)`, [HELLO]);
    expect(await store.remove(HELLO, -1)).toBe(false);
    await pool.query('DELETE FROM picture_rendition');
    expect(await store.remove(HELLO, -1)).toBe(true);
  });

  it('finds objects without a row, and removes those that are left of earlier generations', async () => {
    await server.client.send(new PutObjectCommand({ ...object(0), Body: 'hello' }));
    expect(await store.sample(10)).toEqual([HELLO]);
    expect(await store.reconcile()).toEqual({ recorded: 1, removed: 0 });
    expect(await findObject(HELLO)).toEqual({ generation: 0, size: 5, isComplete: true, isRemoved: false });
    await store.remove(HELLO, -1);
    // An upload that the server carried out after the removal.
    await server.client.send(new PutObjectCommand({ ...object(0), Body: 'hello' }));
    expect(await store.size(HELLO)).toBeNull();
    expect(await store.reconcile()).toEqual({ recorded: 0, removed: 1 });
    await store.put(await helloFile());
    await server.client.send(new PutObjectCommand({ ...object(0), Body: 'hello' }));
    expect(await store.reconcile()).toEqual({ recorded: 0, removed: 1 });
    expect(await objects()).toEqual([name(1)]);
  });

  it('reads an object that was copied into the bucket by other means', async () => {
    await server.client.send(new PutObjectCommand({ ...object(0), Body: 'hello' }));
    expect(await whole()).toBe('hello');
    expect(await names()).toEqual([HELLO]);
  });

  it('has no more unfinished uploads than those of the last time, however many pages they are', async () => {
    const { client, bucket } = server;
    for (const key of ['2c/a', '2c/a', '2c/b', '2c/c', '2c/d']) {
      await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: prefix + key }));
    }
    const unfinished = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
      return Uploads.length;
    };
    const opened = new Bucket(await openedSettings());
    await abortAbandoned(opened, { pageSize: 2 });
    expect(await unfinished()).toBe(5);
    await abortAbandoned(opened, { olderThanMs: -60_000, pageSize: 2 });
    expect(await unfinished()).toBe(0);
  });

  it('repairs an object that another process found damaged', async () => {
    await store.put(await helloFile());
    await server.client.send(new PutObjectCommand({ ...object(0), Body: 'jello' }));
    const other = new S3BlobStore(await openedSettings(), async ({ sha256, problem }) => {
      await pool.query('INSERT INTO stored_file_problem (sha256, problem) VALUES ($1, $2)', [sha256, problem]);
    });
    await expect(buffer(other.openVerified(HELLO))).rejects.toThrow('damaged');
    await store.put(await helloFile());
    expect(await whole()).toBe('hello');
  });
});
