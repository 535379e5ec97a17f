import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { encodeForm } from '../support/client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { mutate } from '../support/mutate.ts';
import { xpi } from '../support/packages.ts';
import { png } from '../support/pictures.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let administrator: Client;

beforeAll(async () => {
  [stranger, administrator] = [await app.developer(), await app.memberWith('Users:Edit', 'Addons:Review')];
});
beforeEach(async () => {
  owner = await app.memberWith('Addons:Review');
});

const pathOf = (client: Client, version = 'v4') => `/api/${version}/accounts/account/${client.accountId}/`;
const remove = (client: Client, path = pathOf(owner)) => client.request('DELETE', path);
const IS_AUTHOR = {
  non_field_errors: [
    'Developers of add-ons or themes cannot delete their account. You must delete all add-ons and themes linked to this account, or transfer them to other users.',
  ],
};

describe.each(['v3', 'v4', 'v4dev'])('DELETE /api/%s/accounts/account/{account}/', (version) => {
  it('deletes the own account and clears both cookies', async () => {
    const reply = await remove(owner, pathOf(owner, version).slice(0, version === 'v4' ? -1 : undefined));
    expect([reply.status, reply.bytes.length, reply.headers['content-type']]).toEqual([204, 0, undefined]);
    const cookies = reply.headers['set-cookie'] ?? [];
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['frontend_auth_token', 'addons_session']);
    for (const cookie of cookies) expect(cookie).toMatch(/^\w+=;.*Max-Age=0/);
    expect((await owner.get(`/api/${version}/accounts/profile/`)).status).toBe(401);
  });

  it('deletes the account of another for holders of Users:Edit, without cookies', async () => {
    const reply = await remove(administrator, pathOf(owner, version));
    expect([reply.status, reply.headers['set-cookie']]).toEqual([204, undefined]);
    for (const again of [await remove(administrator, pathOf(owner, version)), await administrator.get(pathOf(owner))]) {
      expectRefusal(again, { status: 404, json: { detail: 'Not found.' } });
    }
  });

  it('is refused to strangers, whether the account exists or not', async () => {
    for (const ref of [owner.accountId, 2_000_000_000, 'unknown']) {
      const path = `/api/${version}/accounts/account/${ref}/`;
      expect((await remove(app.anonymous, path)).status).toBe(401);
      expectRefusal(await remove(stranger, path), {
        status: 403,
        json: { detail: 'You do not have permission to perform this action.' },
      });
    }
    expect((await owner.get(pathOf(owner))).status).toBe(200);
  });
});

