import { rename } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;
let upload: Buffer;
const guid = 'order@test';
const version = `/api/v4/addons/${guid}/versions/1.0/`;
let one = '';
let file = '';
/** A version of the catalogue. */
let listed: number | undefined;

beforeAll(async () => {
  listed = (await addon({ slug: 'order' })).versions[0]?.id;
  dev = await app.developer();
  upload = await xpi({ guid, version: '1.0' });
  await dev.put(version, { upload });
  await app.runJobs();
  const status = (await dev.get(version)).json as { url: string; files: { download_url: string }[] };
  one = status.url;
  file = status.files[0]?.download_url ?? '';
});

/** A request to each route of the catalogue. */
function everyCatalogueRoute(client: Client): Promise<Reply[]> {
  const below = ['', 'versions/', `versions/${listed}/`, 'feature_compatibility/', 'eula_policy/'];
  return Promise.all(below.map((path) => client.get(`/api/v4/addons/addon/order/${path}`)));
}

/** A request to each route of the signing API. */
async function everySigningRoute(client: Client): Promise<Reply[]> {
  const reads = [version, one, file].map((path) => client.get(path));
  const writes = [client.put(version, { upload }), client.post('/api/v4/addons/', { upload, version: '1.0' })];
  return Promise.all([...reads, ...writes]);
}

describe('while the database is down', () => {
  it('every route of the signing API returns 503, and recovers', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everySigningRoute(dev)) {
        expectRefusal(reply, signingRefusal(503, text));
      }
      const ready = await app.anonymous.get('/readyz');
      expect([ready.status, ready.text]).toEqual([503, 'the database does not respond\n']);
      expect((await app.anonymous.get('/healthz')).status).toBe(200);
    });
    expect((await dev.get(version)).status).toBe(200);
    expect((await app.anonymous.get('/readyz')).status).toBe(200);
  });

  it('every catalogue route returns 503, and recovers', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everyCatalogueRoute(app.anonymous)) {
        expectRefusal(reply, signingRefusal(503, text));
      }
    });
    for (const reply of await everyCatalogueRoute(app.anonymous)) expect(reply.status).toBe(200);
  });
});

describe('a file that is not in the store', () => {
  it('gets 404 with a text of its own, not 503', async () => {
    const [row] = await app.sql<{ sha256: string }>('SELECT sha256 FROM file ORDER BY id DESC LIMIT 1');
    const blob = `${app.config.DATA_DIR}/blobs/${row?.sha256.slice(0, 2)}/${row?.sha256}`;
    await rename(blob, `${blob}.away`);
    const reply = await dev.get(file);
    expectRefusal(reply, signingRefusal(404, 'This file is lost or damaged on the server. Contact the operator.'));
    expect(reply.headers.etag).toBeUndefined();
    await rename(`${blob}.away`, blob);
    expect((await dev.get(file)).status).toBe(200);
  });
});

describe('an IP address with many failed authentications', () => {
  it('is throttled on every route of the signing API', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, version, async () => {
      for (const reply of await everySigningRoute(guesser)) {
        const text = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
        const headers = { 'retry-after': reply.headers['retry-after'] ?? '' };
        expectRefusal(reply, { ...signingRefusal(429, text), headers });
      }
    });
  });

  it('is throttled on every catalogue route, except without credentials', async () => {
    const guesser = app.client({ token: 'another guess' });
    await whileThrottled(app, guesser, '/api/v4/addons/addon/order/', async () => {
      for (const reply of await everyCatalogueRoute(guesser)) {
        const detail = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
        const headers = { 'retry-after': reply.headers['retry-after'] ?? '' };
        expectRefusal(reply, { status: 429, json: { detail }, headers });
      }
      for (const reply of await everyCatalogueRoute(app.anonymous)) expect(reply.status).toBe(200);
    });
  });
});
