import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { invite, join } from '../../support/invite.ts';
import { mutate } from '../../support/mutate.ts';

const app = setUpApp({ settings: { SITE_NAME: 'Add-ons' } });
let owner: Client;
let invited: Client;
let made: MadeAddon;

beforeAll(async () => {
  owner = await app.developer();
});
beforeEach(async () => {
  invited = await app.developer();
  made = await addon({ authors: [owner.accountId ?? 0], name: { 'en-US': 'Invited notes' } as never });
  await app.sql('DELETE FROM outgoing_mail');
});

const idOf = ({ accountId }: Client) => accountId ?? 0;
const answer = (client: Client, what: 'accept' | 'decline', id: number) =>
  mutate(client, `${what}AuthorInvitation`, { id });
const usernameOf = async (client: Client) =>
  (await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [idOf(client)]))[0]?.username ??
  '';
const mails = () =>
  app.sql<{ recipient: number; text: string; notification: string }>(
    'SELECT account_id AS recipient, text, notification FROM outgoing_mail ORDER BY outgoing_mail.id',
  );
const NOT_FOUND = { __typename: 'NotFoundError' };
const actions = () =>
  app.sql('SELECT action, account_id AS by FROM activity WHERE addon_id = $1 ORDER BY id', [made.id]);

describe('an invitation', () => {
  it('gives no right before it is accepted, and the rights of its role afterwards', async () => {
    const id = await invite(owner, invited, made.id, { role: 'OWNER' });
    const edit = { id: made.id, license: 1 };
    expect(await mutate(invited, 'updateAddon', edit)).toMatchObject({ code: 'NOT_PERMITTED' });
    const waiting = await addon({ authors: [idOf(owner)], status: 'incomplete' });
    await invite(owner, invited, waiting.id);
    expect((await invited.get(`/api/v4/addons/addon/${waiting.id}/`)).status).toBe(403);
    expect(await answer(invited, 'accept', id)).toEqual({ __typename: 'AcceptAuthorInvitationPayload' });
    expect(await mutate(invited, 'updateAddon', edit)).toMatchObject({ __typename: 'UpdateAddonPayload' });
    expect(await answer(invited, 'accept', id)).toMatchObject(NOT_FOUND);
    expect((await actions()).slice(0, 2)).toEqual([
      { action: 'author-invited', by: idOf(owner) },
      { action: 'author-added', by: idOf(invited) },
    ]);
  });

  it('makes the account public nowhere before it is accepted', async () => {
    const username = await usernameOf(invited);
    await invite(owner, invited, made.id);
    const responses = await Promise.all(
      [
        `/api/v4/addons/addon/${made.id}/`,
        `/api/v4/addons/search/?author=${username}`,
        `/api/v4/accounts/account/${username}/`,
        `/addon/${made.slug}/`,
      ].map((path) => app.anonymous.get(path)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect((await app.anonymous.get(`/user/${username}/`)).status).toBe(404);
    expect(responses.map(({ text }) => text.replaceAll(`author=${username}`, '')).join()).not.toContain(username);
    const documents = await app.sql<{ body: unknown }>('SELECT body FROM addon_document WHERE addon_id = $1', [
      made.id,
    ]);
    expect(JSON.stringify(documents)).not.toContain(username);
    const text =
      'query($ref: Int!) { addon(by: { databaseId: $ref }) { authors { username } allAuthors { username } authorInvitations { id } } }';
    const { addon: shown } = await invited.graphql<{ addon: object }>(text, { ref: made.id });
    expect(shown).toMatchObject({ allAuthors: null, authorInvitations: null });
    expect(JSON.stringify(shown)).not.toContain(username);
  });

  it('can be declined, withdrawn, and not answered once it has expired', async () => {
    const declined = await invite(owner, invited, made.id);
    expect(await answer(invited, 'decline', declined)).toEqual({ __typename: 'DeclineAuthorInvitationPayload' });
    expect(await answer(invited, 'accept', declined)).toMatchObject(NOT_FOUND);
    const withdrawn = await invite(owner, invited, made.id);
    expect(await mutate(owner, 'withdrawAuthorInvitation', { id: withdrawn })).toMatchObject({
      __typename: 'WithdrawAuthorInvitationPayload',
    });
    expect(await answer(invited, 'accept', withdrawn)).toMatchObject(NOT_FOUND);
    const expired = await invite(owner, invited, made.id);
    await app.sql("UPDATE author_invitation SET expires = now() - interval '1 second' WHERE id = $1", [expired]);
    expect(await answer(invited, 'accept', expired)).toMatchObject(NOT_FOUND);
    expect(await mutate(owner, 'resendAuthorInvitation', { id: expired })).toMatchObject({
      __typename: 'ResendAuthorInvitationPayload',
    });
    expect(await answer(invited, 'accept', expired)).toEqual({ __typename: 'AcceptAuthorInvitationPayload' });
  });

  it('lasts 14 days', async () => {
    const id = await invite(owner, invited, made.id);
    const [row] = await app.sql<{ days: number }>(
      'SELECT round(extract(epoch FROM expires - created) / 86400)::int AS days FROM author_invitation WHERE id = $1',
      [id],
    );
    expect(row?.days).toBe(14);
  });

  it('is sent once, and again only on request', async () => {
    await invite(owner, invited, made.id);
    await expect(invite(owner, invited, made.id)).rejects.toThrow('There is an invitation for this account.');
    await join(owner, await app.developer(), made.id);
    await expect(invite(owner, owner, made.id)).rejects.toThrow('An author can only be present once.');
  });

  it('is accepted once by concurrent requests', async () => {
    const id = await invite(owner, invited, made.id);
    const results = await Promise.all([1, 2, 3].map(() => answer(invited, 'accept', id)));
    expect(results.map(({ __typename }) => __typename).sort()).toEqual([
      'AcceptAuthorInvitationPayload',
      'NotFoundError',
      'NotFoundError',
    ]);
  });

  it('ends with the authorship of its sender and with the add-on', async () => {
    const second = await app.developer();
    await join(owner, second, made.id, { role: 'OWNER' });
    const id = await invite(second, invited, made.id);
    await mutate(owner, 'removeAddonAuthor', { id: made.id, account: idOf(second) });
    expect(await answer(invited, 'accept', id)).toMatchObject(NOT_FOUND);
    const other = await invite(owner, invited, made.id);
    await mutate(owner, 'deleteAddon', { id: made.id });
    expect(await answer(invited, 'accept', other)).toMatchObject(NOT_FOUND);
  });

  it('is not sent by staff, who cannot make themselves authors', async () => {
    const staff = [await app.memberWith('Addons:Edit', 'Users:Edit', 'AbuseReports:Edit'), await app.admin()];
    for (const client of staff) {
      const input = { id: made.id, account: { id: idOf(client) }, role: 'OWNER' };
      expect(await mutate(client, 'inviteAddonAuthor', input)).toMatchObject({ code: 'NOT_PERMITTED' });
      const change = { id: made.id, account: idOf(owner), role: 'DEVELOPER' };
      expect(await mutate(client, 'updateAddonAuthor', change)).toMatchObject({ code: 'NOT_PERMITTED' });
    }
    expect(await mails()).toEqual([]);
  });
});

describe('mails about authors', () => {
  it('go to the invited account and the other owners, then to the owners, then to the removed author', async () => {
    const second = await app.developer();
    await join(owner, second, made.id, { role: 'OWNER' });
    await app.sql('DELETE FROM outgoing_mail');
    const names = await Promise.all([owner, second, invited].map(usernameOf));
    const [ownerName = '', , invitedName = ''] = names;
    await join(owner, invited, made.id);
    await mutate(owner, 'removeAddonAuthor', { id: made.id, account: idOf(invited) });
    const found = (await mails()).map(({ recipient, text, notification }) => [
      recipient,
      notification,
      text.split('\n\n')[0],
    ]);
    const kind = 'individual_contact';
    expect(found).toEqual([
      [idOf(invited), kind, expect.stringContaining(`${ownerName} invites you to become an author of the add-on`)],
      [idOf(second), kind, expect.stringContaining(`${ownerName} invited ${invitedName} to become an author`)],
      [idOf(owner), kind, expect.stringContaining(`${invitedName} accepted the invitation`)],
      [idOf(second), kind, expect.stringContaining(`${invitedName} accepted the invitation`)],
      [idOf(second), kind, expect.stringContaining(`${invitedName} is no longer an author`)],
      [idOf(invited), kind, expect.stringContaining('You are no longer an author')],
    ]);
    expect((await mails())[0]?.text).toContain('/account/invitations/');
  });

  it.each([
    ['de', 'lädt Sie ein'],
    ['he', 'התקבלה הזמנה'],
  ])('are written in %s', async (locale, text) => {
    await app.sql('UPDATE account SET locale = $1 WHERE id = $2', [locale, idOf(invited)]);
    await invite(owner, invited, made.id);
    expect((await mails())[0]?.text).toContain(text);
  });
});

describe('the commands author add and author remove', () => {
  const audits = () =>
    app.sql("SELECT actor, action, details FROM audit_entry WHERE details->>'guid' = $1 ORDER BY id", [made.guid]);

  it('change the authors, with audit entries and mails to both sides', async () => {
    const { addAuthorByCommand, removeAuthorByCommand } = await import(
      '../../../src/domain/listing/administer-authors.ts'
    );
    const authorship = { addon: made.guid, username: await usernameOf(invited) };
    await invite(owner, invited, made.id);
    await app.sql('DELETE FROM outgoing_mail');
    await addAuthorByCommand(authorship, { role: 'owner', listed: true });
    expect(await mutate(invited, 'updateAddon', { id: made.id, license: 1 })).toMatchObject({
      __typename: 'UpdateAddonPayload',
    });
    await removeAuthorByCommand({ ...authorship, addon: made.slug });
    const details = { addonId: made.id, guid: made.guid, accountId: idOf(invited) };
    expect(await audits()).toEqual([
      { actor: 'command line', action: 'author-added', details: { ...details, role: 'owner', listed: true } },
      { actor: 'command line', action: 'author-removed', details },
    ]);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([
      idOf(invited),
      idOf(owner),
      idOf(invited),
      idOf(owner),
    ]);
    expect(await app.sql('SELECT id FROM author_invitation WHERE addon_id = $1', [made.id])).toEqual([]);
    await expect(
      addAuthorByCommand({ ...authorship, addon: 'unknown' }, { role: 'owner', listed: true }),
    ).rejects.toThrow('There is no add-on "unknown".');
  });
});

describe('the page of invitations', () => {
  it('names add-on and sender to the invited account only', async () => {
    const { visitorOf, textOf } = await import('../../support/pages.ts');
    const id = await invite(owner, invited, made.id);
    const visitor = await visitorOf(app, invited);
    const page = await visitor.get('/account/invitations/');
    expect([page.status, textOf(page).includes('Invited notes')]).toEqual([200, true]);
    const others = await (await visitorOf(app, owner)).get('/account/invitations/');
    expect(textOf(others)).toContain('There is no invitation that waits for your answer.');
    const authors = await (await visitorOf(app, owner)).get(`/developers/addon/${made.slug}/authors`);
    expect(textOf(authors)).toContain('Invitations without an answer');
    const answers = { id: globalId('AuthorInvitation', id) };
    const declined = await visitor.submit('/account/invitations/', 'decline-invitation', answers);
    expect(declined.headers.location).toBe('/account/invitations/?done=decline-invitation');
    const again = await visitor.submit('/account/invitations/', 'accept-invitation', answers);
    expect(again.status).toBeGreaterThanOrEqual(400);
  });
});
