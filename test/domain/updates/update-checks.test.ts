import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import {
  APPS,
  browserQuery,
  type Entry,
  FILE,
  LEGACY,
  make,
  pathOf,
  type Query,
  queryFor,
  stored,
} from '../../support/updates.ts';

const app = setUpApp();

const check = (id: string, query: Query = {}): Promise<Reply> => app.anonymous.get(pathOf(queryFor(id, query)));

/** The entries of an add-on; null for `{}`. */
async function entriesOf(id: string, query: Query = {}): Promise<Entry[] | null> {
  const { status, text } = await check(id, query);
  expect(status).toBe(200);
  return (JSON.parse(text) as { addons?: Record<string, { updates: Entry[] }> }).addons?.[id]?.updates ?? null;
}

const versionFor = async (id: string, query: Query = {}) => (await entriesOf(id, query))?.[0]?.version ?? null;

describe('GET /update/', () => {
  it('describes the newest version, at each address, whatever other parameters a browser sends', async () => {
    const { id, guid, slug, versions } = await addon({
      versions: [stored(), stored({ version: '2.0b1', releaseNotes: { de: 'Neu' } })],
    });
    const browser = browserQuery(guid);
    const file = versions[1]?.files[0];
    const reply = await app.anonymous.get(pathOf(browser), { 'Cache-Control': 'no-cache' });
    const entry = {
      version: '2.0b1',
      update_link: `${app.url}/downloads/file/${file?.id}/made_${id}-2.0.xpi?src=`,
      applications: { gecko: { strict_min_version: '57.0' } },
      update_hash: `sha256:${file?.sha256}`,
      update_info_url: `${app.url}/%APP_LOCALE%/addon/${slug}/versions/2.0b1/updateinfo/`,
    };
    expect(reply.text).toBe(JSON.stringify({ addons: { [guid]: { updates: [entry] } } }));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.headers['cache-control']).toBe('max-age=3600');
    for (const path of ['/update', '/update/VersionCheck.php'])
      expect((await app.anonymous.get(pathOf(browser, path))).text).toBe(reply.text);
    expect((await app.anonymous.get(pathOf({ ...browser, version: '9.0' }))).text).toBe(reply.text);

    const etag = reply.headers.etag ?? '';
    const unchanged = await app.anonymous.get(pathOf(browser), { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag]);
    expect((await app.anonymous.get(pathOf(browser), { 'If-None-Match': '"other"' })).status).toBe(200);
    const head = await app.anonymous.head(pathOf(browser));
    expect([head.status, head.text, head.headers.etag, head.headers['content-length']]).toEqual([
      200,
      '',
      etag,
      String(reply.bytes.length),
    ]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const { status, headers, json } = await app.anonymous.request(method, pathOf(queryFor('any@example')), {
      body: method === 'OPTIONS' ? '' : 'x'.repeat(100_000),
    });
    expect([status, headers.allow, json]).toEqual([405, 'GET, HEAD', { detail: `Method "${method}" not allowed.` }]);
  });

  it('is anonymous: credentials and cookies change nothing', async () => {
    const { guid } = await make({}, { isDisabledByDeveloper: true });
    const admin = await app.admin();
    expect((await admin.get(pathOf(queryFor(guid)))).text).toBe('{}');
    expect(
      (await app.anonymous.get(pathOf(queryFor(guid)), { Authorization: 'JWT broken', Cookie: 'a=b' })).status,
    ).toBe(200);
  });

  const complete = queryFor('any@example');
  it.each([
    ['no parameters', ''],
    ...['id', 'appID', 'appVersion'].map((name) => [
      `no ${name}`,
      pathOf(Object.fromEntries(Object.entries(complete).filter(([each]) => each !== name))),
    ]),
    ['an empty id', pathOf({ ...complete, id: '' })],
    ['an empty appID', pathOf({ ...complete, appID: '' })],
    ['an empty appVersion', pathOf({ ...complete, appVersion: '' })],
    ['an unknown appID', pathOf({ ...complete, appID: '{ec8030f7-c20a-464f-9b0e-13a3a9e97385}' })],
    ['an appID without braces', pathOf({ ...complete, appID: 'ec8030f7-c20a-464f-9b0e-13a3a9e97384' })],
    ...['*', '57.*', 'abc', '1.2.3.4.5', '-1', '99999.0', '1'.repeat(5_000), '57.0 ', "57.0'"].map((version) => [
      `an appVersion of ${version.slice(0, 10)}`,
      pathOf({ ...complete, appVersion: version }),
    ]),
  ])('refuses %s', async (_what, path) => {
    const reply = await app.anonymous.get(path || '/update/');
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([400, '{}', 'application/json']);
    expect(reply.headers['cache-control']).toBeUndefined();
  });

  it('returns {} for add-ons that are unknown, disabled, deleted or without a public listed version', async () => {
    const hidden: MadeAddon[] = [
      await make({}, { isDisabledByDeveloper: true }),
      await make({}, { status: 'disabled' }),
      await make({}, { status: 'deleted', deletedAt: new Date(), slug: null }),
      await make({}, { status: 'nominated' }),
      await make({ channel: 'unlisted' }, { status: 'incomplete' }),
      await make({ channel: 'unlisted' }),
      await make({ deletedAt: new Date() }),
      await make({ stage: 'awaiting_review', files: [{ ...FILE, status: 1 }] }),
      await make({ files: [{ ...FILE, status: 5 }] }),
      await make({ files: [FILE, { ...FILE, status: 5 }] }),
    ];
    for (const { guid } of hidden) {
      const { status, text, headers } = await check(guid);
      expect([status, text, headers['cache-control']]).toEqual([200, '{}', 'max-age=3600']);
      expect(headers.etag).toBeDefined();
    }
    for (const id of ['unknown@example', 'x'.repeat(3_000), '\0', '%', 'é@example', "'; --", '__proto__', '\n', ' ']) {
      expect([id, (await check(id)).text]).toEqual([id, '{}']);
    }
  });

  it('passes over versions that are hidden, and files without a package', async () => {
    const { guid } = await addon({
      versions: [
        stored({ version: '1' }),
        stored({ version: '2', channel: 'unlisted' }),
        stored({ version: '3', deletedAt: new Date() }),
        stored({ version: '4', stage: 'rejected', files: [{ ...FILE, status: 5 }] }),
        stored({ version: '5', files: [{ isStored: false }] }),
      ],
    });
    expect(await versionFor(guid)).toBe('1');
    const { guid: metadata } = await make({ files: [{ isStored: false }] });
    expect(await entriesOf(metadata)).toEqual([]);
  });

  it('repeats the id as spelled in the request', async () => {
    await make({}, { guid: 'Mixed-Case@Example' });
    for (const id of ['Mixed-Case@Example', 'mixed-case@example', 'MIXED-CASE@EXAMPLE']) {
      expect(await versionFor(id)).toBe('1.0');
    }
    await make({}, { guid: '{AAAAAAAA-0000-4000-8000-00000000000a}' });
    expect(await versionFor('{aaaaaaaa-0000-4000-8000-00000000000A}')).toBe('1.0');
  });

  it('reads the last of repeated parameters, encoded names, plus signs and invalid escapes', async () => {
    const { guid } = await make({}, { guid: 'a+b c@example' });
    const rest = `&appID=${encodeURIComponent(APPS.desktop_browser.toUpperCase())}&appVersion=57.0`;
    const entries = async (query: string) => {
      const { json } = await app.anonymous.get(`/update/?${query}${rest}`);
      return Object.keys((json as { addons?: object }).addons ?? {});
    };
    expect(await entries('id=a%2Bb+c@example')).toEqual([guid]);
    expect(await entries('%69d=a%2Bb%20c%40example')).toEqual([guid]);
    expect(await entries('id=other@example&id=a%2Bb+c@example')).toEqual([guid]);
    for (const garbage of ['id=%ZZ', 'id=%', 'id=%FF%FE', 'id=%00', 'id=%ED%A0%80', `id=${'%'.repeat(4_000)}`]) {
      expect(await entries(garbage)).toEqual([]);
    }
  });
});

