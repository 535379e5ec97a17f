import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, encodeForm, type Reply } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';

const app = setUpApp();
let reporter: Client;
let moderator: Client;
let shown: MadeAddon;
let hidden: MadeAddon;
let deleted: MadeAddon;

beforeAll(async () => {
  reporter = await app.developer();
  moderator = await app.memberWith('AbuseReports:Edit');
  shown = await addon({ authors: [moderator.accountId ?? 0] });
  hidden = await addon({ status: 'disabled' });
  deleted = await addon({ status: 'deleted', deletedAt: new Date() });
});

const ADDON = '/api/v4/abuse/report/addon/';
const USER = '/api/v4/abuse/report/user/';

function send(client: Client, path: string, body: unknown, type = 'application/json'): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return client.request('POST', path, { headers: { 'Content-Type': type }, body: text });
}

const personOf = async (client: Client, isShown: boolean) => {
  const [row] = await app.sql<{ username: string }>('select username from account where id = $1', [client.accountId]);
  const username = row?.username ?? '';
  const url = isShown ? `${app.config.BASE_URL}/user/${username}/` : null;
  return { id: client.accountId, name: username, url, username };
};

/** The keys of a reporter have an order of their own. */
const inReporterOrder = ({ id, name, username, url }: Awaited<ReturnType<typeof personOf>>) => ({
  id,
  name,
  username,
  url,
});

const newest = async () => (await app.sql('select * from abuse_report order by id desc limit 1'))[0];

describe.each(['v3', 'v4', 'v4dev'])('POST /api/%s/abuse/report/addon/', (version) => {
  const path = `/api/${version}/abuse/report/addon/`;

  it('stores an anonymous report about an add-on named by id, slug or guid', async () => {
    for (const ref of [shown.id, String(shown.id), shown.slug.toUpperCase(), ` ${shown.guid} `]) {
      const reply = await send(app.anonymous, path, { addon: ref, message: ' bad\n<b>thing</b> ' });
      expect([reply.status, reply.text]).toEqual([
        201,
        JSON.stringify({
          reporter: null,
          addon: { guid: shown.guid, id: shown.id, slug: shown.slug },
          message: 'bad\n<b>thing</b>',
        }),
      ]);
    }
    expect(await newest()).toMatchObject({ addon_id: shown.id, reporter_id: null, ip_address: '127.0.0.1' });
  });

  it('names the reporter, who signs in with any credentials', async () => {
    const reply = await send(reporter, path, { addon: shown.slug, message: 'bad' });
    expect(reply.json).toMatchObject({ reporter: await personOf(reporter, true) });
    expect(Object.keys((reply.json as { reporter: object }).reporter)).toEqual(['id', 'name', 'username', 'url']);
  });
});

describe('the target of a report about an add-on', () => {
  const report = (ref: unknown) => send(app.anonymous, ADDON, { addon: ref, message: 'bad' });

  it('may be hidden from the reporter', async () => {
    const reply = await report(hidden.slug);
    expect(reply.json).toMatchObject({ addon: { guid: hidden.guid, id: hidden.id, slug: hidden.slug } });
  });

  it('may be deleted or unknown when it is named by its guid', async () => {
    for (const guid of [
      deleted.guid,
      deleted.guid.toUpperCase(),
      'unknown@example',
      'UNKNOWN@example',
      '{12345678-1234-1234-1234-123456789ABC}',
    ]) {
      const reply = await report(guid);
      expect([reply.status, reply.json]).toMatchObject([201, { addon: { guid, id: null, slug: null } }]);
    }
  });

  it.each([
    'the id',
    'the slug',
    '99999999999',
    '0',
    1.5,
    1e300,
    'constructor',
    '__proto__',
    'a\0b',
    '\ud800',
    '%2F',
    'x'.repeat(9999),
  ])('is not found: %j', async (ref) => {
    const reply = await report(ref === 'the id' ? deleted.id : ref === 'the slug' ? deleted.slug : ref);
    expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
  });
});

