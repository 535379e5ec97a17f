import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { authorWithProfile } from '../support/author-profile.ts';
import type { Client, Reply } from '../support/client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';

const VERSIONS = ['v3', 'v4', 'v4dev'] as const;

const app = setUpApp({ settings: { IDP_EDIT_EMAIL_URL: 'https://id.example/edit?x=1' } });
/** A listed author of public add-ons, with a value in every field. */
let author: Client;
let privateAccount: Client;
let administrator: Client;
let moderator: Client;

beforeAll(async () => {
  author = await authorWithProfile(app);
  privateAccount = await app.developer();
  administrator = await app.memberWith('Users:Edit');
  moderator = await app.memberWith('Addons:Review', 'AbuseReports:Edit', 'Accounts:SuperCreate', 'Admin:Curation');
});

const PUBLIC_KEYS = [
  'average_addon_rating',
  'biography',
  'created',
  'has_anonymous_display_name',
  'has_anonymous_username',
  'homepage',
  'id',
  'is_addon_developer',
  'is_artist',
  'location',
  'name',
  'num_addons_listed',
  'occupation',
  'picture_type',
  'picture_url',
  'url',
  'username',
];
const FURTHER_KEYS = [
  'deleted',
  'display_name',
  'email',
  'idp_edit_email_url',
  'last_login',
  'last_login_ip',
  'is_verified',
  'permissions',
  'read_dev_agreement',
];

const detail = (ref: string | number | null, version = 'v4') => `/api/${version}/accounts/account/${ref}/`;
const keysOf = (reply: Reply) => Object.keys(reply.json as object);
/** The headers without those that differ between any two responses. */
const stableHeaders = ({ headers: { date, 'x-request-id': id, ...headers } }: Reply) => headers;

