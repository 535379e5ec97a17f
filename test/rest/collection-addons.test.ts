import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addonsToCollect, collectionRequests, collectionsPath, sendTo, slugsIn } from '../support/collections.ts';
import { addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let made: Awaited<ReturnType<typeof addonsToCollect>>;

type Json = Record<string, unknown>;

const { own, create, put } = collectionRequests(() => owner);

beforeAll(async () => {
  [owner, stranger] = [await app.developer(), await app.developer()];
  made = await addonsToCollect();
});

describe('the add-ons of a collection', () => {
  it('are sorted, by default by popularity', async () => {
    await create('sorted');
    for (const slug of ['clock', 'alarm', 'bells']) expect((await put('sorted', slug)).status).toBe(201);
    const sorted = async (query: string) => slugsIn(await app.anonymous.get(own('sorted', `addons/${query}`)));
    expect(await sorted('')).toEqual(['alarm', 'bells', 'clock']);
    expect(await sorted('?sort=-popularity')).toEqual(['alarm', 'bells', 'clock']);
    expect(await sorted('?sort=popularity')).toEqual(['clock', 'bells', 'alarm']);
    expect(await sorted('?sort=name')).toEqual(['alarm', 'bells', 'clock']);
    expect(await sorted('?sort=-name')).toEqual(['clock', 'bells', 'alarm']);
    expect(await sorted('?sort=added')).toEqual(['clock', 'alarm', 'bells']);
    expect(await sorted('?sort=-added')).toEqual(['bells', 'alarm', 'clock']);
    expect(await sorted('?sort=whatever')).toEqual(['alarm', 'bells', 'clock']);
    const page = await app.anonymous.get(own('sorted', 'addons/?page_size=2&page=2'));
    expect([slugsIn(page), page.json]).toMatchObject([['clock'], { count: 3, page_count: 2, next: null }]);
  });

  it('include hidden ones for the account with a filter, which others may not use', async () => {
    await create('filtered');
    const passing = await addon({ slug: 'passing', guid: 'passing@list' });
    for (const slug of ['clock', 'passing']) await put('filtered', slug);
    const listed = async (client: Client, query: string) =>
      slugsIn(await client.get(own('filtered', `addons/?sort=added${query}`)));
    await app.sql("UPDATE addon SET status = 'nominated' WHERE id = $1", [passing.id]);
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.$transaction((tx) => publishAddons(tx, [passing.id]));
    expect(await listed(owner, '')).toEqual(['clock']);
    expect(await listed(owner, '&filter=all')).toEqual(['clock', 'passing']);
    expect(await listed(stranger, '&filter=all')).toEqual(['clock']);
    expect(await listed(app.anonymous, '&filter=all_with_deleted')).toEqual(['clock']);
    expect((await app.anonymous.get(own('filtered', 'addons/passing/'))).status).toBe(404);
    expect((await owner.get(own('filtered', 'addons/passing/'))).status).toBe(200);
  });

  it('are public ones by id, slug or guid, each once', async () => {
    await create('added');
    for (const name of [made.clock.id, 'alarm', 'BELLS@list']) expect((await put('added', name)).status).toBe(201);
    const refused = async (body: Json, fields: Json) => {
      const reply = await sendTo(owner, 'POST', own('added', 'addons/'), body);
      expect([reply.status, reply.json]).toEqual([400, fields]);
    };
    const unknown = { addon: ['There is no public add-on with this id, slug or guid.'] };
    await refused({ addon: 'no-such' }, unknown);
    await refused({ addon: 'hidden' }, unknown);
    await refused({ addon: 2_000_000_000 }, unknown);
    await refused({ addon: 'clock@list' }, { addon: ['This add-on already belongs to the collection.'] });
    await refused({}, { addon: ['This field is required.'] });
    await refused({ addon: '' }, { addon: ['This field may not be blank.'] });
    await refused({ addon: ['x'] }, { addon: ['Not a valid string.'] });
    await refused(
      { addon: 'shade', notes: { 'en-US': 'x'.repeat(281) } },
      { notes: ['Ensure this field has no more than 280 characters.'] },
    );
    expect((await put('no-such', 'clock')).status).toBe(404);
  });

  it('have notes that are changed, and are taken out', async () => {
    await create('noted');
    await put('noted', 'clock', 'First');
    const path = own('noted', 'addons/clock/');
    const changed = await sendTo(owner, 'PATCH', path, { notes: { de: 'Zweitens' } });
    expect([changed.status, changed.json]).toMatchObject([200, { notes: { 'en-US': 'First', de: 'Zweitens' } }]);
    expect((await sendTo(owner, 'PATCH', path, { notes: null })).json).toMatchObject({ notes: null });
    expect((await sendTo(owner, 'PATCH', path, {})).status).toBe(200);
    const removed = await owner.request('DELETE', path);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await owner.request('DELETE', path)).status).toBe(404);
    expect((await sendTo(owner, 'PATCH', path, { notes: 'x' })).status).toBe(404);
  });

  it('are at most 2,000', async () => {
    const { id } = await create('full');
    await app.sql(
      `INSERT INTO collection_item (collection_id, guid, position) SELECT $1, 'full-' || n || '@list', n FROM generate_series(1, 2000) n`,
      [id],
    );
    const reply = await put('full', 'clock');
    expect([reply.status, reply.json]).toEqual([400, { addon: ['A collection has at most 2000 add-ons.'] }]);
  });

  it('cost a constant number of statements', async () => {
    await create('few');
    await create('many');
    await put('few', 'clock');
    for (let index = 0; index < 6; index += 1) {
      const { slug } = await addon({ slug: `many-${index}`, guid: `many-${index}@list` });
      await put('many', slug);
    }
    const count = async (path: string, client = app.anonymous) =>
      (await statementsDuring(() => client.get(path))).length;
    for (const rest of ['', 'addons/', '?with_addons']) {
      await count(own('many', rest));
      expect(await count(own('many', rest))).toBe(await count(own('few', rest)));
    }
    const lists = [await count(`${own()}?page_size=1`, owner), await count(`${own()}?page_size=10`, owner)];
    expect(lists[1]).toBe(lists[0]);
  });
});

describe('the account of a collection', () => {
  it('takes its collections along when it is deleted, and hides them while it is disabled', async () => {
    const client = await app.developer();
    const path = collectionsPath(client.accountId);
    const { json } = await sendTo(client, 'POST', path, { slug: 'last', name: 'Last' });
    expect((await app.anonymous.get(`${path}last/`)).status).toBe(200);
    await app.sql('UPDATE account SET disabled_at = now() WHERE id = $1', [client.accountId]);
    expect((await app.anonymous.get(`${path}last/`)).status).toBe(404);
    await app.sql('UPDATE account SET disabled_at = NULL WHERE id = $1', [client.accountId]);
    expect((await client.request('DELETE', `/api/v4/accounts/account/${client.accountId}/`)).status).toBe(204);
    expect(await app.sql('SELECT FROM collection WHERE id = $1', [(json as Json).id])).toEqual([]);
  });
});
