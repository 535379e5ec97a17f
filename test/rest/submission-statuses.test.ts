/* The refusals that every route of API v5 (submission API) shares, for each operation of its OpenAPI document. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import {
  documentedOperations,
  type DocumentedOperation as Operation,
  having as operationsHaving,
  outcomesOf,
  sendOperation,
} from '../support/documented-operations.ts';
import { addon } from '../support/factories.ts';
import { mutate } from '../support/mutate.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';
import { validUpload } from '../support/uploads.ts';

/** Takes a token of another issuer and no credentials; its refusals are in publishing.test.ts. */
const EXCHANGE = /\/publishing\/token\/$/;

const OPERATIONS = documentedOperations('v5').filter(({ template }) => !EXCHANGE.test(template));
const having = (status: number) => operationsHaving(OPERATIONS, status);

const NAMES = { addon: 'order', guid: 'order@example', version_ref: '1.0', uuid: 'f'.repeat(32) };
const UNKNOWN = { addon: 'no-such', guid: 'no-such', version_ref: '9.9', uuid: '0'.repeat(32) };

const app = setUpApp();
let author: Client;

beforeAll(async () => {
  author = await app.developer();
  await addon({ slug: NAMES.addon, guid: NAMES.guid, authors: [author.accountId ?? 0] });
});

const send = (client: Client, one: Operation, headers = {}, names: Record<string, string> = NAMES) =>
  sendOperation(client, one, names, headers);
const each = outcomesOf;
/** Signing, whose errors have two keys in all API versions. */
const isSigning = ({ template }: Operation) => /\/addons\/$|\/\{guid\}\/versions\/|\/file\//.test(template);
const all = (operations: Operation[], status: number, keys = ['detail']) =>
  Object.fromEntries(operations.map((one) => [one.name, [status, isSigning(one) ? [...keys, 'error'].sort() : keys]]));

describe('every route of v5', () => {
  it('returns 401 for wrong credentials', async () => {
    const guesser = app.client({ token: 'wrong' });
    expect(await each(having(401), (one) => send(guesser, one))).toEqual(all(having(401), 401, ['code', 'detail']));
  });

  it('returns 401 for a token with a nonce that is used again after ten seconds', async () => {
    const header = author.authorization();
    const statuses = await each(having(401), (one) => send(app.anonymous, one, header));
    expect(Object.values(statuses).filter(([status]) => status === 401)).toEqual([]);
    await app.sql("UPDATE spent_token SET first_used = first_used - interval '10 seconds'");
    expect(await each(having(401), (one) => send(app.anonymous, one, header))).toEqual(all(having(401), 401));
  });

  it('returns 404 for what its address names and does not exist', async () => {
    const named = having(404).filter(({ template }) => template.includes('{'));
    expect(await each(named, (one) => send(author, one, {}, UNKNOWN))).toEqual(all(named, 404));
  });

  it('returns 415 for bodies of other types', async () => {
    const outcomes = await each(having(415), (one) => send(author, one, { 'Content-Type': 'text/xml' }));
    expect(outcomes).toEqual(Object.fromEntries(having(415).map(({ name }) => [name, [415, ['detail']]])));
  });

  it('returns 304 for the tag of a response that anonymous clients get', async () => {
    for (const one of having(304)) {
      const { status, headers } = await send(app.anonymous, one);
      // Some need credentials, or an object in another state.
      if (status !== 200 || headers.etag === undefined) continue;
      const again = await send(app.anonymous, one, { 'If-None-Match': headers.etag });
      expect([one.name, again.status, again.text]).toEqual([one.name, 304, '']);
    }
  });

  it('returns 429 to an address with many failed sign-ins', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v5/addons/addon/order/', async () => {
      // Searches have a limit of their own, and read no credentials.
      const signingIn = having(429).filter(({ statuses }) => statuses.includes('401'));
      expect(await each(signingIn, (one) => send(guesser, one))).toEqual(all(signingIn, 429));
    });
  });

  it('returns 503 while the database is down', async () => {
    // The state of the service is in memory, and a token of unsubscribing is checked first.
    const reading = OPERATIONS.filter(({ template }) => !/\/(?:site|unsubscribe)\/$/.test(template));
    await withoutDatabase(app, async () => {
      expect(await each(reading, (one) => send(author, one))).toEqual(all(reading, 503));
    });
  });

  it('returns 503 for writes in read-only mode, before anything else', async () => {
    app.config.READ_ONLY = true;
    const writes = OPERATIONS.filter(({ method }) => method !== 'GET');
    expect(await each(writes, (one) => send(app.anonymous, one))).toEqual(all(writes, 503));
    app.config.READ_ONLY = false;
  });

  it('has an address with and without the last slash', async () => {
    for (const { method, template, name } of OPERATIONS.filter(({ method: verb }) => verb === 'GET')) {
      const [one, other] = await Promise.all(
        [template, template.replace(/\/$/, '')].map((path) =>
          send(author, { method, template: path, name, statuses: [] }),
        ),
      );
      expect([name, other?.status, other?.json]).toEqual([name, one?.status, one?.json]);
    }
  });
});

describe('POST addons/addon/ with an upload that made an add-on', () => {
  const post = (upload: string, name?: object) =>
    author.request('POST', '/api/v5/addons/addon/', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ version: { upload }, ...(name ? { name } : {}) }),
    });
  const guid = 'repeated@example';

  it('changes nothing after the operator disabled or the owner deleted the add-on', async () => {
    const upload = await validUpload(app, author, { guid, version: '1.0' });
    const made = await post(upload);
    expect(made.status).toBe(201);
    const { id } = made.json as { id: number };
    const switchTo = async (disabled: boolean) =>
      mutate(await app.admin(), 'setAddonDisabled', { id, by: 'OPERATOR', isDisabled: disabled });
    await switchTo(true);
    expect([(await post(upload, { 'en-US': 'Clock' })).status, (await post(upload)).status]).toEqual([403, 200]);
    await switchTo(false);
    await mutate(author, 'deleteAddon', { id });
    expect((await post(upload)).status).toBe(404);
    const taken = await post(await validUpload(app, author, { guid, version: '1.0' }));
    expect([taken.status, taken.json]).toEqual([409, { version: ['Version 1.0 was uploaded before and deleted.'] }]);
  });
});
