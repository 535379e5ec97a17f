/* What API v5 (submission API) reads: its objects, addresses and refusals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { type FullCatalogue, fullCatalogue } from '../support/full-catalogue.ts';
import { catalogueReads, garbageRequests, goodRequest } from '../support/garbage.ts';
import { globalId } from '../support/global-ids.ts';
import { rate } from '../support/ratings.ts';
import { withFurtherKeys } from '../support/submission.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
let made: FullCatalogue;
let hidden: MadeAddon;

type Json = Record<string, unknown>;

beforeAll(async () => {
  [author, reviewer] = [await app.developer(), await app.reviewer()];
  made = await fullCatalogue([author.accountId ?? 0]);
  hidden = await addon({
    guid: '{0a1b2c3d-0000-4000-8000-00000000000F}',
    authors: [author.accountId ?? 0],
    status: 'nominated',
    versions: [
      { version: '7000', files: [{ status: 1, optionalPermissions: ['tabs'], hostPermissions: ['*://*/*'] }] },
    ],
  });
});

const FULL = '/api/v5/addons/addon/full/';
const read = async (path: string, client: Client = app.anonymous): Promise<Json> => {
  const reply = await client.get(path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json as Json;
};
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, key) => (key === '' ? part : (part as Json)[key]), value);
const keysAt = (value: unknown, path: string) => Object.keys(at(value, path) as object).join(' ');

const FILE =
  'id created hash is_vendor_signed_extension optional_permissions host_permissions data_collection_permissions optional_data_collection_permissions permissions size status url';
const VERSION =
  'id channel compatibility edit_url file is_strict_compatibility_enabled license release_notes reviewed version';
/** With what only authors and reviewers see. */
const OWN_VERSION =
  'id approval_notes channel compatibility edit_url file is_disabled is_strict_compatibility_enabled license release_notes reviewed source version';
const LICENSE = 'id is_custom name slug url';
const ADDON = withFurtherKeys(
  'id authors average_daily_users categories contributions_url created current_version default_locale description ' +
    'developer_comments edit_url guid has_eula has_privacy_policy homepage icon_url icons is_disabled is_experimental ' +
    'name last_updated previews ratings ratings_url requires_payment requires_sensitive_data_access review_url slug ' +
    'status summary support_email support_url tags type url versions_url weekly_downloads',
);

describe('the keys under v5, in their order,', () => {
  it.each(['', '?lang=de'])('are those of the add-on and its version (%s)', async (query) => {
    const shown = await read(`${FULL}${query}`);
    expect(keysAt(shown, '')).toBe(ADDON);
    expect(keysAt(shown, 'current_version')).toBe(VERSION);
    expect(keysAt(shown, 'current_version.license')).toBe(LICENSE);
    expect(keysAt(shown, 'current_version.file')).toBe(FILE);
    for (const key of ['homepage', 'support_url', 'contributions_url']) expect(keysAt(shown, key)).toBe('url outgoing');
  });

  it('are more for authors', async () => {
    const shown = await read(FULL, author);
    expect(keysAt(shown, '')).toBe(ADDON.replace('last_updated', 'last_updated latest_unlisted_version'));
    expect(keysAt(shown, 'latest_unlisted_version')).toBe(OWN_VERSION);
    expect(keysAt(shown, 'current_version')).toBe(OWN_VERSION);
  });

  it.each<[string, () => Client, string]>([
    ['anonymous clients', () => app.anonymous, VERSION],
    ['authors', () => author, OWN_VERSION],
    ['reviewers', () => reviewer, OWN_VERSION],
  ])('are those of one version, in which alone the licence has a text, for %s', async (_who, client, keys) => {
    const list = await read(`${FULL}versions/`, client());
    expect(keysAt(list, '')).toBe('next previous page_size page_count count results');
    expect(keysAt(list, 'results.0')).toBe(keys);
    expect(keysAt(list, 'results.0.license')).toBe(LICENSE);
    const one = await read(`${FULL}versions/1.0/`, client());
    expect(keysAt(one, '')).toBe(keys);
    expect(keysAt(one, 'license')).toBe(LICENSE.replace('slug', 'slug text'));
  });

  it('are those of v4 for the own account and a report', async () => {
    const report = { addon: 'full', message: 'Bad.', reason: 'damage', app: 'desktop', client_id: 'secret' };
    const send = (version: string) =>
      author.request('POST', `/api/${version}/abuse/report/addon/`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(report),
      });
    const [v5, v4] = [await send('v5'), await send('v4')];
    expect([v5.status, v5.headers['content-type'], v5.json]).toEqual([201, 'application/json', v4.json]);
    const [stored] = await app.sql<{ row: string }>('select to_jsonb(r)::text as row from abuse_report r limit 1');
    expect([stored?.row.includes('damage'), stored?.row.includes('secret')]).toEqual([true, false]);
    expect(await read('/api/v5/accounts/profile/', author)).toEqual(await read('/api/v4/accounts/profile/', author));
  });
});

