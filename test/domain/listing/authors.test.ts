import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { withGlobalIds } from '../../support/global-ids.ts';
import { invite, join } from '../../support/invite.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { mutate, mutationError } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;
let third: Client;
let made: MadeAddon;
const idOf = (client: Client) => client.accountId ?? 0;

beforeAll(async () => {
  [owner, developer, third] = await Promise.all([app.developer(), app.developer(), app.developer()]);
});
beforeEach(async () => {
  made = await addon({ authors: [idOf(owner), { id: idOf(developer), role: 'developer' }] });
});

const listedAuthors = async () => {
  const { json } = await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`);
  return (json as { authors: { id: number }[] }).authors.map(({ id }) => id);
};
const ALL =
  'query($ref: Int!) { addon(by: { databaseId: $ref }) { allAuthors { databaseId role isListed position } } }';
const all = async (client: Client = owner) =>
  (await client.graphql<{ addon: { allAuthors: unknown } }>(ALL, { ref: made.id })).addon.allAuthors;
const lastActivity = async () =>
  (
    await app.sql<Record<string, unknown>>(
      'SELECT action, account_id AS by, details FROM activity WHERE addon_id = $1 ORDER BY id DESC LIMIT 1',
      [made.id],
    )
  )[0];

describe('the authors of an add-on', () => {
  it('include an author who has accepted in REST and in search', async () => {
    const etag = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).headers.etag;
    const [{ username } = { username: '' }] = await app.sql<{ username: string }>(
      'SELECT username FROM account WHERE id = $1',
      [idOf(third)],
    );
    const account = { username: username.toUpperCase() };
    expect(await join(owner, third, made.id, { account, role: 'OWNER' })).toEqual({
      __typename: 'AcceptAuthorInvitationPayload',
    });
    expect(await listedAuthors()).toEqual([idOf(owner), idOf(developer), idOf(third)]);
    expect((await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).headers.etag).not.toBe(etag);
    const found = (await app.anonymous.get(`/api/v4/addons/search/?author=${username}`)).json;
    expect(found).toMatchObject({ count: 1, results: [{ id: made.id }] });
    expect(await lastActivity()).toEqual({
      action: 'author-added',
      by: idOf(third),
      details: { accountId: idOf(third), role: 'owner', listed: true, invitedBy: idOf(owner) },
    });
    expect(await mutate(third, 'updateAddon', { id: made.id, license: 1 })).toMatchObject({
      __typename: 'UpdateAddonPayload',
    });
  });

  it('show no picture that is removed while the author is added', async () => {
    await app.sql('UPDATE account SET picture_sha256 = $1 WHERE id = $2', ['ab'.repeat(32), idOf(third)]);
    const holder = new pg.Client({ connectionString: app.config.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM addon_document WHERE addon_id = $1 FOR UPDATE', [made.id]);
    const invitation = await invite(owner, third, made.id);
    const added = mutate(third, 'acceptAuthorInvitation', { id: invitation });
    await untilSessionsWait(app, '%INSERT INTO addon_document%');
    const removed = mutate(third, 'setAccountPicture', { id: idOf(third) });
    await Promise.race([removed, untilSessionsWait(app, '%UPDATE account%')]);
    await holder.query('COMMIT');
    await holder.end();
    expect([await added, await removed]).toMatchObject([
      { __typename: 'AcceptAuthorInvitationPayload' },
      { __typename: 'SetAccountPicturePayload' },
    ]);
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`);
    const pictures = (json as { authors: { picture_url: string | null }[] }).authors.map(
      (author) => author.picture_url,
    );
    expect(pictures.join(' ')).not.toContain('/media/accounts/');
    await app.sql('UPDATE account SET picture_sha256 = NULL WHERE id = $1', [idOf(third)]);
  });

  it('include unlisted authors for the authors and administrators only', async () => {
    await join(owner, third, made.id, { isListed: false });
    expect(await listedAuthors()).toEqual([idOf(owner), idOf(developer)]);
    const allAuthors = [
      { databaseId: idOf(owner), role: 'OWNER', isListed: true, position: 0 },
      { databaseId: idOf(developer), role: 'DEVELOPER', isListed: true, position: 1 },
      { databaseId: idOf(third), role: 'DEVELOPER', isListed: false, position: 2 },
    ];
    for (const client of [owner, developer, third, await app.admin()]) expect(await all(client)).toEqual(allAuthors);
    for (const client of [app.anonymous, await app.developer(), await app.reviewer()])
      expect(await all(client)).toBeNull();
  });

  it('have a role, a visibility and a position that owners change', async () => {
    const change = (changes: object) =>
      mutate(owner, 'updateAddonAuthor', { id: made.id, account: idOf(developer), ...changes });
    expect(await change({ role: 'OWNER', position: 0 })).toEqual({ __typename: 'UpdateAddonAuthorPayload' });
    expect(await listedAuthors()).toEqual([idOf(developer), idOf(owner)]);
    await change({ isListed: false });
    expect(await listedAuthors()).toEqual([idOf(owner)]);
    expect(await lastActivity()).toMatchObject({
      action: 'author-changed',
      details: { accountId: idOf(developer), listed: false },
    });
    expect(await all()).toMatchObject([{ role: 'OWNER', isListed: false }, { role: 'OWNER' }]);
  });

  it('can be reordered by a list of all of them', async () => {
    const accounts = [idOf(developer), idOf(owner)];
    expect(await mutate(owner, 'reorderAddonAuthors', { id: made.id, accounts })).toEqual({
      __typename: 'ReorderAddonAuthorsPayload',
    });
    expect(await listedAuthors()).toEqual(accounts);
    expect(await lastActivity()).toMatchObject({ action: 'authors-reordered', details: { accountIds: accounts } });
    for (const wrong of [[idOf(owner)], [idOf(owner), idOf(owner)], [idOf(owner), idOf(third)], []]) {
      const refused = await mutate(owner, 'reorderAddonAuthors', { id: made.id, accounts: wrong });
      expect(refused).toMatchObject({ message: 'Name every author of the add-on, each once.', path: ['accounts'] });
    }
  });

  it('can remove themselves or be removed by an owner', async () => {
    const remove = (client: Client, account: number) => mutate(client, 'removeAddonAuthor', { id: made.id, account });
    expect(await remove(developer, idOf(developer))).toEqual({ __typename: 'RemoveAddonAuthorPayload' });
    expect(await listedAuthors()).toEqual([idOf(owner)]);
    expect(await lastActivity()).toMatchObject({ action: 'author-removed', by: idOf(developer) });
    await join(owner, third, made.id);
    expect(await remove(owner, idOf(third))).toEqual({ __typename: 'RemoveAddonAuthorPayload' });
  });

  it('can remove themselves from an add-on that they can no longer see afterwards', async () => {
    made = await addon({ status: 'incomplete', authors: [idOf(owner), { id: idOf(third), role: 'developer' }] });
    const text = `mutation($input: RemoveAddonAuthorInput!) { removeAddonAuthor(input: $input) {
      ... on RemoveAddonAuthorPayload { removedId addonId } } }`;
    const input = { id: made.id, account: idOf(third) };
    const removedId = Buffer.from(`AddonAuthor:${made.id}:${idOf(third)}`).toString('base64');
    expect(await third.graphql(text, { input: withGlobalIds(text, input) })).toEqual({
      removeAddonAuthor: { removedId, addonId: Buffer.from(`Addon:${made.id}`).toString('base64') },
    });
  });
});

