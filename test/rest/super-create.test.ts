import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { whileThrottled } from '../support/outage.ts';

const PATH = '/api/v4/accounts/super-create/';

const app = setUpApp({
  settings: { SUPER_CREATE: true, DENIED_USERNAMES: ['denied'], MAIL_DOMAIN: 'addons.example.org' },
});
let creator: Client;

beforeAll(async () => {
  creator = await app.memberWith('Accounts:SuperCreate');
});

const send = (body: unknown, { client = creator, path = PATH, type = 'application/json' } = {}): Promise<Reply> =>
  client.request('POST', path, {
    headers: { 'Content-Type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Created {
  username: string;
  display_name: string;
  user_id: number;
  email: string;
  idp_id: string | null;
  groups: [number, string, string][];
  session_cookie: { encoded: string; name: string; value: string };
}

async function create(body: unknown): Promise<Created> {
  const { status, json } = await send(body);
  expect(status).toBe(201);
  return json as Created;
}

const rulesOf = async (token: string) =>
  app.client({ token }).graphql('{ viewer { databaseId username private { permissions displayName } } }');

describe.each(['v3', 'v4', 'v4dev'])('POST /api/%s/accounts/super-create/', (version) => {
  const path = PATH.replace('v4', version);

  it('creates an account and signs it in for a day', async () => {
    const reply = await send({}, { path });
    const made = reply.json as Created;
    expect(reply.status).toBe(201);
    expect(Object.keys(made).join(' ')).toBe('username display_name user_id email idp_id groups session_cookie');
    const hex = made.username.replace('super-created-', '');
    expect(hex).toMatch(/^[0-9a-f]{8}$/);
    expect(made).toMatchObject({
      ...{ display_name: `Super Created ${hex}`, email: `super-created-${hex}@addons.example.org` },
      ...{ idp_id: null, groups: [] },
    });
    const { encoded, name, value } = made.session_cookie;
    expect([name, encoded]).toEqual(['addons_session', `addons_session=${value}`]);
    const { viewerOfPage } = await import('../../src/auth/page-session.ts');
    expect(await viewerOfPage(value)).toMatchObject({ accountId: made.user_id, username: made.username });
    const rest = '; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400';
    const [token = '', ...others] = reply.headers['set-cookie'] ?? [];
    expect(others).toEqual([`${encoded}${rest}`]);
    const [, bearer = ''] = /^frontend_auth_token=(addons_token_[0-9a-f]{72}); /.exec(token) ?? [];
    expect(token.endsWith(rest)).toBe(true);
    expect(await rulesOf(bearer)).toMatchObject({ viewer: { databaseId: made.user_id } });
    const [row] = await app.sql(
      "SELECT expires BETWEEN now() + interval '23 hours' AND now() + interval '1 day' AS day FROM access_token WHERE account_id = $1",
      [made.user_id],
    );
    expect(row).toEqual({ day: true });
  });
});

describe('the values', () => {
  it('are used', async () => {
    const body = { username: 'Tester_1', email: 'tester@example.org', idp_id: 'idp 1' };
    expect(await create({ ...body, group: null, other: 7 })).toMatchObject({ ...body, groups: [] });
    const [row] = await app.sql('SELECT actor, action, details FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({
      actor: expect.stringContaining(`account ${creator.accountId}`),
      action: 'account-super-created',
      details: { username: 'Tester_1', groups: [] },
    });
  });

  it('may be those of a form', async () => {
    const urlencoded = { type: 'application/x-www-form-urlencoded' };
    expect((await send('username=form-1&email=', urlencoded)).json).toMatchObject({ username: 'form-1' });
    expect((await creator.post(PATH, { username: 'form-2', group: 'admin' })).json).toMatchObject({
      username: 'form-2',
    });
  });

  it('name a group, which is created once and found by its rules', async () => {
    const [one, two] = [await create({ group: 'reviewer' }), await create({ group: 'reviewer' })];
    expect(one.groups).toEqual([[expect.any(Number), 'Test reviewers', 'Addons:Review']]);
    expect(two.groups).toEqual(one.groups);
    const { grantRule: grant } = await import('../../src/domain/accounts/administration.ts');
    await grant({ group: 'Everything', rule: '*:*', username: one.username });
    await app.sql("DELETE FROM permission_group WHERE name = 'Test administrators'");
    expect((await create({ group: 'admin' })).groups).toMatchObject([[expect.any(Number), 'Everything', '*:*']]);
    await app.sql("DELETE FROM permission_group WHERE name = 'Everything'");
    await grant({ group: 'Test administrators', rule: 'Addons:Edit', username: one.username });
    expect((await create({ group: 'admin' })).groups).toMatchObject([
      [expect.any(Number), expect.stringMatching(/^Test administrators [0-9a-f]{8}$/), '*:*'],
    ]);
  });

  it('are refused together', async () => {
    expectRefusal(await send({ username: '12', email: 'nobody', idp_id: 5, group: 'x' }), {
      status: 422,
      json: {
        email: ['Enter a valid email address.'],
        username: ['Usernames cannot contain only digits.'],
        idp_id: ['Not a valid string.'],
        group: ['"x" is not a valid choice.'],
      },
    });
  });

  it('have a free address by default', async () => {
    const { email } = await create({ username: 'first', email: 'second@addons.example.org' });
    expect(email).toBe('second@addons.example.org');
    expect((await create({ username: 'Second' })).email).toMatch(/^super-created-[0-9a-f]{8}@addons\.example\.org$/);
    expectRefusal(await send({ username: 'second' }), {
      status: 422,
      json: { username: ['Someone with this username already exists in the system'] },
    });
    expect((await create({ username: 'third' })).email).toBe('third@addons.example.org');
    expectRefusal(await send({ username: 'third' }), {
      status: 422,
      json: { username: ['Someone with this username already exists in the system'] },
    });
  });

  it('are refused when taken, in any case', async () => {
    await create({ username: 'taken', email: 'taken@example.org', idp_id: 'taken' });
    expectRefusal(await send({ username: 'TAKEN', email: 'Taken@example.org', idp_id: 'taken' }), {
      status: 422,
      json: {
        email: ['Someone with this email already exists in the system'],
        username: ['Someone with this username already exists in the system'],
        idp_id: ['Someone with this idp_id already exists in the system'],
      },
    });
  });

  it.each([
    ['{', 'application/json'],
    ['[]', 'application/json'],
    ['{"__proto__": {"group": "admin"}}', 'application/json'],
  ])('are no JSON object: %s', async (body, type) => {
    expect(await send(body, { type })).toMatchObject({ status: 422, json: { non_field_errors: [expect.any(String)] } });
  });

  it.each([
    { username: 'a b' },
    { username: 'Denied' },
    { username: `anonymous-${'0'.repeat(32)}` },
    { username: 'a\0' },
    { username: 'x'.repeat(256) },
    { username: { a: 1 } },
    { email: `${'x'.repeat(250)}@example.org` },
    { email: 'a@b\r\nBcc: c@d' },
    { idp_id: 'x'.repeat(256) },
    { idp_id: 'a\0' },
    { idp_id: '\ud800' },
    { group: 'constructor' },
    { group: ['admin'] },
  ])('are refused: %j', async (body) => {
    expect(await send(body)).toMatchObject({
      status: 422,
      json: { [Object.keys(body)[0] ?? '']: [expect.any(String)] },
    });
  });

  it('may have any other media type only to be refused', async () => {
    expect((await send('<a/>', { type: 'application/xml' })).status).toBe(415);
  });

  it('leave one account when they send the same name', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => send({ username: 'race', group: 'reviewer' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });
});

describe('the caller', () => {
  it('needs Accounts:SuperCreate', async () => {
    const detail = 'Authentication credentials were not provided.';
    expectRefusal(await send('{', { client: app.anonymous }), { status: 401, json: { detail } });
    for (const client of [await app.developer(), await app.memberWith('Users:Edit', 'Addons:*')]) {
      const permission = 'You do not have permission to perform this action.';
      expectRefusal(await send('{', { client }), { status: 403, json: { detail: permission } });
    }
    expect((await send({}, { client: await app.admin() })).status).toBe(201);
  });

  it('gets 405 for other methods, before authentication', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await app.anonymous.request(method, PATH);
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('gets 404 for every method but OPTIONS while it is off', async () => {
    app.config.SUPER_CREATE = false;
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const client of [app.anonymous, creator]) {
        expect((await client.request(method, PATH)).status).toBe(method === 'OPTIONS' ? 204 : 404);
      }
    }
    expectRefusal(await send({}), { status: 404, json: { detail: 'Not found.' } });
    app.config.SUPER_CREATE = true;
  });

  it('gets 503 in read-only mode before anything else, and 429 after many failed authentications', async () => {
    Object.assign(app.config, { SUPER_CREATE: false, READ_ONLY: true });
    expect((await send({}, { client: app.anonymous })).status).toBe(503);
    Object.assign(app.config, { SUPER_CREATE: true, READ_ONLY: false });
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v4/addons/addon/none/', async () => {
      expect((await send({}, { client: guesser })).status).toBe(429);
    });
  });
});
