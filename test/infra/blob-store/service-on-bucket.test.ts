/* The service with its files in a bucket: what uploads, workers, downloads and pictures do. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { storeIcon } from '../../support/picture-columns.ts';
import { png } from '../../support/pictures.ts';
import { hasS3Server, type S3Server, startS3Server } from '../../support/s3-servers.ts';
import { flags, status, upload } from '../../support/signing-steps.ts';

const isPossible = await hasS3Server('versitygw');
if (!isPossible) console.log('skipped: this machine has no versitygw');

describe.runIf(isPossible)('a service with a bucket', () => {
  let server: S3Server;
  let app: TestApp;
  let developer: Client;
  beforeAll(async () => {
    server = await startS3Server('versitygw', join(inject('runFolder'), `service-bucket-${process.pid}`));
    const { endpoint, bucket, credentials } = server;
    app = await startApp({
      settings: {
        ...{ STORAGE: 's3', S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_PREFIX: 'files' },
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
    developer = await app.developer();
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  const objects = async (): Promise<string[]> => {
    const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket: server.bucket }));
    return Contents.map(({ Key = '' }) => Key).sort();
  };
  const emptyCache = () => rm(join(app.config.DATA_DIR, 'cache'), { recursive: true, force: true });

  /** Uploads and signs a package. Returns the address and the hash of the signed file. */
  async function signed(guid: string): Promise<{ url: string; sha256: string }> {
    expect((await upload(developer, guid)).status).toBe(201);
    await app.runJobs();
    const state = await status(developer, guid);
    expect(flags(state)).toMatchObject({ valid: true, active: true });
    const { download_url: url = '', hash = '' } = state.files[0] ?? {};
    return { url, sha256: hash.replace('sha256:', '') };
  }

  it('takes uploads, signs them and sends them, whole and in parts', async () => {
    const { url, sha256 } = await signed('bucket@store.test');
    for (const prepare of [async () => {}, emptyCache]) {
      await prepare();
      const { status: code, bytes } = await developer.get(url);
      expect([code, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
      const part = await developer.get(url, { Range: 'bytes=1-3' });
      expect([part.status, part.bytes.toString('hex')]).toEqual([206, bytes.subarray(1, 4).toString('hex')]);
    }
    expect(await objects()).toContain(`files/${sha256.slice(0, 2)}/${sha256}`);
    expect(await readdir(join(app.config.DATA_DIR, 'blobs', 'staging'))).toEqual([]);
    expect((await readdir(join(app.config.DATA_DIR, 'blobs'))).filter((name) => name !== 'staging')).toEqual([]);
  });

  it('has the id of the installation in the bucket', async () => {
    const { adoptStore, claimStore, storeIds } = await import('../../../src/infra/blob-store/installation.ts');
    await rm(join(app.config.DATA_DIR, 'blobs', 'installation'), { force: true });
    await claimStore().catch(() => adoptStore());
    await claimStore();
    const { database, store } = await storeIds();
    expect(store).toBe(database);
    expect(await objects()).toContain('files/installation');
  });

  it('stores and sends pictures', async () => {
    const { id } = await addon(await storeIcon(await png(64, 64)));
    const { icons } = (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as { icons: { 64: string } };
    await emptyCache();
    const { status: code, headers } = await app.anonymous.get(icons[64]);
    expect([code, headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('redirects downloads of public files to the bucket, without credentials and with the headers of the file', async () => {
    const { url, sha256 } = await signed('redirected@store.test');
    const size = BigInt((await developer.get(url)).bytes.length);
    const file = {
      sha256,
      originalSha256: sha256,
      signedSha256: sha256,
      signedAt: new Date(),
      size,
      isStored: true,
      name: 'x y.xpi',
    };
    const { versions } = await addon({ versions: [{ files: [file] }] });
    const path = `/downloads/file/${versions[0]?.files[0]?.id}/x.xpi`;
    app.config.S3_REDIRECTS = true;
    const { status: code, headers } = await app.anonymous.get(path);
    expect([code, headers['x-target-digest'], headers['cache-control']]).toEqual([302, `sha256:${sha256}`, 'no-store']);
    const sent = await fetch(headers.location ?? '');
    const digest = createHash('sha256')
      .update(Buffer.from(await sent.arrayBuffer()))
      .digest('hex');
    expect([sent.status, digest]).toEqual([200, sha256]);
    expect(sent.headers.get('content-type')).toBe('application/x-xpinstall');
    expect(sent.headers.get('content-disposition')).toBe('inline; filename="x y.xpi"');
    expect((await app.anonymous.head(path)).status).toBe(200);
    expect((await app.anonymous.get(path, { 'If-None-Match': `"${sha256}"` })).status).toBe(304);
    expect((await developer.get(path)).status).toBe(200);
    app.config.S3_REDIRECTS = false;
    expect((await app.anonymous.get(path)).status).toBe(200);
  });

  it('sends no file that the bucket has lost, and none with other bytes', async () => {
    const { url, sha256 } = await signed('spoiled@store.test');
    const object = { Bucket: server.bucket, Key: `files/${sha256.slice(0, 2)}/${sha256}` };
    await emptyCache();
    await server.client.send(new PutObjectCommand({ ...object, Body: Buffer.from('other bytes') }));
    expect((await developer.get(url)).status).toBe(404);
    expect(await app.sql('SELECT problem FROM stored_file_problem WHERE sha256 = $1', [sha256])).toEqual([
      { problem: 'damaged' },
    ]);
    await server.client.send(new DeleteObjectCommand(object));
    expect((await developer.get(url)).status).toBe(404);
  });
});
