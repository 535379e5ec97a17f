import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { whileThrottled } from '../../support/outage.ts';

const PATH = '/api/v4/accounts/session/';
const CLEARED = [
  'frontend_auth_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  'addons_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
];
const GONE = { status: 401, json: { detail: 'Incorrect authentication credentials.' } };

const app = setUpApp();
let dev: Client;
let admin: Client;
let sessions: typeof import('../../../src/domain/sessions/open-session.ts');
let pages: typeof import('../../../src/auth/page-session.ts');
let ending: typeof import('../../../src/domain/sessions/end-sessions.ts');
let db: typeof import('../../../src/infra/db.ts').db;

beforeAll(async () => {
  [dev, admin] = [await app.developer(), await app.memberWith('Users:Edit')];
  sessions = await import('../../../src/domain/sessions/open-session.ts');
  pages = await import('../../../src/auth/page-session.ts');
  ending = await import('../../../src/domain/sessions/end-sessions.ts');
  ({ db } = await import('../../../src/infra/db.ts'));
});

/** A client with a new session of the account of `owner`. */
async function signIn(owner = dev) {
  const opened = await db.$transaction((tx) => sessions.openSession(tx, owner.accountId ?? 0, { label: 'Test' }));
  return { ...opened, client: app.client({ token: opened.token }) };
}

const isOpen = async ({ client, pageSession }: Awaited<ReturnType<typeof signIn>>) => {
  const viewer = await client.graphqlResult('{ viewer { databaseId } }');
  return [viewer.errors === undefined, (await pages.viewerOfPage(pageSession)).kind === 'account'];
};

describe('DELETE accounts/session/', () => {
  it.each(['v3', 'v4', 'v4dev'])('ends the session of the token and no other, in %s', async (version) => {
    const [session, other] = [await signIn(), await signIn()];
    expect(await isOpen(session)).toEqual([true, true]);
    const path = `/api/${version}/accounts/session/`;
    const reply = await session.client.request('DELETE', path);
    expect([reply.status, reply.text, reply.headers['set-cookie']]).toEqual([200, '{"ok":true}', CLEARED]);
    expectRefusal(await session.client.request('DELETE', path), GONE);
    expect(await isOpen(session)).toEqual([false, false]);
    expect(await isOpen(other)).toEqual([true, true]);
  });

  it('ends nothing with a one-time token', async () => {
    const other = await signIn();
    const reply = await dev.request('DELETE', PATH);
    expect([reply.status, reply.json, reply.headers['set-cookie']]).toEqual([200, { ok: true }, CLEARED]);
    expect((await dev.request('DELETE', PATH)).status).toBe(200);
    expect(await isOpen(other)).toEqual([true, true]);
  });

  it('is refused without an Authorization header, whatever the cookies are', async () => {
    const session = await signIn();
    const Cookie = `frontend_auth_token=${session.token}; addons_session=${session.pageSession}`;
    const detail = 'Authentication credentials were not provided.';
    for (const headers of [{}, { Cookie }] as Record<string, string>[]) {
      const reply = await app.anonymous.request('DELETE', PATH, { headers });
      expectRefusal(reply, { status: 401, json: { detail } });
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    const { json } = await app.anonymous.request('POST', '/graphql', {
      headers: { Cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { databaseId } }' }),
    });
    expect(json).toEqual({ data: { viewer: null } });
    expect(await isOpen(session)).toEqual([true, true]);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH'])('refuses %s', async (method) => {
    expect((await app.anonymous.request(method, PATH)).status).toBe(405);
  });

  it('is refused in read-only mode, and to addresses with many failed authentications', async () => {
    app.config.READ_ONLY = true;
    expect((await dev.request('DELETE', PATH)).status).toBe(503);
    app.config.READ_ONLY = false;
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v4/addons/addon/none/', async () => {
      expect((await guesser.request('DELETE', PATH)).status).toBe(429);
    });
  });
});