describe('POST /api/v4/abuse/report/user/', () => {
  it('stores a report about an account named by id or username', async () => {
    const target = await personOf(moderator, true);
    for (const ref of [target.id, String(target.id), target.username.toUpperCase()]) {
      const reply = await send(reporter, USER, { user: ref, message: 'rude' });
      expect([reply.status, reply.text]).toEqual([
        201,
        JSON.stringify({ reporter: inReporterOrder(await personOf(reporter, true)), user: target, message: 'rude' }),
      ]);
    }
  });

  it('shows the address of a page only to those who may see the account', async () => {
    const reported = await app.developer();
    const user = reported.accountId;
    const admin = await app.memberWith('Users:Edit');
    for (const [client, isShown] of [
      [app.anonymous, false],
      [reporter, false],
      [reported, true],
      [admin, true],
    ] as const) {
      const reply = await send(client, USER, { user, message: 'rude' });
      expect(reply.json).toMatchObject({ user: await personOf(reported, isShown) });
    }
  });

  it('returns 404 for an unknown or deleted account', async () => {
    const gone = await app.developer();
    await app.sql('update account set deleted_at = now() where id = $1', [gone.accountId]);
    for (const user of [gone.accountId, 'nobody-here', '99999999999', '__proto__', 'a\0b']) {
      expect((await send(app.anonymous, USER, { user, message: 'rude' })).status).toBe(404);
    }
  });
});

describe('the body of a report', () => {
  const required = 'This field is required.';
  it.each<[unknown, Record<string, string[]>]>([
    [{}, { addon: [required], message: [required] }],
    [
      { addon: null, message: '' },
      { addon: ['This field may not be null.'], message: ['This field may not be blank.'] },
    ],
    [
      { addon: [], message: 5 },
      { addon: ['Not a valid string.'], message: ['Not a valid string.'] },
    ],
    [
      { addon: true, message: ' \n' },
      { addon: ['Not a valid string.'], message: ['This field may not be blank.'] },
    ],
    [
      { addon: ' ', message: null },
      { addon: ['This field may not be blank.'], message: ['This field may not be null.'] },
    ],
    [
      { addon: 'unknown-slug', message: 'x'.repeat(10_001) },
      { message: ['Please ensure this field has no more than 10000 characters.'] },
    ],
    [{ addon: 'unknown-slug', message: 'a\0b' }, { message: ['Null characters are not allowed.'] }],
    [[], { non_field_errors: [expect.any(String)] }],
    ['{', { non_field_errors: [expect.any(String)] }],
    [{ addon: 'x', message: 'x'.repeat(300_000) }, { non_field_errors: [expect.any(String)] }],
  ])('is refused: %.60j', async (body, expected) => {
    const reply = await send(app.anonymous, ADDON, body);
    expect([reply.status, reply.json]).toEqual([400, expected]);
  });

  it('may be a form', async () => {
    const details = [
      'reason',
      'location',
      'lang',
      'app',
      'appversion',
      'operating_system',
      'addon_name',
      'addon_version',
    ];
    const parts = {
      addon: shown.slug,
      message: 'bad & worse',
      ...Object.fromEntries([...details, 'addon_signature', 'install_date'].map((name) => [name, 'x'])),
    };
    const urlencoded = new URLSearchParams(parts).toString();
    const replies = [
      await app.anonymous.post(ADDON, parts),
      await send(app.anonymous, ADDON, urlencoded, 'application/x-www-form-urlencoded'),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.json]).toMatchObject([201, { message: 'bad & worse', addon: { id: shown.id } }]);
    }
    expect((await send(app.anonymous, ADDON, 'x', 'text/plain')).status).toBe(415);
  });

  it('is refused as a form of more than 256 KiB, with and without its length', async () => {
    const form = { addon: shown.slug, message: 'bad', other: Buffer.alloc(256 * 1024) };
    const expected = [400, { non_field_errors: ['The request body is larger than 256 KiB.'] }];
    const announced = await app.anonymous.post(ADDON, form);
    expect([announced.status, announced.json]).toEqual(expected);
    const chunked = await fetch(app.url + ADDON, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=limit' },
      body: new Blob([new Uint8Array(encodeForm(form, 'limit'))]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([chunked.status, await chunked.json()]).toEqual(expected);
  });

  it('has at most 10,000 characters in its message, which stays verbatim', async () => {
    for (const message of ['😀'.repeat(10_000), '\u202e<script>\ud83d']) {
      const reply = await send(app.anonymous, ADDON, { addon: shown.id, message });
      expect([reply.status, reply.json]).toMatchObject([201, { message: message.toWellFormed() }]);
    }
  });

  it('may have what browsers send in addition, which is kept if it is known and a text', async () => {
    const details = { reason: 'malware', addon_version: '1.0', app: 'desktop_browser', lang: 'de', install_date: 7 };
    const others = { client_id: 'x', addon_summary: { a: 1 }, location: null, reporter: 1, message2: 'x' };
    const body = { addon: shown.guid, message: 'bad', ...details, ...others, addon_name: `\0${'n'.repeat(300)}` };
    expect((await send(app.anonymous, ADDON, body)).status).toBe(201);
    expect((await newest())?.details).toEqual({ ...details, install_date: '7', addon_name: 'n'.repeat(255) });
  });

  it('is not read for other methods and invalid credentials', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await app.anonymous.request(method, ADDON);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
    for (const path of [ADDON, USER]) {
      expect((await send(app.client({ token: 'wrong' }), path, '{')).status).toBe(401);
    }
  });
});

