import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { openStore } from '../../../src/infra/blob-store/blobs.ts';

/** The ids of the keys of requests. */
const used: string[] = [];
const server = createServer(({ headers }, response) => {
  used.push(/Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '');
  response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
});
const settings = { ...config };

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(config, { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'addons' });
});
afterAll(async () => {
  Object.assign(config, settings);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('the credentials of a bucket', () => {
  it('are those that the settings have at the time of each request', async () => {
    Object.assign(config, { S3_ACCESS_KEY_ID: 'first', S3_SECRET_ACCESS_KEY: 'a' });
    const store = openStore('s3');
    expect(await store.readMarker()).toBeNull();
    Object.assign(config, { S3_ACCESS_KEY_ID: 'second', S3_SECRET_ACCESS_KEY: 'b' });
    expect(await store.readMarker()).toBeNull();
    expect(used).toEqual(['first', 'second']);
  });
});
