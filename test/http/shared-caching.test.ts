import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import type { MadeAddon } from '../support/factories.ts';
import { make, pathOf, queryFor } from '../support/updates.ts';

const app = setUpApp({ settings: { SHARED_MAX_AGE: 30 } });
let made: MadeAddon;
let developer: Client;

beforeAll(async () => {
  made = await make();
  developer = await app.developer();
});
afterAll(() => {
  app.config.SHARED_MAX_AGE = 0;
});

const SHARED = 'public, max-age=0, s-maxage=30, stale-while-revalidate=30';
const detail = () => `/api/v4/addons/addon/${made.id}/`;
const cacheControl = async (client: Client, path: string, headers = {}) =>
  (await client.get(path, headers)).headers['cache-control'];

it('responses that all anonymous clients get may be kept, also 304', async () => {
  for (const path of [detail(), `/addon/${made.slug}/`]) {
    const first = await app.anonymous.get(path);
    expect([path, first.headers['cache-control']]).toEqual([path, SHARED]);
    const again = await app.anonymous.get(path, { 'if-none-match': String(first.headers.etag) });
    expect([path, again.status, again.headers['cache-control']]).toEqual([path, 304, SHARED]);
  }
});

it('update checks may be kept for the smaller age', async () => {
  const path = pathOf(queryFor(made.guid));
  expect(await cacheControl(app.anonymous, path)).toBe('max-age=3600, s-maxage=30, stale-while-revalidate=30');
  expect(await cacheControl(app.anonymous, '/update/?id=x')).toBeUndefined();
});

it('responses to clients with credentials, errors and what depends on more may not be kept', async () => {
  expect(await cacheControl(developer, detail())).toBe('private, no-store');
  for (const path of ['/api/v4/addons/addon/absent/', '/addon/absent/', '/login/', '/graphql?query={__typename}']) {
    expect(String(await cacheControl(app.anonymous, path))).not.toContain('s-maxage');
  }
  const unknownScheme = await app.anonymous.get(detail(), { authorization: 'Unknown x' });
  expect(String(unknownScheme.headers['cache-control'])).not.toContain('s-maxage');
});

it('nothing may be kept without the setting', async () => {
  app.config.SHARED_MAX_AGE = 0;
  try {
    expect(await cacheControl(app.anonymous, detail())).toBeUndefined();
    expect(await cacheControl(app.anonymous, `/addon/${made.slug}/`)).toBe('public, no-cache');
    expect(await cacheControl(app.anonymous, pathOf(queryFor(made.guid)))).toBe('max-age=3600');
  } finally {
    app.config.SHARED_MAX_AGE = 30;
  }
});