describe('the limit of reports', () => {
  it('counts 20 requests a day and reporter, before their bodies are read', async () => {
    app.config.RATE_LIMITS = true;
    const [first, second] = [await app.developer(), await app.developer()];
    const report =
      'mutation($user: Int!) { reportAccount(input: { account: { databaseId: $user }, message: "x" }) { __typename } }';
    for (let i = 0; i < 9; i++) {
      expect((await send(first, ADDON, { addon: shown.id, message: 'x' })).status).toBe(201);
      expect((await send(first, USER, '{')).status).toBe(400);
    }
    expect((await send(first, USER, 'x', 'text/plain')).status).toBe(415);
    expect(await first.graphql(report, { user: second.accountId })).toMatchObject({
      reportAccount: { __typename: 'ReportAccountPayload' },
    });
    for (const path of [ADDON, USER]) {
      const reply = await send(first, path, '{');
      expect([reply.status, reply.json]).toEqual([
        429,
        { detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds\.$/) },
      ]);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(86_000);
    }
    const refused = await first.graphqlResult(report, { user: second.accountId });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'THROTTLED' });
    expect((await send(second, ADDON, { addon: shown.id, message: 'x' })).status).toBe(201);
    expect((await send(app.client({ token: 'wrong' }), ADDON, '{')).status).toBe(401);
    const counts = await app.sql(`select key, points from rate_limit where key like 'abuse-report-day:%' order by key`);
    expect(counts).toEqual([
      { key: `abuse-report-day:account-${first.accountId}`, points: 21 },
      { key: `abuse-report-day:account-${second.accountId}`, points: 1 },
    ]);
    app.config.RATE_LIMITS = false;
  });

  it('counts anonymous reporters by address', async () => {
    Object.assign(app.config, { RATE_LIMITS: true });
    for (let i = 0; i < 20; i++) {
      expect((await send(app.anonymous, ADDON, { addon: shown.id, message: 'x' })).status).toBe(201);
    }
    expect((await send(app.anonymous, USER, { user: 1, message: 'x' })).status).toBe(429);
    app.config.RATE_LIMITS = false;
  });
});