describe('a page session', () => {
  it('ends with idleness, with its age, with the account and with its token', async () => {
    const changes = [
      "UPDATE page_session SET last_used = now() - interval '7 days 1 second' WHERE access_token_id = $1",
      "UPDATE page_session SET expires = now() - interval '1 second' WHERE access_token_id = $1",
      'UPDATE access_token SET revoked_at = now() WHERE id = $1',
      'UPDATE account SET disabled_at = now() WHERE id = (SELECT account_id FROM access_token WHERE id = $1)',
    ];
    for (const change of changes) {
      const session = await signIn(await app.developer());
      expect((await pages.viewerOfPage(session.pageSession)).kind).toBe('account');
      await app.sql(change, [session.tokenId]);
      expect((await pages.viewerOfPage(session.pageSession)).kind).toBe('anonymous');
    }
    expect(await pages.purgeSignIns()).toBe(2);
  });

  it('is prolonged by its use', async () => {
    const { pageSession, tokenId } = await signIn();
    await app.sql("UPDATE page_session SET last_used = now() - interval '6 days' WHERE access_token_id = $1", [
      tokenId,
    ]);
    await pages.viewerOfPage(pageSession);
    const [row] = await app.sql<{ idle: boolean }>(
      "SELECT last_used < now() - interval '1 minute' AS idle FROM page_session WHERE access_token_id = $1",
      [tokenId],
    );
    expect(row).toEqual({ idle: false });
  });

  it('has a value that no table contains', async () => {
    const { pageSession, token } = await signIn();
    const rows = await app.sql('SELECT p::text AS page, t::text AS token FROM page_session p, access_token t');
    expect(JSON.stringify(rows)).not.toContain(pageSession);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const value of ['', 'x', `${pageSession}=`, token, pageSession.toLowerCase(), null]) {
      expect((await pages.viewerOfPage(value)).kind).toBe('anonymous');
    }
  });
});

interface ListedSession {
  id: string;
  databaseId: number;
  label: string;
  lastUsed: string | null;
  isCurrent: boolean;
}

const LIST = '{ viewer { private { sessions { id databaseId label created expires lastUsed isCurrent } } } }';
const END = `mutation ($id: ID!) { endSession(input: { id: $id }) { __typename
  ... on EndSessionPayload { session { databaseId } } ... on UserError { code } } }`;

const listed = async (client: Client) =>
  (await client.graphql<{ viewer: { private: { sessions: ListedSession[] } } }>(LIST)).viewer.private.sessions;

describe('GraphQL', () => {
  it('lists valid sessions, the newest first, and marks the current one', async () => {
    const owner = await app.developer();
    const [first, ended, last] = [await signIn(owner), await signIn(owner), await signIn(owner)];
    await ended.client.request('DELETE', PATH);
    const found = await listed(first.client);
    expect(found.map(({ databaseId, label, isCurrent }) => [databaseId, label, isCurrent])).toEqual([
      [last.tokenId, 'Test', false],
      [first.tokenId, 'Test', true],
    ]);
    expect((await listed(owner)).map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
  });

  it('ends one session after another, for its account', async () => {
    const owner = await app.developer();
    const [mine, other] = [await signIn(owner), await signIn(owner)];
    const id = (await listed(mine.client)).find(({ databaseId }) => databaseId === other.tokenId)?.id;
    const node = 'query ($id: ID!) { node(id: $id) { ... on Session { databaseId } } }';
    expect(await mine.client.graphql(node, { id })).toEqual({ node: { databaseId: other.tokenId } });
    const stranger = await app.developer();
    expect((await stranger.graphqlResult(node, { id })).data).toEqual({ node: null });
    const refused = { endSession: { __typename: 'NotFoundError', code: 'NOT_FOUND' } };
    expect(await stranger.graphql(END, { id })).toEqual(refused);
    expect(await isOpen(other)).toEqual([true, true]);
    const payload = { endSession: { __typename: 'EndSessionPayload', session: { databaseId: other.tokenId } } };
    for (let time = 0; time < 2; time++) expect(await mine.client.graphql(END, { id })).toEqual(payload);
    expect(await isOpen(other)).toEqual([false, false]);
    expect((await app.anonymous.graphqlResult(END, { id })).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_AUTHENTICATED',
    });
  });

  it('lets holders of Users:Edit end sessions of others, which the audit log names', async () => {
    const session = await signIn();
    const [{ id } = { id: '' }] = await listed(session.client);
    await admin.graphql(END, { id });
    expect(await isOpen(session)).toEqual([false, false]);
    const [row] = await app.sql('SELECT actor, action, details FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({
      actor: expect.stringContaining(`account ${admin.accountId}`),
      action: 'session-ended',
      details: { tokenId: session.tokenId, accountId: dev.accountId },
    });
  });

  it('signs out', async () => {
    const session = await signIn();
    const signOut = 'mutation { signOut { ... on SignOutPayload { endedCount } } }';
    expect(await session.client.graphql(signOut)).toEqual({ signOut: { endedCount: 1 } });
    expect(await isOpen(session)).toEqual([false, false]);
    expect(await dev.graphql(signOut)).toEqual({ signOut: { endedCount: 0 } });
    expect((await app.anonymous.graphqlResult(signOut)).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_AUTHENTICATED',
    });
  });
});

