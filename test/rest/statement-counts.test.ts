/*
 * The number of statements per request is the same for a list of one and of fifty, with empty caches and for authenticated
 * clients.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { rate } from '../support/ratings.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let reader: Client;

const FIFTY = 50;
const NAMES = Array.from({ length: FIFTY }, (_, index) => `many-${index}`);

beforeAll(async () => {
  reader = await app.developer();
  const authors = [(await app.developer()).accountId ?? 0, (await app.developer()).accountId ?? 0];
  const common = { authors, tags: ['many'], featured: [{ app: 'desktop_browser' }] };
  for (const name of NAMES) {
    await addon({ ...common, slug: name, guid: `${name}@many`, name: { 'en-US': `Clock ${name}` } });
    await addon({ authors, type: 'language', targetLocale: 'de', guid: `${name}@packs` });
  }
  await addon({ slug: 'versions', versions: NAMES.map(() => ({ license: { builtin: 'MIT' } })) });
  const { db } = await import('../../src/infra/db.ts');
  const range = {
    app: 'desktop_browser',
    minVersion: '1.0',
    maxVersion: '*',
    addonMinVersion: '0',
    addonMaxVersion: '*',
  };
  for (const name of NAMES) {
    await db.compatOverride.create({ data: { guid: `${name}@many`, name, ranges: { create: [range, range] } } });
    await db.replacement.create({ data: { guid: `${name}@old`, guids: [`${name}@many`, 'many-0@many'] } });
  }
});

/** Empties the caches of documents by giving every document a new version. */
const invalidateDocuments = () =>
  app.sql("UPDATE addon_document SET row_version = nextval(pg_get_serial_sequence('addon_document', 'row_version'))");

const guids = NAMES.map((name) => `${name}@many`).join(',');
const ROUTES: [most: number, path: string, results: number | null][] = [
  [2, 'addon/many-1/', null],
  [2, 'addon/many-1@many/?lang=de&wrap_outgoing_links', null],
  [2, 'addon/many-1/feature_compatibility/', null],
  [2, 'addon/many-1/eula_policy/', null],
  [3, 'featured/?app=desktop_browser&page_size=1', 1],
  [3, 'featured/?app=desktop_browser&page_size=50', FIFTY],
  [2, 'search/?q=clock&page_size=1', 1],
  [2, 'search/?q=clock&page_size=50', FIFTY],
  [2, 'search/?q=clock&sort=users&page_size=50', FIFTY],
  [3, 'search/?tag=many&page_size=1&page=7', 1],
  [
    3,
    'search/?app=desktop_browser&appversion=60.0&type=extension&platform=mac&tag=many&sort=users,rating&page_size=50',
    FIFTY,
  ],
  [3, `search/?guid=${guids}&page_size=50`, FIFTY],
  [2, 'autocomplete/?q=clo', 10],
  [4, 'addon/versions/versions/?page_size=1', 1],
  [4, 'addon/versions/versions/?page_size=50', FIFTY],
  [3, 'language-tools/?app=desktop_browser', FIFTY],
  [3, 'language-tools/?app=desktop_browser&type=language&appversion=60.0', FIFTY],
  [3, 'language-tools/?app=desktop_browser&type=dictionary&author=x', 0],
  [2, 'compat-override/?page_size=1', 1],
  [2, 'compat-override/?page_size=50', FIFTY],
  [2, `compat-override/?page_size=50&guid=${guids}`, FIFTY],
  [3, 'replacement-addon/?page_size=1', 1],
  [3, 'replacement-addon/?page_size=50', FIFTY],
  [4, 'recommendations/', 0],
];

/** Statements of authentication: one reads the account, one marks the token as used, and reads of the account's rights. */
const SIGN_IN = /"?(api_key|account|spent_token)"?/i;

