import { beforeAll, describe, expect, it } from 'vitest';
import { hashOfKey } from '../../../src/domain/updates/address-rows.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import type { MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { xpi } from '../../support/packages.ts';
import { create, end, entriesAt, makeUnlisted, withAddress } from '../../support/update-addresses.ts';

const app = setUpApp();
let author: Client;
let stranger: Client;

beforeAll(async () => {
  author = await app.developer();
  stranger = await app.developer();
});

const listOf = async (client: Client, { id }: MadeAddon) =>
  (
    await client.graphqlResult<{ addon: { updateAddresses: { id: string }[] | null } | null }>(
      'query($ref: Int!) { addon(by: { databaseId: $ref }) { updateAddresses { id guid ended createdBy { name } addon { guid } } } }',
      { ref: id },
    )
  ).data?.addon?.updateAddresses ?? null;

const unusedOf = async (client: Client) =>
  (
    await client.graphql<{ viewer: { private: { updateAddresses: { id: string; guid: string }[] } } }>(
      '{ viewer { private { updateAddresses { id guid addon { guid } } } } }',
    )
  ).viewer.private.updateAddresses;

describe('createUpdateAddress', () => {
  it('gives an author an address with a random key, of which only the hash is stored', async () => {
    const { made, url, key } = await withAddress(author);
    expect(url).toBe(`${app.url}/updates/${encodeURIComponent(made.guid)}/${key}/updates.json`);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const rows = await app.sql('select to_jsonb(u)::text as row from update_address u where u.guid = $1', [made.guid]);
    expect(JSON.stringify(rows)).toContain(hashOfKey(key));
    const written = await app.sql(
      'select to_jsonb(a)::text as row from activity a union all select to_jsonb(e)::text from audit_entry e',
    );
    expect(JSON.stringify([rows, written])).not.toContain(key);
  });

  it('writes activity and audit rows', async () => {
    const { made, id } = await withAddress(author);
    await end(author, id);
    await end(author, id);
    const activity = await app.sql('select action, account_id as by from activity where addon_id = $1 order by id', [
      made.id,
    ]);
    const actions = ['update-address-created', 'update-address-ended'];
    expect(activity).toEqual(actions.map((action) => ({ action, by: author.accountId })));
    const audit = await app.sql<{ action: string }>(
      `select action from audit_entry where details->>'guid' = $1 order by id`,
      [made.guid],
    );
    expect(audit.map(({ action }) => action)).toEqual(actions);
  });

  it('lists the working addresses for the authors and operators only', async () => {
    const { made, id } = await withAddress(author);
    const second = await create(author, made.guid.toUpperCase());
    const ended = await create(author, made.guid);
    await end(author, ended.updateAddress?.id);
    const ids = [second.updateAddress?.id, id];
    const editor = await app.memberWith('Addons:Edit');
    for (const client of [author, editor]) expect((await listOf(client, made))?.map((row) => row.id)).toEqual(ids);
    expect(await listOf(await app.reviewer(), made)).toBeNull();
    const node =
      'query($id: ID!) { node(id: $id) { ... on UpdateAddress { guid createdBy { name } addon { guid } } } }';
    expect(await author.graphql(node, { id })).toMatchObject({ node: { guid: made.guid, addon: { guid: made.guid } } });
    expect((await stranger.graphqlResult<{ node: unknown }>(node, { id })).data?.node ?? null).toBeNull();
    expect(await end(stranger, id)).toEqual({ code: 'NOT_FOUND' });
    expect(await end(editor, id)).toMatchObject({ updateAddress: { ended: expect.any(String) } });
  });

  it('refuses add-ons of others, also deleted ones, and texts that are no guid', async () => {
    const made = await makeUnlisted(author);
    const deleted = await makeUnlisted(author, [], { status: 'deleted', deletedAt: new Date() });
    for (const { guid } of [made, deleted]) {
      for (const client of [stranger, await app.memberWith('Addons:Edit')]) {
        expect(await create(client, guid)).toMatchObject({
          code: 'NOT_PERMITTED',
          message: 'You do not own this addon.',
        });
      }
    }
    for (const guid of ['', 'x', '../etc', 'a@b/c', 'a\0@b', `${'a'.repeat(300)}@b`, '\ud800@b']) {
      expect(await create(author, guid)).toMatchObject({ code: 'BAD_USER_INPUT', path: ['guid'] });
    }
  });

  it('makes at most 20 for a guid, and 100 for add-ons that do not exist', async () => {
    const made = await makeUnlisted(author);
    const someone = await app.developer();
    const fill = (guid: string, count: number, by: Client) =>
      app.sql(
        `insert into update_address (guid, account_id, key_hash) select $1 || n % $3, $2, md5(random()::text) from generate_series(1, $4) n`,
        guid === made.guid ? [guid, by.accountId, 1, count] : [guid, by.accountId, 10, count],
      );
    await app.sql(
      `insert into update_address (guid, account_id, addon_id, key_hash)
       select $1, $2, $3, md5(random()::text) from generate_series(1, 20)`,
      [made.guid, author.accountId, made.id],
    );
    expect(await create(author, made.guid)).toMatchObject({ code: 'BAD_USER_INPUT', path: ['guid'] });
    await fill('planned@example', 100, someone);
    expect(await create(someone, 'another@example')).toMatchObject({ code: 'BAD_USER_INPUT', path: ['guid'] });
    await end(someone, (await unusedOf(someone))[0]?.id);
    expect(await create(someone, 'another@example')).toMatchObject({ updateAddress: {} });
  });
});

