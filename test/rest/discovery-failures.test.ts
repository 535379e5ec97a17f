import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

let app: TestApp;

const BROWSER = 'app=desktop_browser';
/** Every route of discovery with a query that it answers, and the parameters that it knows. */
const ROUTES: [string, string, string[]][] = [
  ['featured', BROWSER, ['app', 'category', 'lang', 'type', 'page_size', 'page']],
  ['language-tools', `${BROWSER}&type=language`, ['app', 'appversion', 'author', 'lang', 'type', 'page']],
  ['replacement-addon', '', ['page', 'page_size', 'lang']],
  ['compat-override', '', ['guid', 'page', 'page_size', 'lang']],
  ['recommendations', '', ['guid', 'lang', 'recommended', 'page', 'page_size']],
];

const GARBAGE: [string, string][] = [
  ['nothing', ''],
  ['4 kB', 'x'.repeat(4096)],
  ['commas', ','.repeat(4096)],
  ['NUL', 'a%00b'],
  ['a lone surrogate', '%ED%A0%80'],
  ['broken UTF-8', '%C3%28'],
  ['a broken escape', '%E0%A4%A'],
  ['a huge number', '9'.repeat(400)],
  ['a negative number', '-1'],
  ['a fraction', '1.5'],
  ['infinity', 'Infinity'],
  ['an object', '%7B%22a%22%3A1%7D'],
  ['a name of JavaScript', '__proto__'],
  ['SQL', "'%20OR%201=1;--"],
  ['a pattern', '%25_%5C'],
  ['emoji', '%F0%9F%94%A5'],
];

/** The same routes and those of search, which are listed in another file with their garbage. */
const PATHS = [...ROUTES, ['search', 'q=made', []], ['autocomplete', 'q=made', []]].map(
  ([name, query]) => `/api/v4/addons/${name}/?${query}`,
);

const everyRoute = (client: Client): Promise<(Reply & { path: string })[]> =>
  Promise.all(PATHS.map(async (path) => ({ ...(await client.get(path)), path })));

beforeAll(async () => {
  app = await startApp();
  await addon({ type: 'language', targetLocale: 'de', featured: [{ app: 'desktop_browser' }] });
});
afterAll(() => app.close());

describe.each(ROUTES)('%s', (name, query, parameters) => {
  it.each(GARBAGE)('answers %s in any parameter with a documented status', async (_what, value) => {
    const forms = [...parameters, 'unknown'].flatMap((parameter) => [
      `${parameter}=${value}`,
      `${parameter}=1&${parameter}=${value}`,
      `${parameter}[]=${value}`,
    ]);
    const send = async (form: string) => {
      const reply = await app.anonymous.get(`/api/v4/addons/${name}/?${query}&${form}`);
      expect(reply.status, form.slice(0, 80)).toBeLessThan(500);
      if (reply.status !== 400) return;
      const [parameter, ...others] = Object.keys(reply.json as object);
      expect([others, form]).toEqual([[], expect.stringContaining(parameter ?? '')]);
    };
    await Promise.all(forms.map(send));
  });

  it('knows no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await app.anonymous.request(method, `/api/v4/addons/${name}/`);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('conditional requests', () => {
  it('answer 304 wherever an answer says what it was made from', async () => {
    for (const reply of await everyRoute(app.anonymous)) {
      const { etag } = reply.headers;
      if (etag === undefined) continue;
      const again = await app.anonymous.get(reply.path, { 'If-None-Match': etag });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    }
  });
});

describe('while the database does not answer', () => {
  it('every route says that it is out of order', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everyRoute(app.anonymous)) {
        expect([reply.status, reply.json]).toEqual([503, { error: text, detail: text }]);
      }
    });
    for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
  });
});

describe('credentials that do not hold', () => {
  it('are refused on every route, and their address has to wait when it tries very often', async () => {
    const guesser = app.client({ token: 'guess' });
    for (const reply of await everyRoute(guesser)) expect(reply.status).toBe(401);
    await whileThrottled(app, guesser, '/api/v4/addons/featured/', async () => {
      for (const reply of await everyRoute(guesser)) {
        const detail = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
        expect([reply.status, reply.json]).toEqual([429, { detail }]);
      }
    });
  });
});