describe('the values under v5', () => {
  it('have translated fields as objects, with one key for lang', async () => {
    const [all, german] = [await read(FULL), await read(`${FULL}?lang=de`)];
    const name = at(all, 'name') as Json;
    expect(Object.keys(name).length).toBeGreaterThan(1);
    expect(german.name).toEqual({ de: name.de });
    expect(at(german, 'current_version.release_notes')).toEqual({ de: 'Die erste.' });
    const homepage = at(all, 'homepage.url') as Record<string, string>;
    const outgoing = at(all, 'homepage.outgoing') as Record<string, string>;
    for (const [locale, url] of Object.entries(homepage)) {
      expect(outgoing[locale]).toMatch(/\/outgoing\/[0-9a-f]{64}\//);
      expect(decodeURIComponent(outgoing[locale] ?? '')).toContain(url);
    }
    expect(at(all, 'contributions_url.outgoing')).toMatch(/\/outgoing\//);
    expect((await read('/api/v5/addons/addon/dusk/')).homepage).toBeNull();
  });

  it('have one file, whose address ends in the name of the saved file', async () => {
    const shown = await read(`${FULL}versions/1.0/`);
    const file = at(shown, 'file') as Json;
    expect(file).toMatchObject({ status: 'public', permissions: ['tabs', 'storage'], optional_permissions: [] });
    expect(file.url).toMatch(/^http[^?]*\/downloads\/file\/\d+\/[^/?]+\.xpi$/);
    const waiting = await read(`/api/v5/addons/addon/${hidden.id}/versions/v7000/`, author);
    expect(waiting.file).toMatchObject({
      ...{ status: 'unreviewed', optional_permissions: ['tabs'], host_permissions: ['*://*/*'] },
      url: expect.stringMatching(/\/downloads\/file\/\d+\/[^/?]+$/),
    });
  });

  it('name built-in licences by their slug', async () => {
    const old = await read(`${FULL}versions/0.9/`);
    expect(old.license).toMatchObject({ is_custom: false, slug: 'MPL-2.0' });
    expect((await read(`${FULL}versions/1.0/`)).license).toMatchObject({
      ...{ is_custom: true, slug: null, name: { 'en-US': 'My own' } },
      text: { 'en-US': 'Do as you like.' },
    });
  });

  it('are those of GraphQL', async () => {
    const one = await read(`${FULL}versions/1.0/`, author);
    const { addon: shown } = await author.graphql<{ addon: { version: Json; url: string } }>(
      `{ addon(by: { slug: "full" }) { url version(by: { number: "1.0" }) { databaseId channel version approvalNotes isDisabled editUrl
        isStrictCompatibilityEnabled reviewed compatibility { app min max } releaseNotes { all { locale value } }
        files { databaseId hash size status permissions optionalPermissions hostPermissions isVendorSignedExtension }
        license { databaseId isCustom builtin url } } } }`,
    );
    const version = shown.version as Json & { files: Json[]; license: Json; compatibility: Json[] };
    const [file = {}] = version.files;
    expect(one).toMatchObject({
      ...{ id: version.databaseId, channel: 'listed', version: version.version, edit_url: version.editUrl },
      ...{ approval_notes: version.approvalNotes, is_disabled: version.isDisabled, reviewed: version.reviewed },
      is_strict_compatibility_enabled: version.isStrictCompatibilityEnabled,
      compatibility: Object.fromEntries(
        version.compatibility.map(({ app: name, min, max }) => [String(name).toLowerCase(), { min, max }]),
      ),
      license: { id: version.license.databaseId, is_custom: true, slug: version.license.builtin },
      file: { id: file.databaseId, hash: file.hash, size: file.size, permissions: file.permissions },
    });
    expect((await read(FULL)).versions_url).toBe(`${shown.url}versions/`);
  });
});

describe('a version under v5', () => {
  const one = async (ref: string, client: Client = author) => {
    const { status, json } = await client.get(`/api/v5/addons/addon/${hidden.id}/versions/${ref}/`);
    return [status, (json as Json).version ?? json];
  };
  const NOT_FOUND = [404, { detail: 'Not found.' }];

  it('is found by its id, and by its number with a dot or behind a v', async () => {
    const [full] = made.full.versions;
    expect((await read(`${FULL}versions/${full?.id}`)).version).toBe('0.9');
    for (const ref of ['0.9', 'v0.9']) expect((await read(`${FULL}versions/${ref}/`)).id).toBe(full?.id);
    expect(await one('v7000')).toEqual([200, '7000']);
  });

  it.each(['7000', 'seven', 'v', 'v8', '8.0', 'v%00', '1%00.0', '-1', '99999999999', '__proto__', 'v__proto__', 'V7'])(
    'is not found as %s',
    async (ref) => {
      expect(await one(ref)).toEqual(NOT_FOUND);
    },
  );

  it('of another add-on is not found by its id', async () => {
    expect(await one(String(made.full.versions[0]?.id))).toEqual(NOT_FOUND);
  });

  it('that is not public is refused as in v4', async () => {
    expect(await one('v7000', app.anonymous)).toMatchObject([401, { is_disabled_by_developer: false }]);
    expect(await one('v7000', await app.developer())).toMatchObject([403, { is_disabled_by_vendor: false }]);
    expect((await app.anonymous.get(`${FULL}versions/1.1/`)).status).toBe(401);
    expect((await read(`${FULL}versions/1.1/`, author)).channel).toBe('unlisted');
  });

  it('that was deleted is not found, nor an upload that failed if a version has its number', async () => {
    const again = await addon({
      authors: [author.accountId ?? 0],
      versions: [
        { version: '1.0', deletedAt: new Date() },
        { version: '2.0' },
        { version: '2.0', stage: 'invalid', files: [{ status: 1 }] },
      ],
    });
    const path = `/api/v5/addons/addon/${again.id}/versions/`;
    expect((await read(`${path}2.0/`, author)).id).toBe(again.versions[1]?.id);
    for (const ref of ['1.0', again.versions[0]?.id]) expect((await author.get(`${path}${ref}/`)).status).toBe(404);
  });

  it('is listed with the filters of v4', async () => {
    const list = (query: string, version = 'v5') => author.get(`/api/${version}/addons/addon/full/versions/${query}`);
    for (const query of ['?filter=all_with_unlisted', '?filter=all_without_unlisted', '?page_size=1&page=2', '']) {
      const [v5, v4] = [await list(query), await list(query, 'v4')].map(
        ({ json }) => json as Json & { results: Json[] },
      );
      expect([v5?.count, v5?.results.map(({ id }) => id)]).toEqual([v4?.count, v4?.results.map(({ id }) => id)]);
    }
    const refused = await list('?filter=none');
    expect([refused.status, refused.json]).toEqual([
      400,
      { filter: [beginningWith('Invalid "filter" parameter specified. ')] },
    ]);
    expect((await list('?page=9')).json).toEqual({ detail: beginningWith('Invalid page. ') });
  });
});

describe('an address under v5', () => {
  it('names an add-on by a guid without its braces', async () => {
    const bare = hidden.guid.slice(1, -1);
    for (const ref of [bare, bare.toLowerCase(), `%7B${bare}%7D`, hidden.guid]) {
      expect((await read(`/api/v5/addons/addon/${ref}/`, author)).id).toBe(hidden.id);
      expect((await read(`/api/v5/addons/addon/${ref}/versions/v7000`, author)).version).toBe('7000');
      expect((await read(`/api/v5/addons/addon/${ref}/versions?filter=all_with_unlisted`, author)).count).toBe(1);
    }
    expect((await author.get(`/api/v4/addons/addon/${bare}/`)).status).toBe(404);
    await addon({ slug: '0a1b2c3d-0000-4000-8000-00000000000e' });
    const named = await addon({ guid: '{0a1b2c3d-0000-4000-8000-00000000000e}' });
    expect((await read('/api/v5/addons/addon/0a1b2c3d-0000-4000-8000-00000000000e/')).id).toBe(named.id);
  });

  it.each([
    '/addons/featured/',
    '/addons/replacement-addon/',
    '/addons/addon/full/feature_compatibility/',
    '/abuse/report/user/',
    '/addons/addon/full/versions/1.0/reviewnotes/',
    '/',
    '',
  ])('is unknown: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await author.request(method, `/api/v5${path}`);
      expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
    }
  });

  it('refuses other methods and bodies with detail alone', async () => {
    const deleted = await author.request('DELETE', FULL);
    expect([deleted.status, deleted.json]).toEqual([405, { detail: 'Method "DELETE" not allowed.' }]);
    expect(deleted.headers.allow).toContain('PATCH');
    const typed = await author.request('PATCH', FULL, { headers: { 'Content-Type': 'text/xml' }, body: '<a/>' });
    expect([typed.status, Object.keys(typed.json as object)]).toEqual([415, ['detail']]);
    const anonymous = await app.anonymous.request('PATCH', FULL, { body: '{}' });
    expect([anonymous.status, Object.keys(anonymous.json as object)]).toEqual([401, ['detail']]);
    app.config.READ_ONLY = true;
    const { status, json } = await author.request('PATCH', FULL, { body: '{}' });
    app.config.READ_ONLY = false;
    expect([status, Object.keys(json as object)]).toEqual([503, ['detail']]);
  });
});

