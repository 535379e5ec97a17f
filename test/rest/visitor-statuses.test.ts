/* The refusals that routes of ratings, collections, discovery and the site share, for each operation of the OpenAPI documents. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import {
  type DocumentedOperation,
  documentedOperations,
  having,
  outcomesOf,
  sendOperation,
} from '../support/documented-operations.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

const FAMILIES =
  /\/(?:ratings|reviews|collections|discovery|hero|categories|site|sponsored|unsubscribe)\/|\/abuse\/report\/(?:collection|rating)\//;
/** The state of the service is in memory, and the token of unsubscribing is checked first. */
const WITHOUT_DATABASE = /\/(?:site|sponsored|unsubscribe)\/$/;

const app = setUpApp();
let owner: Client;
let visitor: Client;
let shown: MadeAddon;
const names: Record<string, string> = { addon: 'order', collection: 'made' };
const unknown = { addon: 'no-such', collection: 'no-such', account: '2147483647', id: '2147483647' };

/** Bodies that are checked before what the address names. */
function bodyOf({ template }: DocumentedOperation): object {
  if (template.endsWith('/flag/')) return { flag: 'review_flag_reason_spam' };
  return template.endsWith('/reply/') ? { body: 'Thanks.' } : {};
}

const post = (client: Client, path: string, body: object) =>
  client.request('POST', path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

beforeAll(async () => {
  [owner, visitor] = [await app.developer(), await app.developer()];
  shown = await addon({ slug: 'order', authors: [owner.accountId ?? 0] });
  names['account'] = String(owner.accountId);
  const lists = `/api/v4/accounts/account/${owner.accountId}/collections/`;
  await post(owner, lists, { name: { 'en-US': 'Made' }, slug: 'made' });
  await post(owner, `${lists}made/addons/`, { addon: 'order' });
  const body = { addon: 'order', version: shown.versions[0]?.id, score: 4 };
  const rating = await post(visitor, '/api/v4/ratings/rating/', body);
  names['id'] = String((rating.json as { id: number }).id);
});

describe.each(['v3', 'v4', 'v5'] as const)('the routes for visitors under %s', (version) => {
  const operations = documentedOperations(version).filter(({ template }) => FAMILIES.test(template));
  const of = (status: number) => having(operations, status);
  const statusesOf = async (
    wanted: readonly DocumentedOperation[],
    client: Client,
    headers: Record<string, string> = {},
    values: Readonly<Record<string, string>> = names,
  ) => {
    const outcomes = await outcomesOf(wanted, (one) => sendOperation(client, one, values, headers, bodyOf(one)));
    return Object.fromEntries(Object.entries(outcomes).map(([name, [status]]) => [name, status]));
  };
  const all = (wanted: readonly DocumentedOperation[], status: number) =>
    Object.fromEntries(wanted.map(({ name }) => [name, status]));

  it('return 401 for wrong credentials', async () => {
    expect(await statusesOf(of(401), app.client({ token: 'wrong' }))).toEqual(all(of(401), 401));
  });

  it('return 404 for what the address names and does not exist', async () => {
    // Lists of others are refused, whether the account exists or not.
    const named = of(404).filter(({ template }) => template.includes('{') && !template.endsWith('/collections/'));
    const ownNames = { ...unknown, account: String(owner.accountId) };
    expect(await statusesOf(named, owner, {}, ownNames)).toEqual(all(named, 404));
  });

  it('return 415 for bodies of other types', async () => {
    expect(await statusesOf(of(415), visitor, { 'Content-Type': 'text/xml' })).toEqual(all(of(415), 415));
  });

  it('return 304 for the tag of a response that anonymous clients get', async () => {
    for (const one of of(304)) {
      const { status, headers } = await sendOperation(app.anonymous, one, names);
      if (status !== 200 || headers.etag === undefined) continue;
      const again = await sendOperation(app.anonymous, one, names, { 'If-None-Match': headers.etag });
      expect([one.name, again.status, again.text]).toEqual([one.name, 304, '']);
    }
  });

  it('return 429 to an address with many failed sign-ins', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, `/api/${version}/addons/addon/order/`, async () => {
      const signingIn = of(429).filter(({ statuses }) => statuses.includes('401'));
      expect(await statusesOf(signingIn, guesser)).toEqual(all(signingIn, 429));
    });
  });

  it('return 503 while the database is down', async () => {
    const reading = of(503).filter(({ template }) => !WITHOUT_DATABASE.test(template));
    await withoutDatabase(app, async () => {
      expect(await statusesOf(reading, owner)).toEqual(all(reading, 503));
    });
  });

  it('return 503 for writes in read-only mode', async () => {
    const writes = operations.filter(({ method }) => method !== 'GET');
    app.config.READ_ONLY = true;
    expect(await statusesOf(writes, app.anonymous)).toEqual(all(writes, 503));
    app.config.READ_ONLY = false;
  });
});

describe.each(['v3/reviews/review', 'v4/ratings/rating'])('GET %s/<id>/', (base) => {
  it('has the refusals of its add-on, and one of a parameter', async () => {
    const path = `/api/${base}/${names['id']}/`;
    expect((await app.anonymous.get(`${path}?show_flags_for=none`)).status).toBe(400);
    await app.sql('UPDATE addon SET is_disabled_by_developer = true WHERE id = $1', [shown.id]);
    const statuses = [(await app.anonymous.get(path)).status, (await (await app.developer()).get(path)).status];
    await app.sql('UPDATE addon SET is_disabled_by_developer = false WHERE id = $1', [shown.id]);
    expect(statuses).toEqual([401, 403]);
  });
});

it('refuses notes of a collection that are too long', async () => {
  const path = `/api/v4/accounts/account/${owner.accountId}/collections/made/addons/order/`;
  const { status } = await owner.request('PATCH', path, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ notes: { 'en-US': 'n'.repeat(281) } }),
  });
  expect(status).toBe(400);
});
