import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;
const path = '/api/v4/addons/read-only@test/versions/1.0/';
const ENGLISH =
  "Some features are temporarily disabled while we perform website maintenance. We'll be back to full capacity shortly.";

beforeAll(async () => {
  dev = await app.developer();
  await dev.put(path, { upload: await xpi({ guid: 'read-only@test', version: '1.0' }) });
});

/** The response to every write. */
const refusal = (text: string, headers: { 'retry-after'?: string } = {}) => ({
  ...signingRefusal(503, text),
  headers: { 'x-svc-read-only': 'true', ...headers },
});

const SWITCH = `insert into service_state (name, value, modified) values ('read_only', $1, now())
  on conflict (name) do update set value = excluded.value`;

/** Does what the operator's command does; every process applies it within a second. */
async function switchTo(value: boolean): Promise<void> {
  await app.sql(SWITCH, [JSON.stringify(value)]);
  await delay(1_000);
}

const state = async () => (await app.anonymous.get('/api/v4/nothing/here/')).headers['x-svc-read-only'];

describe('read-only mode', () => {
  it('refuses only writes, until it ends', async () => {
    const upload = await xpi({ guid: 'read-only@test', version: '1.1' });
    await switchTo(true);
    for (const [method, address] of [
      ['PUT', '/api/v4/addons/read-only@test/versions/1.1/'],
      ['POST', '/api/v3/addons/'],
    ] as const) {
      const reply = await (method === 'PUT'
        ? dev.put(address, { upload })
        : dev.post(address, { upload, version: '1' }));
      expectRefusal(reply, refusal(ENGLISH));
    }
    const read = await dev.get(path);
    expect([read.status, read.headers['x-svc-read-only']]).toEqual([200, 'true']);
    await switchTo(false);
    const written = await dev.put('/api/v4/addons/read-only@test/versions/1.1/', { upload });
    expect([written.status, written.headers['x-svc-read-only']]).toEqual([202, 'false']);
  });

  it('is read again when the connection that announces it was lost', async () => {
    for (const value of ['true', 'false']) {
      const before = await state();
      expect(before).not.toBe(value);
      // One transaction ends the listening session and switches, so no notification arrives.
      await app.sql(
        `with cut as materialized (select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'addons listen' and datname = current_database())
         insert into service_state (name, value, modified) select 'read_only', $1::jsonb, now() from (select count(*) from cut) done
         on conflict (name) do update set value = excluded.value`,
        [value],
      );
      await expect.poll(state, { timeout: 2_000 }).toBe(value);
    }
  });

  it('refuses before authentication, routing and reading the body', async () => {
    app.config.READ_ONLY = true;
    for (const [method, address] of [
      ['PUT', path],
      ['DELETE', path],
      ['PATCH', '/api/v4/nothing/here/'],
    ] as const) {
      expectRefusal(await app.anonymous.request(method, address), refusal(ENGLISH));
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect((await app.anonymous.request(method, '/api/v4/nothing/here/')).headers['x-svc-read-only']).toBe('true');
    }
    app.config.READ_ONLY = false;
  });

  it('responds in the language of the client', async () => {
    app.config.READ_ONLY = true;
    for (const [language, start] of [
      ['de', 'Einige Funktionen'],
      ['de-AT,en;q=0.5', 'Einige Funktionen'],
      ['fr;q=0.9,en;q=0.1', 'Certaines fonctionnalités'],
      ['pt-BR', 'Alguns recursos'],
      ['tlh', 'Some features'],
      ['', 'Some features'],
    ] as const) {
      const reply = await app.anonymous.request('PUT', path, { headers: { 'Accept-Language': language } });
      const { error } = reply.json as { error: string };
      expect([language, error.startsWith(start)]).toEqual([language, true]);
      expectRefusal(reply, refusal(error));
    }
    app.config.READ_ONLY = false;
  });

  it('sends Retry-After if the operator set it', async () => {
    Object.assign(app.config, { READ_ONLY: true, RETRY_AFTER: 120 });
    expectRefusal(await dev.request('PUT', path), refusal(ENGLISH, { 'retry-after': '120' }));
    Object.assign(app.config, { READ_ONLY: false, RETRY_AFTER: undefined });
  });

  it('applies to GraphQL mutations, and not to POSTed queries', async () => {
    app.config.READ_ONLY = true;
    const query = await dev.graphqlResult<{ viewer: unknown }>('{ viewer { username } }');
    expect(query.data?.viewer).toBeTruthy();
    const mutation = await dev.graphqlResult('mutation { createApiKey(input: {}) { __typename } }');
    expect(mutation).toEqual({
      errors: [
        expect.objectContaining({ message: ENGLISH, extensions: expect.objectContaining({ code: 'READ_ONLY' }) }),
      ],
    });
    app.config.READ_ONLY = false;
  });
});