describe('a version fits', () => {
  const inMode = (mode: string | null): Query => (mode === null ? {} : { compatMode: mode });
  const upTo119 = { desktop_browser: ['57.0', '119.*'] } as VersionFacts['compatibility'];

  it.each([
    ['a WebExtension', 'extension', { files: [FILE] }, ['normal']],
    ['a static theme', 'statictheme', { files: [FILE] }, ['normal']],
    ['a language pack', 'language', { files: [FILE] }, ['normal']],
    ['a legacy add-on', 'extension', { files: [LEGACY] }, []],
    [
      'a legacy add-on with strict compatibility',
      'extension',
      { files: [LEGACY], isStrictCompatibilityEnabled: true },
      ['normal'],
    ],
  ] as const)('up to its end: %s', async (_what, type, version, alsoIn) => {
    const isStrict = alsoIn.length > 0;
    const { guid } = await make({ ...version, files: [...version.files], compatibility: upTo119 }, { type });
    for (const mode of [null, 'strict', 'normal', 'ignore', '', 'STRICT', 'Normal', '\0']) {
      const isChecked = mode === null || mode === 'strict' || (alsoIn as readonly (string | null)[]).includes(mode);
      expect([mode, await versionFor(guid, inMode(mode))]).toEqual([mode, isChecked ? null : '1.0']);
      expect(await versionFor(guid, { ...inMode(mode), appVersion: '119.5' })).toBe('1.0');
      expect(await versionFor(guid, { ...inMode(mode), appVersion: '56.0' })).toBeNull();
    }
    const [entry] = (await entriesOf(guid, { appVersion: '119.0' })) ?? [];
    expect(entry?.applications.gecko).toEqual({
      strict_min_version: '57.0',
      ...(isStrict ? { strict_max_version: '119.*' } : {}),
    });
  });

  it('without an end in any mode, and the entry has none', async () => {
    const { guid } = await make({ isStrictCompatibilityEnabled: true });
    for (const mode of ['strict', 'normal', 'ignore']) {
      const [entry] = (await entriesOf(guid, { compatMode: mode, appVersion: '4094.254' })) ?? [];
      expect(entry?.applications.gecko).toEqual({ strict_min_version: '57.0' });
    }
  });

  it('always, if it is a dictionary; its end counts only with strict compatibility', async () => {
    const facts = { type: 'dictionary' };
    const bare = await make({ compatibility: {} }, facts);
    expect((await entriesOf(bare.guid))?.[0]?.applications.gecko).toEqual({ strict_min_version: '1.0' });
    const plain = await make({ compatibility: upTo119 }, facts);
    expect((await entriesOf(plain.guid))?.[0]?.applications.gecko).toEqual({ strict_min_version: '57.0' });
    const strict = await make({ compatibility: upTo119, isStrictCompatibilityEnabled: true }, facts);
    expect((await entriesOf(strict.guid, { appVersion: '30.0' }))?.[0]?.applications.gecko).toEqual({
      strict_min_version: '57.0',
      strict_max_version: '119.*',
    });
  });

  it('with the limits that the manifest of a dictionary sets, for the mobile browser too', async () => {
    const facts = { type: 'dictionary' };
    const limits = { isStrict: true, ranges: { desktop_browser: { min: '61.0', max: '119.*', isLocked: false } } };
    const { guid, versions } = await make({ compatibility: upTo119, isStrictCompatibilityEnabled: true }, facts);
    await app.sql('UPDATE version SET manifest_compatibility = $2 WHERE id = $1', [
      versions[0]?.id,
      JSON.stringify(limits),
    ]);
    const [entry] = (await entriesOf(guid, { appID: APPS.mobile_browser, appVersion: '150.0' })) ?? [];
    expect(entry?.applications.gecko).toEqual({ strict_min_version: '61.0', strict_max_version: '119.*' });
  });

  it('never without compatibility data of the application', async () => {
    const { guid } = await make({ compatibility: { mail_client: ['60.0', '*'] } });
    for (const compatMode of ['strict', 'normal', 'ignore']) {
      expect(await entriesOf(guid, { compatMode })).toEqual([]);
      expect(await versionFor(guid, { compatMode, appID: APPS.mail_client })).toBe('1.0');
    }
    const { guid: bare } = await make({ compatibility: {} });
    expect(await entriesOf(bare, { compatMode: 'ignore' })).toEqual([]);
  });
});
