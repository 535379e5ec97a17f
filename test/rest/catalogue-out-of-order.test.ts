import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

let app: TestApp;
let made: MadeAddon;

beforeAll(async () => {
  app = await startApp();
  made = await addon({ slug: 'order' });
});
afterAll(() => app.close());

/** A request to each route of the catalogue. */
function everyRoute(client: Client): Promise<Reply[]> {
  const below = ['', 'versions/', `versions/${made.versions[0]?.id}/`, 'feature_compatibility/', 'eula_policy/'];
  return Promise.all(below.map((path) => client.get(`/api/v4/addons/addon/order/${path}`)));
}

describe('while the database does not answer', () => {
  it('every route of the catalogue says that it is out of order, and works again afterwards', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everyRoute(app.anonymous)) {
        expect([reply.status, reply.json]).toEqual([503, { error: text, detail: text }]);
      }
    });
    for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
  });
});

describe('an address that failed to sign in very often', () => {
  it('has to wait on every route of the catalogue, and reads on without credentials', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v4/addons/addon/order/', async () => {
      for (const reply of await everyRoute(guesser)) {
        const detail = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
        expect([reply.status, reply.json]).toEqual([429, { detail }]);
      }
      for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
    });
  });
});

describe('garbage in the parameters', () => {
  const values = [
    '',
    '%00',
    '%F0%9F%92%A9',
    '%ED%A0%80',
    '%',
    '-1',
    '1e9',
    '9'.repeat(400),
    'x'.repeat(4096),
    'true',
    '[]',
    '{}',
  ];
  const parameters = [
    'app',
    'appversion',
    'lang',
    'wrap_outgoing_links',
    'filter',
    'page',
    'page_size',
    'q',
    '__proto__',
  ];

  it.each(parameters)('as %s is answered as documented', async (name) => {
    for (const value of values) {
      for (const query of [
        `${name}=${value}`,
        `${name}=${value}&${name}=1`,
        `${name}[]=${value}`,
        `${name}[a]=${value}`,
      ]) {
        for (const path of ['', 'versions/', `versions/${made.versions[0]?.id}/`, 'eula_policy/']) {
          const reply = await app.anonymous.get(`/api/v4/addons/addon/order/${path}?app=desktop_browser&${query}`);
          expect([200, 400, 404], `${path}?${query.slice(0, 80)}`).toContain(reply.status);
        }
      }
    }
  });

  it.each(values.filter((value) => value !== ''))('as the add-on is not found: %s', async (value) => {
    for (const path of ['', 'versions/', 'versions/1/', 'eula_policy/']) {
      expect((await app.anonymous.get(`/api/v4/addons/addon/${value}/${path}`)).status).toBe(404);
    }
  });
});
