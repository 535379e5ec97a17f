import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

const app = setUpApp();

/** Every route of discovery and search, with a valid query. */
const ROUTES: [string, string][] = [
  ['featured', 'app=desktop_browser'],
  ['language-tools', 'app=desktop_browser&type=language'],
  ['replacement-addon', ''],
  ['compat-override', ''],
  ['recommendations', ''],
  ['search', 'q=made'],
  ['autocomplete', 'q=made'],
];
const PATHS = ROUTES.map(([name, query]) => `/api/v4/addons/${name}/?${query}`);

const everyRoute = (client: Client): Promise<(Reply & { path: string })[]> =>
  Promise.all(PATHS.map(async (path) => ({ ...(await client.get(path)), path })));

beforeAll(async () => {
  await addon({ type: 'language', targetLocale: 'de', featured: [{ app: 'desktop_browser' }] });
});

describe.each(ROUTES)('%s', (name) => {
  it('returns 405 for other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await app.anonymous.request(method, `/api/v4/addons/${name}/`);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('conditional requests', () => {
  it('get 304 on every route, for HEAD as for GET', async () => {
    for (const reply of await everyRoute(app.anonymous)) {
      const { etag = '', vary } = reply.headers;
      expect([etag, vary]).toEqual([expect.stringMatching(/^"[^"]+"$/), 'Accept-Language, Authorization']);
      const again = await app.anonymous.get(reply.path, { 'If-None-Match': etag });
      expect([again.status, again.text, again.headers.etag, again.headers.vary]).toEqual([304, '', etag, vary]);
      const head = await app.anonymous.head(reply.path);
      expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, etag]);
      expect(head.headers['content-length']).toBe(reply.headers['content-length']);
    }
  });
});

describe('while the database is down', () => {
  it('every route returns 503', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everyRoute(app.anonymous)) {
        expect([reply.status, reply.json]).toEqual([503, { error: text, detail: text }]);
      }
    });
    for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
  });
});

describe('credentials', () => {
  const AUTHENTICATED = '/api/v4/addons/compat-override/';
  const isIgnoring = ({ path }: { path: string }) => !path.startsWith(AUTHENTICATED);

  it('are not read on routes that ignore them', async () => {
    const known = (await app.developer()).authorization();
    const hidden = await everyRoute(app.anonymous);
    const headers = [
      'Bearer guess',
      'Bearer',
      'JWT a b',
      'JWT x.y.z',
      known.Authorization ?? '',
      known.Authorization ?? '',
    ];
    for (const authorization of headers) {
      for (const { path, text, headers: plain } of hidden.filter(isIgnoring)) {
        const reply = await app.anonymous.get(path, { Authorization: authorization });
        expect([path, reply.status, reply.text]).toEqual([path, 200, text]);
        expect([reply.headers.etag, reply.headers['cache-control']]).toEqual([plain.etag, plain['cache-control']]);
        expect(
          (await app.anonymous.get(path, { Authorization: authorization, 'If-None-Match': `${plain.etag}` })).status,
        ).toBe(304);
      }
    }
    // A token that no route has read is unused.
    expect((await app.anonymous.get(AUTHENTICATED, known)).status).toBe(200);
    expect((await app.anonymous.get(AUTHENTICATED, known)).status).toBe(401);
  });

  it('are checked by compat-override, which throttles repeated failures', async () => {
    const guesser = app.client({ token: 'guess' });
    const refused = await guesser.get(AUTHENTICATED);
    expect([refused.status, refused.json]).toEqual([
      401,
      { detail: expect.stringMatching(/^Error decoding signature\./), code: 'ERROR_DECODING_SIGNATURE' },
    ]);
    await whileThrottled(app, guesser, AUTHENTICATED, async () => {
      const reply = await guesser.get(AUTHENTICATED);
      const detail = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
      expect([reply.status, reply.json]).toEqual([429, { detail }]);
      for (const { status } of (await everyRoute(guesser)).filter(isIgnoring)) expect(status).toBe(200);
    });
  });

  it('of an unknown scheme count as absent', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Token x', 'guess']) {
      expect((await app.anonymous.get(AUTHENTICATED, { Authorization: authorization })).status).toBe(200);
    }
  });
});
