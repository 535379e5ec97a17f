import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountPath, accountRequests } from '../support/account-requests.ts';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { untilSessionsWait } from '../support/locks.ts';
import { mutate } from '../support/mutate.ts';
import { png } from '../support/pictures.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let administrator: Client;

beforeAll(async () => {
  [stranger, administrator] = [await app.developer(), await app.memberWith('Users:Edit')];
});
beforeEach(async () => {
  owner = await app.developer();
});

const { patch, patchForm, read } = accountRequests(() => owner);
/** The account's row, without what its own requests change. */
async function row(): Promise<Record<string, unknown>> {
  const [found] = await app.sql('SELECT * FROM account WHERE id = $1', [owner.accountId]);
  const { last_login: _login, last_login_ip: _ip, ...columns } = found as Record<string, unknown>;
  return columns;
}
const fieldsOf = (reply: Reply) => reply.json as Record<string, string[]>;

const CHANGES = {
  biography: 'Writes <b>add-ons</b>.\nAnd more.',
  display_name: 'Example',
  homepage: 'https://developer.example/?a=b',
  location: 'Lisbon',
  occupation: 'Programmer',
  username: 'example_d',
};

describe.each(['v3', 'v4', 'v4dev'])('PATCH /api/%s/accounts/account/{account}/', (version) => {
  const path = () => accountPath(owner, version);

  it('changes every documented field and returns the whole account', async () => {
    const username = `example-${version}`;
    const reply = await patch(owner, { ...CHANGES, username }, `${path()}?wrap_outgoing_links=true&lang=de`);
    expect([reply.status, reply.json]).toMatchObject([200, { ...CHANGES, username, name: 'Example', deleted: false }]);
    const own = await owner.get(path());
    expect(Object.keys(own.json as object)).toEqual(Object.keys(reply.json as object));
    expect(own.json).toMatchObject({ ...CHANGES, username });
    expect('idp_edit_email_url' in (reply.json as object)).toBe(version !== 'v3');
  });

  it('changes nothing for an empty body, and only the given fields otherwise', async () => {
    await patch(owner, { location: 'Here', occupation: 'Baker' }, path());
    const before = await row();
    for (const body of ['', '{}']) {
      const headers = { 'Content-Type': 'application/json' };
      expect((await owner.request('PATCH', path(), { headers, body })).status).toBe(200);
    }
    expect((await owner.request('PATCH', path())).status).toBe(200);
    expect(await row()).toEqual(before);
    expect((await patch(owner, { occupation: null }, path())).json).toMatchObject({
      location: 'Here',
      occupation: null,
    });
  });

  it('accepts multipart and URL-encoded forms, where an empty text is none', async () => {
    await patch(owner, { location: 'Here' }, path());
    const form = await patchForm(owner, { display_name: ' Form ', location: '' }, path());
    expect([form.status, form.json]).toMatchObject([200, { display_name: 'Form', location: null }]);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const encoded = await owner.request('PATCH', path(), { headers, body: 'display_name=A+%26+B&username=' });
    expect([encoded.status, encoded.json]).toMatchObject([200, { display_name: 'A & B' }]);
    expect((encoded.json as { username: string }).username).toMatch(/^anonymous-[0-9a-f]{32}$/);
  });

  it('refuses clients before it reads the body', async () => {
    const anonymous = { status: 401, json: { detail: 'Authentication credentials were not provided.' } };
    const forbidden = { status: 403, json: { detail: 'You do not have permission to perform this action.' } };
    const refs = [owner.accountId, 2_000_000_000, 'unknown', '2147483648'].map(
      (ref) => `/api/${version}/accounts/account/${ref}/`,
    );
    for (const address of refs) {
      expectRefusal(await patch(app.anonymous, [], address), anonymous);
      expectRefusal(await patch(stranger, [], address), forbidden);
    }
    for (const address of refs.slice(1)) {
      expectRefusal(await patch(administrator, {}, address), { status: 404, json: { detail: 'Not found.' } });
    }
    expect((await patch(administrator, { location: 'Elsewhere' }, path())).json).toMatchObject({
      location: 'Elsewhere',
      email: expect.any(String),
    });
  });
});