describe('the commands', () => {
  it('list and end all sessions of a user', async () => {
    const owner = await app.developer();
    const open = [await signIn(owner), await signIn(owner)];
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [owner.accountId]);
    const username = row?.username ?? '';
    expect((await ending.sessionsOf(username)).map(({ id }) => id)).toEqual(
      open.map(({ tokenId }) => tokenId).reverse(),
    );
    expect(await ending.endSessionsOf(username)).toBe(2);
    for (const session of open) expect(await isOpen(session)).toEqual([false, false]);
    expect(await ending.sessionsOf(username)).toEqual([]);
    expect(await ending.endSessionsOf(username)).toBe(0);
    await expect(ending.endSessionsOf('no-such-user')).rejects.toThrow('There is no user named "no-such-user".');
    const audit = await app.sql('SELECT actor, action FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(audit).toEqual([{ actor: 'command line', action: 'sessions-ended' }]);
  });
});

describe('endOtherSessions', () => {
  const END_OTHERS = 'mutation { endOtherSessions { ... on EndOtherSessionsPayload { endedCount } } }';

  it('ends all sessions of the account but that of the request', async () => {
    const owner = await app.developer();
    const [own, other, third] = [await signIn(owner), await signIn(owner), await signIn(owner)];
    const elsewhere = await signIn();
    expect(await own.client.graphql(END_OTHERS)).toEqual({ endOtherSessions: { endedCount: 2 } });
    expect(await Promise.all([own, other, third, elsewhere].map(isOpen))).toEqual([
      ...[true, false, false, true].map((open) => [open, open]),
    ]);
    expect(await own.client.graphql(END_OTHERS)).toEqual({ endOtherSessions: { endedCount: 0 } });
    expect(await owner.graphql(END_OTHERS)).toEqual({ endOtherSessions: { endedCount: 1 } });
    expect(await isOpen(own)).toEqual([false, false]);
  });
});

describe('a page session', () => {
  it('has the time of its sign-in', async () => {
    const { pageSession } = await signIn();
    const viewer = await pages.viewerOfPage(pageSession);
    const signedInAt = viewer.kind === 'account' && viewer.via.scheme === 'page' ? viewer.via.signedInAt : null;
    expect(Math.abs(Date.now() - (signedInAt?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('ends when the groups of its account change, and its access token does not', async () => {
    const [owner, root] = [await app.developer(), await app.admin()];
    const bystander = await signIn();
    const run = (name: string, type: string, input: object) =>
      root.graphql<Record<string, { group: { id: string } }>>(
        `mutation($input: ${type}!) { ${name}(input: $input) { ... on ${name[0]?.toUpperCase()}${name.slice(1)}Payload { group { id } } } }`,
        { input },
      );
    const { createGroup } = await run('createGroup', 'CreateGroupInput', { name: 'Sessions', rules: ['Texts:Edit'] });
    const group = createGroup?.group.id ?? '';
    const membership = { group, account: btoa(`Account:${owner.accountId}`) };
    const { grantRule: grant } = await import('../../../src/domain/accounts/administration.ts');
    const { revokeMembership } = await import('../../../src/domain/groups/change-groups.ts');
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [owner.accountId]);
    const username = row?.username ?? '';
    const join = () => run('addGroupMember', 'AddGroupMemberInput', membership);
    const steps: (() => Promise<unknown>)[] = [
      join,
      () => run('updateGroup', 'UpdateGroupInput', { id: group, rules: ['Texts:*'] }),
      () => run('removeGroupMember', 'RemoveGroupMemberInput', membership),
      () => grant({ group: 'Sessions', rule: 'Texts:*', username }),
      () => revokeMembership('Sessions', username),
    ];
    for (const step of steps) {
      const session = await signIn(owner);
      await step();
      expect(await isOpen(session)).toEqual([true, false]);
    }
    await join();
    const session = await signIn(owner);
    await join();
    await run('updateGroup', 'UpdateGroupInput', { id: group, name: 'Renamed' });
    expect([await isOpen(session), await isOpen(bystander)]).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});