describe('garbage under v5', () => {
  const names: Record<string, string> = { addon: 'full', version_ref: '1.0', account: '1' };
  const READS = catalogueReads('v5');
  beforeAll(async () => {
    names['id'] = String(await rate(author, await addon({ slug: 'pack' }), 4));
  });

  it.each(READS)('in any parameter of $template gets a documented response', async (each) => {
    expect((await app.anonymous.get(goodRequest(each, 'v5', names))).status).toBe(200);
    for (const { path, parameter, what } of garbageRequests(each, 'v5', names)) {
      const isKnown = [200, 400, 401, 403, 404].includes((await app.anonymous.get(path)).status);
      expect([parameter, what, isKnown]).toEqual([parameter, what, true]);
    }
  });

  it('in the arguments of GraphQL is refused', async () => {
    const run = (ref: string) =>
      author.graphqlResult(`{ addon(by: { slug: "full" }) { version(by: ${ref}) { version } } }`);
    for (const number of ['\\u0000', '']) {
      const { errors } = await run(`{ number: "${number}" }`);
      expect([number, errors?.[0]?.extensions?.code]).toEqual([number, 'NOT_FOUND']);
    }
    const id = globalId('Version', made.full.versions[0]?.id);
    const { version } = await author.graphql(`{ version(id: "${id}") { isDisabled approvalNotes } }`);
    expect(version).toEqual({ isDisabled: false, approvalNotes: '' });
  });
});