describe('a change of an account', () => {
  it('reports all fields at fault, picture included, and saves nothing', async () => {
    const before = await row();
    const reply = await patchForm(owner, {
      biography: 'www.example.com',
      display_name: 'a\u202eb',
      homepage: 'javascript:alert(1)',
      location: 'Fine',
      occupation: 'x'.repeat(256),
      username: '123',
      picture_upload: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    });
    expect([reply.status, Object.keys(fieldsOf(reply)).sort()]).toEqual([
      400,
      ['biography', 'display_name', 'homepage', 'occupation', 'picture_upload', 'username'],
    ]);
    expect(fieldsOf(reply).biography).toEqual(['No links are allowed.']);
    const withPicture = await patchForm(owner, { username: '1', picture_upload: await png(9, 9) });
    expect(fieldsOf(withPicture)).toEqual({ username: ['Usernames cannot contain only digits.'] });
    expect(await row()).toEqual(before);
    const withoutFault = await patchForm(owner, { location: 'Fine', picture_upload: Buffer.alloc(0) });
    expect([withoutFault.status, Object.keys(fieldsOf(withoutFault))]).toEqual([400, ['picture_upload']]);
    expect(await row()).toEqual(before);
  });

  it('refuses a username that another account has, in any case, and frees the old one', async () => {
    expect((await patch(owner, { username: 'Taken-1' })).status).toBe(200);
    const other = await patch(stranger, { username: 'TAKEN-1' }, accountPath(stranger));
    expect([other.status, other.json]).toEqual([400, { username: ['This username is already in use.'] }]);
    expect((await patch(owner, { username: 'tAKEN-1' })).json).toMatchObject({ username: 'tAKEN-1' });
    expect((await patch(owner, { username: null })).json).toMatchObject({
      has_anonymous_username: true,
      has_anonymous_display_name: true,
      name: expect.stringMatching(/^Add-ons user [0-9a-f]{6}$/),
    });
    expect((await patch(stranger, { username: 'taken-1' }, accountPath(stranger))).status).toBe(200);
  });

  it('gives a username to one of two concurrent changes', async () => {
    const replies = await Promise.all([
      patch(owner, { username: 'contested' }),
      patch(stranger, { username: 'Contested' }, accountPath(stranger)),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = replies.find(({ status }) => status === 400) as Reply;
    expect(refused.json).toEqual({ username: ['This username is already in use.'] });
  });

  it('changes while a transaction that has locked an add-on of the account refers to the account', async () => {
    const { accountId } = owner;
    const { id } = await addon({ authors: [Number(accountId)] });
    const { db } = await import('../../src/infra/db.ts');
    const { change } = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM addon WHERE id = ${id} FOR NO KEY UPDATE`;
      const reply = patch(owner, { username: 'renamed-1' });
      await untilSessionsWait(app, '%FROM addon %');
      await tx.$executeRaw`INSERT INTO activity (action, account_id, addon_id) VALUES ('addon-edited', ${accountId}, ${id})`;
      return { change: reply };
    });
    expect(await change).toMatchObject({ status: 200, json: { username: 'renamed-1' } });
  });

  it('keeps a username that could not be chosen, such as an imported one', async () => {
    await app.sql('UPDATE account SET username = $2 WHERE id = $1', [owner.accountId, 'im.ported']);
    expect((await patch(owner, { username: 'im.ported', location: 'X' })).json).toMatchObject({ location: 'X' });
  });

  it('ignores read-only and unknown names, in every spelling of every column', async () => {
    const before = await row();
    const names = [...Object.keys(before), 'last_login', 'last_login_ip'].filter((name) => !(name in CHANGES));
    const camelCase = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    const values = Object.fromEntries(
      [...names, 'groups', 'permissions', 'rules', 'api_keys', 'deleted', 'constructor', 'toString'].flatMap((name) => [
        [name, 'x'],
        [camelCase(name), 'x'],
      ]),
    );
    for (const body of [values, { ...values, ...Object.fromEntries(names.map((name) => [name, true])) }]) {
      const { displayName: _ignored, ...sent } = body as Record<string, unknown>;
      expect((await patch(owner, sent)).status).toBe(200);
      expect((await patch(administrator, sent)).status).toBe(200);
    }
    const headers = { 'Content-Type': 'application/json' };
    const polluting = await owner.request('PATCH', accountPath(owner), {
      headers,
      body: '{"__proto__":{"location":"x"}}',
    });
    expect([200, 400]).toContain(polluting.status);
    expect(await row()).toEqual(before);
  });

  it.each([1, true, [], {}, ['x'], { code: 'field.not_text', params: {} }])(
    'refuses %j instead of a text in every field, in the order of the body',
    async (value) => {
      const body = { username: value, biography: 'www.example', display_name: value, location: value };
      const { status, text } = await patch(owner, body);
      const notText = ['Not a valid string.'];
      const biography = ['No links are allowed.'];
      expect([status, text]).toEqual([
        400,
        JSON.stringify({ username: notText, biography, display_name: notText, location: notText }),
      ]);
    },
  );

  it.each([
    ['application/json', '[]', 400],
    ['application/json', '"x"', 400],
    ['application/json', 'null', 400],
    ['application/json', '{', 400],
    ['application/json', `{"location":"${'x'.repeat(300_000)}"}`, 400],
    ['application/json', '{"location":"\\ud800"}', 400],
    ['application/json', '{"location":["x"]}', 400],
    ['multipart/form-data; boundary=x', 'nothing', 400],
    ['text/plain', 'location=x', 415],
    ['application/xml', '<x/>', 415],
  ])('refuses a body of type %s: %s', async (type, body, status) => {
    const reply = await owner.request('PATCH', accountPath(owner), { headers: { 'Content-Type': type }, body });
    expect([reply.status, Object.keys(reply.json as object)]).toEqual([
      status,
      [
        status === 415
          ? 'detail'
          : body.startsWith('{"location":') && body.length < 99
            ? 'location'
            : 'non_field_errors',
      ],
    ]);
    expect(await read()).toMatchObject({ location: null });
  });

  it('reaches the documents and searches of the add-ons that name the author', async () => {
    const made = await addon({ authors: [owner.accountId ?? 0], name: { 'en-US': 'Zyxwvut' } });
    await patch(owner, { username: 'old-author', display_name: 'Old' });
    const authorIn = async () => {
      const { json } = await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`);
      const [{ name, username, url } = {}] = (json as { authors: Record<string, string>[] }).authors;
      const hits = async (author: string) =>
        ((await app.anonymous.get(`/api/v4/addons/search/?author=${author}`)).json as { count: number }).count;
      return [name, username, url?.endsWith(`/user/${username}/`), await hits('old-author'), await hits('new-author')];
    };
    expect(await authorIn()).toEqual(['Old', 'old-author', true, 1, 0]);
    await patch(owner, { username: 'new-author', display_name: 'New' });
    expect(await authorIn()).toEqual(['New', 'new-author', true, 0, 1]);
  });

  it('is logged, and audited when another account made it', async () => {
    const logged = async (table: string) =>
      app.sql(`SELECT action, details FROM ${table} WHERE details->>'accountId' = $1 AND action = 'account-edited'`, [
        String(owner.accountId),
      ]);
    await patch(owner, { location: 'A' });
    await patch(owner, { location: 'A' });
    const details = { accountId: owner.accountId, fields: ['location'] };
    expect(await logged('activity')).toEqual([{ action: 'account-edited', details }]);
    expect(await logged('audit_entry')).toEqual([]);
    await patch(administrator, { location: 'B' });
    expect(await logged('audit_entry')).toEqual([{ action: 'account-edited', details }]);
  });

  it('is possible sixty times a minute', async () => {
    app.config.RATE_LIMITS = true;
    const statuses: number[] = [];
    for (let sent = 0; sent < 61; sent++) statuses.push((await patch(owner, {})).status);
    app.config.RATE_LIMITS = false;
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });

  it('follows the same rules in GraphQL', async () => {
    const id = owner.accountId;
    const refused = await owner.graphql<{ updateAccount: { fields: unknown } }>(
      `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { ... on InvalidInputError { fields { name messages } } } }`,
      { input: { id: btoa(`Account:${id}`), displayName: '\u200b', biography: 'x.com', username: '7' } },
    );
    expect(refused.updateAccount.fields).toEqual([
      { name: 'biography', messages: ['No links are allowed.'] },
      { name: 'displayName', messages: ['A display name needs a visible character.'] },
      { name: 'username', messages: ['Usernames cannot contain only digits.'] },
    ]);
    const changed = await owner.graphql(
      `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) {
        ... on UpdateAccountPayload { account { name location private { displayName } } } } }`,
      { input: { id: btoa(`Account:${id}`), displayName: 'Ada', location: '' } },
    );
    const account = { name: 'Ada', location: null, private: { displayName: 'Ada' } };
    expect(changed).toEqual({ updateAccount: { account } });
    expect(await mutate(stranger, 'updateAccount', { id, location: 'X' })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await mutate(stranger, 'updateAccount', { id: 2_000_000_000 })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await mutate(administrator, 'updateAccount', { id: 2_000_000_000 })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