describe('the deletion of an account', () => {
  it('is refused for authors of any add-on, and possible once they have none', async () => {
    const owners = [stranger.accountId ?? 0, { id: owner.accountId ?? 0, listed: false }];
    const made = await addon({ authors: owners, status: 'incomplete' });
    for (const client of [owner, administrator]) {
      const reply = await remove(client);
      expect([reply.status, reply.json]).toEqual([400, IS_AUTHOR]);
    }
    expect(await mutate(owner, 'deleteAccount', { id: owner.accountId })).toMatchObject({
      __typename: 'InvalidInputError',
      message: IS_AUTHOR.non_field_errors[0],
    });
    await mutate(stranger, 'deleteAddon', { id: made.id });
    expect((await remove(owner)).status).toBe(204);
  });

  it('clears everything that the account states, and keeps its row', async () => {
    const id = owner.accountId ?? 0;
    const { json: before } = await owner.get(pathOf(owner));
    const { username, email, created } = before as Record<'username' | 'email' | 'created', string>;
    const changes = { biography: 'Canary', display_name: 'Canary', location: 'Canary', occupation: 'Canary' };
    const changed = await owner.request('PATCH', pathOf(owner), {
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: encodeForm({ ...changes, homepage: 'https://canary.example/', picture_upload: await png(9, 9) }, 'x'),
    });
    const picture = (changed.json as { picture_url: string }).picture_url.replace(app.config.BASE_URL, '');
    await owner.request('POST', `${pathOf(owner)}notifications/`, {
      headers: { 'Content-Type': 'application/json' },
      body: '{"reply":false}',
    });
    const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
    const bearer = app.client({ token: (await createAccessTokenFor({ username, label: 'Canary' })).token });
    const made = await addon({ authors: [stranger.accountId ?? 0] });
    await app.sql(
      `INSERT INTO reply_address (mail_id, token_hash, version_id, account_id) VALUES (0, 'canary', $1, $2)`,
      [made.versions[0]?.id, id],
    );
    await app.sql(`UPDATE account SET locale = 'de', is_verified = true WHERE id = $1`, [id]);
    await app.sql(
      `INSERT INTO outgoing_mail (account_id, address, cause, subject, text, html) VALUES ($1, $2, 'canary', '', '', '')`,
      [id, email],
    );
    await app.sql(`INSERT INTO abuse_report (account_id, message) VALUES ($1, 'Kept')`, [id]);

    expect((await remove(owner)).status).toBe(204);
    const { settleUses } = await import('../../src/auth/record-last-used.ts');
    await settleUses();

    const [row] = await app.sql('SELECT * FROM account WHERE id = $1', [id]);
    expect(row).toMatchObject({
      ...Object.fromEntries(
        'display_name email biography homepage location occupation picture_sha256 last_login last_login_ip read_dev_agreement locale'
          .split(' ')
          .map((column) => [column, null]),
      ),
      username: expect.stringMatching(/^anonymous-[0-9a-f]{32}$/),
      is_verified: false,
      has_chosen_username: false,
      deleted_at: expect.any(Date),
      created: expect.any(Date),
    });
    expect(JSON.stringify(row?.created)).toContain(created.slice(0, -1));
    for (const table of [
      'group_member',
      'notification_setting',
      'access_token',
      'account_identity',
      'reply_address',
      'outgoing_mail',
    ]) {
      expect([table, await app.sql(`SELECT FROM ${table} WHERE account_id = $1`, [id])]).toEqual([table, []]);
    }
    const keys = await app.sql('SELECT length(sealed_secret) AS size, revoked_at FROM api_key WHERE account_id = $1', [
      id,
    ]);
    expect(keys).toEqual([{ size: 0, revoked_at: expect.any(Date) }]);
    expect(await app.sql('SELECT FROM abuse_report WHERE account_id = $1', [id])).toHaveLength(1);
    expect((await app.anonymous.get(picture)).status).toBe(404);
    for (const client of [owner, bearer]) expect((await client.get('/api/v4/accounts/profile/')).status).toBe(401);

    const { createAccount } = await import('../../src/domain/accounts/administration.ts');
    expect((await createAccount({ username, email })).id).not.toBe(id);
  });

  it('shows past authorships under the generated name, without an address', async () => {
    const made = await addon({ authors: [owner.accountId ?? 0], guid: 'past@example.org' });
    await mutate(owner, 'deleteAddon', { id: made.id });
    expect((await remove(owner)).status).toBe(204);
    for (const operator of [await app.memberWith('Addons:ReviewUnlisted', 'Addons:ViewDeleted'), await app.admin()]) {
      const { json } = await operator.get(`/api/v4/addons/addon/${made.id}/`);
      const [author] = (json as { authors: { name: string; url: string | null }[] }).authors;
      expect([author?.url, author?.name]).toEqual([null, expect.stringMatching(/^Add-ons user [0-9a-f]{6}$/)]);
    }
  });

  it('is refused while an upload makes the account an author, or refuses the upload', async () => {
    const statuses = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const client = await app.developer();
      const guid = `race-${round}@example.org`;
      const upload = await xpi({ guid, version: '1.0' });
      const [deleted, uploaded] = await Promise.all([
        remove(client, pathOf(client)),
        client.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload }),
      ]);
      statuses.add(`${deleted.status} ${uploaded.status}`);
    }
    expect([...statuses].filter((pair) => !['400 201', '204 401'].includes(pair))).toEqual([]);
  });

  it('is logged, and audited when another account or a command made it', async () => {
    const { deleteAccountByName } = await import('../../src/domain/profiles/delete-account.ts');
    const logged = async (table: string) =>
      (
        await app.sql(`SELECT FROM ${table} WHERE action = 'account-deleted' AND details->>'accountId' = $1`, [
          String(owner.accountId),
        ])
      ).length;
    const { username } = (await owner.get(pathOf(owner))).json as { username: string };
    const other = owner;
    await deleteAccountByName(username);
    expect([await logged('activity'), await logged('audit_entry')]).toEqual([1, 1]);
    owner = await app.developer();
    await remove(owner);
    expect([await logged('activity'), await logged('audit_entry')]).toEqual([1, 0]);
    await expect(deleteAccountByName('automatic-review')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(deleteAccountByName(username)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(other.accountId).not.toBe(owner.accountId);
  });

  it('is the same in GraphQL', async () => {
    const id = owner.accountId;
    expect(await mutate(stranger, 'deleteAccount', { id })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await mutate(administrator, 'deleteAccount', { id: 2_000_000_000 })).toMatchObject({ code: 'NOT_FOUND' });
    const globalId = btoa(`Account:${id}`);
    const { deleteAccount } = await owner.graphql<{ deleteAccount: object }>(
      'mutation($id: ID!) { deleteAccount(input: { id: $id }) { ... on DeleteAccountPayload { deletedId isOwn } } }',
      { id: globalId },
    );
    expect(deleteAccount).toEqual({ deletedId: globalId, isOwn: true });
    expect(await mutate(administrator, 'enableAccount', { id })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