describe('changes of authors', () => {
  it.each([
    ['inviteAddonAuthor', { account: { id: 'developer' } }, 'An author can only be present once.'],
    ['inviteAddonAuthor', { account: { id: 999_999 } }, 'There is no such account.'],
    ['inviteAddonAuthor', { account: { username: 'unknown\0' } }, 'There is no such account.'],
    ['inviteAddonAuthor', { account: { username: 'no such user' } }, 'There is no such account.'],
    ['inviteAddonAuthor', { account: { id: 'nonsense' } }, 'Expected a global id of type "Account", got "nonsense".'],
    ['updateAddonAuthor', { account: 'owner', role: 'DEVELOPER' }, 'Must have at least one owner.'],
    ['updateAddonAuthor', { account: 'third', isListed: true }, 'This account is not an author of the add-on.'],
    ['removeAddonAuthor', { account: 'owner' }, 'Must have at least one owner.'],
    ['removeAddonAuthor', { account: 'third' }, 'This account is not an author of the add-on.'],
  ])('are refused: %s of %j', async (name, { account, ...input }: Record<string, unknown>, message) => {
    const clients: Record<string, Client> = { owner, developer, third };
    const idIn = (value: unknown) => clients[String(value)]?.accountId ?? value;
    const { id } = account as { id?: unknown };
    const ref = typeof account === 'string' ? idIn(account) : id === undefined ? account : { id: idIn(id) };
    expect(await mutate(owner, name, { id: made.id, ...input, account: ref })).toEqual({
      __typename: 'InvalidInputError',
      code: 'BAD_USER_INPUT',
      message,
      path: ['account'],
    });
  });

  it.each([{}, { id: 1, username: 'both' }])('are refused for the account reference %j', async (account) => {
    const { errors } = await owner.graphqlResult(
      'mutation($input: InviteAddonAuthorInput!) { inviteAddonAuthor(input: $input) { __typename } }',
      { input: { id: made.id, account } },
    );
    expect(errors?.[0]?.message).toContain('AccountRefInput');
  });

  it('make no author visible but the one who asks for it', async () => {
    const show = (client: Client) =>
      mutate(client, 'updateAddonAuthor', { id: made.id, account: idOf(developer), isListed: true });
    await mutate(owner, 'updateAddonAuthor', { id: made.id, account: idOf(developer), isListed: false });
    expect(await show(owner)).toMatchObject({
      message: 'Only authors themselves decide that the add-on page shows them.',
      path: ['isListed'],
    });
    expect(await show(developer)).toEqual({ __typename: 'UpdateAddonAuthorPayload' });
    expect(await listedAuthors()).toEqual([idOf(owner), idOf(developer)]);
  });

  it('are refused if no author would be listed', async () => {
    await mutate(owner, 'updateAddonAuthor', { id: made.id, account: idOf(developer), isListed: false });
    const message = 'At least one author must be listed.';
    const hide = { id: made.id, account: idOf(owner), isListed: false };
    expect(await mutate(owner, 'updateAddonAuthor', hide)).toMatchObject({ message });
  });

  it('are refused for a deleted account', async () => {
    const deleted = await app.developer();
    await app.sql('UPDATE account SET deleted_at = now(), email = NULL WHERE id = $1', [idOf(deleted)]);
    const input = { id: made.id, account: { id: idOf(deleted) } };
    expect(await mutate(owner, 'inviteAddonAuthor', input)).toMatchObject({ message: 'There is no such account.' });
  });

  it('are refused for viewers other than owners, administrators included', async () => {
    const inputs: [string, object][] = [
      ['inviteAddonAuthor', { account: { id: idOf(third) } }],
      ['updateAddonAuthor', { account: idOf(developer), role: 'OWNER' }],
      ['removeAddonAuthor', { account: idOf(owner) }],
      ['reorderAddonAuthors', { accounts: [idOf(owner), idOf(developer)] }],
    ];
    const others = [developer, third, await app.reviewer(), await app.memberWith('Users:Edit'), await app.admin()];
    for (const [name, input] of inputs) {
      for (const client of others) {
        expect(await mutate(client, name, { id: made.id, ...input })).toMatchObject({ code: 'NOT_PERMITTED' });
      }
      expect(await mutationError(app.anonymous, name, { id: made.id, ...input })).toBe('NOT_AUTHENTICATED');
      expect(await mutate(owner, name, { ...input, id: 999_999 })).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await mutate(third, 'inviteAddonAuthor', { id: made.id, account: { username: 'unknown' } })).toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(await all()).toHaveLength(2);
  });
});

describe('concurrent changes of authors', () => {
  it('are all kept', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => app.developer()));
    const results = await Promise.all(others.map((each) => join(owner, each, made.id)));
    expect(results.every(({ __typename }) => __typename === 'AcceptAuthorInvitationPayload')).toBe(true);
    expect((await listedAuthors()).sort()).toEqual([owner, developer, ...others].map(idOf).sort());
  });

  it('keep at least one owner', async () => {
    await mutate(owner, 'updateAddonAuthor', { id: made.id, account: idOf(developer), role: 'OWNER' });
    const leave = (client: Client) => mutate(client, 'removeAddonAuthor', { id: made.id, account: idOf(client) });
    const results = await Promise.all([leave(owner), leave(developer)]);
    expect(results.map(({ message }) => message ?? 'removed').sort()).toEqual([
      'Must have at least one owner.',
      'removed',
    ]);
  });
});