describe('an address that was made before its add-on', () => {
  it('works once its account has uploaded the add-on, and for no other account', async () => {
    const guid = 'planned-clock@example';
    const mine = await create(author, guid);
    const theirs = await create(stranger, guid);
    expect((await unusedOf(author)).map((row) => row.id)).toContain(mine.updateAddress?.id);
    expect(
      [await app.anonymous.get(mine.url ?? ''), await app.anonymous.get(theirs.url ?? '')].map(({ text }) => text),
    ).toEqual(['{}', '{}']);
    const manifest = {
      browser_specific_settings: { gecko: { id: guid, update_url: mine.url?.replace('http:', 'https:') } },
    };
    const upload = await xpi({ guid, version: '1.0', manifest });
    expect((await author.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload })).status).toBe(201);
    expect(await entriesAt(app, mine.url ?? '', guid)).toEqual([]);
    await app.runJobs();
    const [entry] = (await entriesAt(app, mine.url ?? '', guid)) ?? [];
    expect(entry?.version).toBe('1.0');
    const file = await app.anonymous.get(entry?.update_link ?? '');
    expect([file.status, `sha256:${file.headers.etag?.slice(1, -1)}`]).toEqual([200, entry?.update_hash]);
    expect((await app.anonymous.get(theirs.url ?? '')).text).toBe('{}');
    expect((await unusedOf(author)).map((row) => row.guid)).not.toContain(guid);
    expect((await unusedOf(stranger)).map((row) => row.guid)).toContain(guid);
    const { id } = (await app.sql<{ id: number }>('select id from addon where guid = $1', [guid]))[0] ?? {};
    expect((await listOf(author, { id } as MadeAddon))?.map((row) => row.id)).toEqual([mine.updateAddress?.id]);
    expect(await end(author, theirs.updateAddress?.id)).toEqual({ code: 'NOT_FOUND' });
    // The creator may leave the add-on to others: its installed copies still find their updates.
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    const { db } = await import('../../../src/infra/db.ts');
    await app.sql('update addon_author set account_id = $1 where addon_id = $2', [
      (await app.developer()).accountId,
      id,
    ]);
    await db.$transaction((tx) => publishAddons(tx, [id ?? 0]));
    expect(await entriesAt(app, mine.url ?? '', guid)).toHaveLength(1);
    expect(await end(author, mine.updateAddress?.id)).toEqual({ code: 'NOT_FOUND' });
  });
});

it('the ids of addresses are global ids of their type', async () => {
  expect(await end(author, globalId('Addon', 1))).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await end(author, globalId('UpdateAddress', 2_000_000_000))).toEqual({ code: 'NOT_FOUND' });
});