describe('the statements of a request', () => {
  it.each(ROUTES)('are at most %i for %s', async (most, path, results) => {
    const read = async (client: Client) => {
      const reply = await client.get(`/api/v4/addons/${path}`);
      expect(reply.status).toBe(200);
      if (results !== null) expect((reply.json as { results: unknown[] }).results).toHaveLength(results);
    };
    await invalidateDocuments();
    const cold = await statementsDuring(() => read(app.anonymous));
    expect(cold.length, cold.join('\n')).toBeLessThanOrEqual(most);
    const warm = await statementsDuring(() => read(app.anonymous));
    expect(warm.length).toBeLessThanOrEqual(cold.length);
    await invalidateDocuments();
    const signedIn = (await statementsDuring(() => read(reader))).filter((statement) => !SIGN_IN.test(statement));
    expect(signedIn.length, signedIn.join('\n')).toBeLessThanOrEqual(most);
  });

  it('are three for a list of ratings with replies', async () => {
    const [author, base] = [await app.developer(), '/api/v4/ratings/rating/'];
    const made = await addon({ authors: [author.accountId ?? 0] });
    const list = async () => {
      const statements = await statementsDuring(async () => {
        const { status, json } = await app.anonymous.get(`${base}?addon=${made.id}`);
        expect([status, (json as { results: { reply: unknown }[] }).results.every(({ reply }) => reply)]).toEqual([
          200,
          true,
        ]);
      });
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3);
    };
    for (const _each of [1, 2, 3]) {
      const id = await rate(await app.developer(), made, 3, 'Fine.');
      await author.post(`${base}${id}/reply/`, { body: 'Thanks.' });
      await list();
    }
  });

  it('are one for an add-on by its id, with its document in memory or not', async () => {
    const { id } = await addon();
    const read = async () => expect((await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).status).toBe(200);
    expect(await statementsDuring(read)).toHaveLength(1);
    expect(await statementsDuring(read)).toHaveLength(1);
    await invalidateDocuments();
    expect(await statementsDuring(read)).toHaveLength(1);
  });

  it('are the same for an account with one add-on and with many', async () => {
    const [one, many] = [await app.developer(), reader];
    await addon({ authors: [one.accountId ?? 0] });
    await addon({ authors: [many.accountId ?? 0, one.accountId ?? 0] });
    for (const _name of NAMES) await addon({ authors: [many.accountId ?? 0] });
    const count = async (client: Client, path: string) => {
      const statements = await statementsDuring(async () => expect((await client.get(path)).status).toBe(200));
      // A use of a key is recorded once a minute.
      return statements.filter((statement) => !/last_used = now/.test(statement)).length;
    };
    const [small = '', large = ''] = [one, many].map(({ accountId }) => `/api/v4/accounts/account/${accountId}/`);
    const counted = await count(app.anonymous, large);
    expect(counted).toBeLessThanOrEqual(6);
    expect(await count(app.anonymous, small)).toBe(counted);
    expect(await count(one, '/api/v4/accounts/profile/')).toBe(await count(many, '/api/v4/accounts/profile/'));
  });

  it.each<[most: number, path: string]>([
    [2, 'many-1/'],
    [4, 'versions/versions/?page_size=1'],
    [4, 'versions/versions/?page_size=50'],
    [5, 'versions/versions/1.0/'],
  ])('are at most %i for %s under v5', async (most, path) => {
    await invalidateDocuments();
    const statements = await statementsDuring(async () =>
      expect((await app.anonymous.get(`/api/v5/addons/addon/${path}`)).status).toBe(200),
    );
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
  });

  it('are the same for authors of one version and of fifty under v5', async () => {
    const author = await app.developer();
    await addon({ slug: 'own', authors: [author.accountId ?? 0], versions: NAMES.map(() => ({})) });
    const count = async (size: number) => {
      const statements = await statementsDuring(() =>
        author.get(`/api/v5/addons/addon/own/versions/?page_size=${size}`),
      );
      return statements.filter((statement) => !SIGN_IN.test(statement)).length;
    };
    await count(1);
    expect(await count(50)).toBe(await count(1));
  });

  it('are at most four for one version', async () => {
    const [version] = await app.sql<{ id: number }>(
      "SELECT v.id FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.slug = 'versions' LIMIT 1",
    );
    const statements = await statementsDuring(() =>
      app.anonymous.get(`/api/v4/addons/addon/versions/versions/${version?.id}/`),
    );
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(4);
  });

  it('are at most twelve for a further upload with authentication, and six for its status', async () => {
    const guid = 'counted@example.org';
    const path = (version: string) => `/api/v4/addons/${guid}/versions/${version}/`;
    for (const [version, most] of [
      ['1.0', 24],
      ['2.0', 12],
      ['3.0', 12],
    ] as const) {
      const form = { upload: await xpi({ guid, version }) };
      const statements = await statementsDuring(async () => {
        expect((await reader.put(path(version), form)).status).toBeLessThan(300);
      });
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
    }
    const status = await statementsDuring(() => reader.get(path('3.0')));
    expect(status.length, status.join('\n')).toBeLessThanOrEqual(6);
  });
});
