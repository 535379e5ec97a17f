import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { hasPooler } from '../support/has-pooler.ts';
import { textOf, Visitor } from '../support/pages.ts';

const RUNNING = 2;
const QUEUED = 3;
const REFUSED = 4;

const app = setUpApp({ settings: { SEARCH_CONNECTIONS: RUNNING, SEARCH_QUEUE: QUEUED } });
let locker: pg.Client;

beforeAll(async () => {
  const { searchPool } = await import('../../src/infra/db.ts');
  // Searches stay in the queue for as long as a slow machine takes for everything else.
  Object.assign(searchPool.options, { statement_timeout: 0, query_timeout: 0, connectionTimeoutMillis: 0 });
  const { pooledClient } = await import('../../src/infra/pooled-client.ts');
  // Behind a pooler, each transaction sets its limit.
  if (hasPooler) Object.assign(searchPool, { Client: pooledClient('SET LOCAL statement_timeout = 0') });
  locker = new pg.Client({ connectionString: app.config.DATABASE_URL });
  await locker.connect();
});

afterAll(async () => {
  await locker.end();
});

it('refuses searches at once when the queue of searches is full, and serves add-ons and their pages', async () => {
  const developer = await app.developer();
  const { id, slug } = await addon({ authors: [Number(developer.accountId)], featured: [{ app: 'desktop_browser' }] });
  await locker.query('BEGIN; LOCK TABLE addon_search IN ACCESS EXCLUSIVE MODE');
  const refused: Reply[] = [];
  const isRefused = Promise.withResolvers<void>();

  const searches = Array.from({ length: RUNNING + QUEUED + REFUSED }, async (_value, index) => {
    const reply = await app.anonymous.get(`/api/v4/addons/search/?q=word${index}`);
    if (reply.status === 503) refused.push(reply);
    if (refused.length === REFUSED) isRefused.resolve();
    return reply.status;
  });
  await isRefused.promise;
  const blocked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await app.sql(blocked)).length).toBe(RUNNING);
  // Refused before its parameters are read.
  const invalid = await app.anonymous.get('/api/v4/addons/autocomplete/?q=word&type=none');
  const detail = await app.anonymous.get(`/api/v4/addons/addon/${id}/`);
  const visitor = new Visitor(app);
  const [start, page] = [await visitor.get('/'), await visitor.get(`/addon/${slug}/`)];
  await locker.query('COMMIT');

  expect([invalid.status, detail.status]).toEqual([503, 200]);
  // Pages lack what search would fill.
  expect([start.status, start.headers['cache-control'], page.status]).toEqual([200, 'no-store', 200]);
  expect(textOf(start)).toMatch(/Featured .*Some lists are missing/);
  for (const { headers, json } of refused) {
    expect(headers['retry-after']).toBe('1');
    const detail = 'The service is temporarily unavailable.';
    expect(json).toEqual({ error: detail, detail });
  }
  expect((await Promise.all(searches)).filter((status) => status === 200)).toHaveLength(RUNNING + QUEUED);
  expect(textOf(await visitor.get('/'))).toContain('All new add-ons');
});