describe.each(VERSIONS)('GET /api/%s/accounts/account/{account}/', (version) => {
  const path = (ref: string | number | null) => detail(ref, version);
  const isV3 = version === 'v3';

  it('is not sent again to an anonymous client that has it, and refuses invalid credentials', async () => {
    const { headers } = await app.anonymous.get(path(author.accountId));
    const again = await app.anonymous.get(path(author.accountId), { 'If-None-Match': headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    const refused = await app.anonymous.get(path(author.accountId), { Authorization: 'Bearer nonsense' });
    expect([refused.status, refused.json]).toEqual([
      401,
      {
        detail: expect.stringMatching(/^Error decoding signature\. The text after "Bearer"/),
        code: 'ERROR_DECODING_SIGNATURE',
      },
    ]);
  });

  it('shows the public fields of an author to other clients', async () => {
    for (const client of [app.anonymous, privateAccount, moderator]) {
      const reply = await client.get(path(author.accountId));
      expect(keysOf(reply)).toEqual(PUBLIC_KEYS);
      expect(reply.json).toEqual({
        average_addon_rating: 3.5,
        biography: 'Writes <b>add-ons</b>.',
        created: '2018-10-25T09:30:00Z',
        has_anonymous_display_name: false,
        has_anonymous_username: false,
        homepage: 'https://developer.example/',
        id: author.accountId,
        is_addon_developer: true,
        is_artist: true,
        location: 'Lisbon',
        name: 'Example Developer',
        num_addons_listed: 3,
        occupation: 'Programmer',
        picture_type: 'image/png',
        picture_url: expect.stringMatching(
          new RegExp(`^${app.config.BASE_URL}/media/accounts/${author.accountId}/picture.png\\?modified=[0-9a-f]{8}$`),
        ),
        url: `${app.config.BASE_URL}/user/Example.Developer/`,
        username: 'Example.Developer',
      });
    }
  });

  it('shows all fields to the account itself and to holders of Users:Edit', async () => {
    for (const client of [author, administrator, await app.admin()]) {
      const reply = await client.get(path('example.developer'));
      expect(keysOf(reply)).toEqual(
        [...PUBLIC_KEYS, ...FURTHER_KEYS].filter((key) => !(isV3 && key === 'idp_edit_email_url')),
      );
      expect(reply.json).toMatchObject({
        deleted: false,
        display_name: 'Example Developer',
        email: expect.stringContaining('@example.org'),
        ...(isV3 ? {} : { idp_edit_email_url: 'https://id.example/edit?x=1' }),
        is_verified: false,
        permissions: [],
        read_dev_agreement: true,
      });
      expect(reply.headers['cache-control']).toBe('private, no-store');
    }
  });

  it('accepts an id and a username in any case, with and without a slash', async () => {
    const { json } = await app.anonymous.get(path(author.accountId));
    for (const ref of [
      author.accountId,
      'Example.Developer',
      'example.developer',
      'EXAMPLE%2EDEVELOPER',
      `0${author.accountId}`,
    ]) {
      for (const address of [path(ref), path(ref).slice(0, -1)]) {
        const reply = await app.anonymous.get(address);
        expect([address, reply.status, reply.json]).toEqual([address, 200, json]);
      }
    }
    const head = await app.anonymous.head(path('example.developer'));
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  it('responds alike to unknown, deleted, disabled and private accounts', async () => {
    const { db } = await import('../../src/infra/db.ts');
    const [deleted, disabled] = [await app.developer(), await app.developer()];
    await addon({ authors: [deleted.accountId ?? 0, disabled.accountId ?? 0] });
    await db.account.update({ where: { id: deleted.accountId ?? 0 }, data: { deletedAt: new Date() } });
    const { disableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
    const { publishAddonsOf } = await import('../../src/domain/listing/publish-addons.ts');
    await db.$transaction((tx) => publishAddonsOf(tx, deleted.accountId ?? 0));
    const { username } = await db.account.findUniqueOrThrow({ where: { id: disabled.accountId ?? 0 } });
    await disableAccountByName(username);
    const refs = [2_000_000_000, privateAccount.accountId, deleted.accountId, disabled.accountId, username, 'unknown'];
    for (const client of [app.anonymous, author, moderator]) {
      const replies = await Promise.all(refs.map((ref) => client.get(path(ref))));
      for (const reply of replies) {
        expectRefusal(reply, { status: 404, json: { detail: 'Not found.' } });
        expect(reply.text).toBe(replies[0]?.text);
        expect(stableHeaders(reply)).toEqual(stableHeaders(replies[0] as Reply));
      }
    }
    const seen = await Promise.all(refs.map((ref) => administrator.get(path(ref))));
    expect(seen.map(({ status }) => status)).toEqual([404, 200, 404, 200, 200, 404]);
    expect((await privateAccount.get(path(privateAccount.accountId))).status).toBe(200);
  });

  it('responds with 404 to references that no account can have', async () => {
    for (const ref of [
      '0',
      '2147483648',
      '99999999999999999999',
      '-1',
      '__proto__',
      'constructor',
      'a%00b',
      'a%2Fb',
      '%2F',
      '%ED%A0%80',
      '%',
      'x'.repeat(4000),
      '%27%3B--',
      '..%2F..',
    ]) {
      for (const client of [app.anonymous, administrator]) {
        const reply = await client.get(path(ref));
        expect([ref, reply.status, reply.json]).toEqual([ref, 404, { detail: 'Not found.' }]);
      }
    }
  });

  it('names the allowed methods', async () => {
    for (const client of [app.anonymous, author]) {
      const reply = await client.request('PUT', path(author.accountId));
      expect([reply.status, reply.headers.allow]).toEqual([405, expect.stringMatching(/^GET, .*HEAD, OPTIONS$/)]);
    }
  });
});

describe.each(VERSIONS)('GET /api/%s/accounts/profile/', (version) => {
  const path = `/api/${version}/accounts/profile/`;

  it("is the client's own account, with an API key and with an access token", async () => {
    const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
    const bearer = app.client({ token: (await createAccessTokenFor({ username: 'example.developer' })).token });
    for (const client of [author, bearer]) {
      for (const address of [path, path.slice(0, -1)]) {
        const [shown, account] = [await client.get(address), await author.get(detail(author.accountId, version))];
        expect(keysOf(shown)).toEqual(keysOf(account));
        // Each use of a credential may change the date of the last login.
        const login = { last_login: expect.anything(), last_login_ip: expect.any(String) };
        expect(shown.json).toEqual({ ...(account.json as object), ...login });
      }
      expect((await client.head(path)).status).toBe(200);
    }
  });

  it('requires authentication and allows no other method', async () => {
    expectRefusal(await app.anonymous.get(path), {
      status: 401,
      json: { detail: 'Authentication credentials were not provided.' },
    });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await app.anonymous.request(method, path);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('during failures', () => {
  /** A request to each route. */
  const everyRoute = (client: Client) =>
    Promise.all(
      ROUTES.map(([method, ending]) =>
        client.request(method, `/api/v4/accounts/${ending}`.replace('ID', 'example.developer')),
      ),
    );
  const ROUTES = [
    ['GET', 'profile/'],
    ['GET', 'account/ID/'],
    ['PATCH', 'account/ID/'],
    ['DELETE', 'account/ID/'],
    ['DELETE', 'account/ID/picture/'],
  ] as const;

  it('every route returns 503 without a database', async () => {
    await withoutDatabase(app, async () => {
      for (const { status } of await everyRoute(author)) expect(status).toBe(503);
    });
  });

  it('every route returns 429 after many failed authentications', async () => {
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, '/api/v4/accounts/profile/', async () => {
      for (const { status } of await everyRoute(guesser)) expect(status).toBe(429);
    });
  });
});
