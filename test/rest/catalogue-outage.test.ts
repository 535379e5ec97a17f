import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

const app = setUpApp();
let made: MadeAddon;

beforeAll(async () => {
  made = await addon({ slug: 'order' });
});

/** A request to each route of the catalogue. */
function everyRoute(client: Client): Promise<Reply[]> {
  const below = ['', 'versions/', `versions/${made.versions[0]?.id}/`, 'feature_compatibility/', 'eula_policy/'];
  return Promise.all(below.map((path) => client.get(`/api/v4/addons/addon/order/${path}`)));
}

describe('while the database is down', () => {
  it('every catalogue route returns 503, and recovers', async () => {
    const text = 'The service is temporarily unavailable.';
    await withoutDatabase(app, async () => {
      for (const reply of await everyRoute(app.anonymous)) {
        expectRefusal(reply, signingRefusal(503, text));
      }
    });
    for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
  });
});

describe('an IP address with many failed authentications', () => {
  it('is throttled on every catalogue route, except without credentials', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v4/addons/addon/order/', async () => {
      for (const reply of await everyRoute(guesser)) {
        const detail = `Request was throttled. Expected available in ${reply.headers['retry-after']} seconds.`;
        const headers = { 'retry-after': reply.headers['retry-after'] ?? '' };
        expectRefusal(reply, { status: 429, json: { detail }, headers });
      }
      for (const reply of await everyRoute(app.anonymous)) expect(reply.status).toBe(200);
    });
  });
});
