import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();
let curator: Client;

type Json = Record<string, unknown>;
interface List {
  count: number;
  results: { heading: string; description: string | null; addon: { slug: string } & Json }[];
}

const VERSIONS = ['v3', 'v4', 'v4dev'];

const get = async (path: string) => {
  const reply = await app.anonymous.get(path);
  expect(reply.status).toBe(200);
  return reply.json;
};
const discovery = async (query = '', version = 'v4') => (await get(`/api/${version}/discovery/${query}`)) as List;
const hero = async (query = '', version = 'v4') =>
  (await get(`/api/${version}/hero/${query}`)) as { primary: Json; secondary: Json };
const slugs = ({ results }: List) => results.map((item) => item.addon.slug);

const run = async (mutation: string, input: Json) =>
  (
    await curator.graphql<Record<string, Json>>(
      `mutation($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) {
        __typename ... on InvalidInputError { fields { name } } } }`,
      { input },
    )
  )[mutation];

describe('without add-ons', () => {
  it('the beginning of home pages is the site itself, never null', async () => {
    const shown = await hero('?lang=de');
    expect(shown.primary).toEqual({
      ...{ id: 0, gradient: { start: '#20123a', end: '#054096' }, featured_image: null, description: null },
      external: { id: 0, guid: '', homepage: `${app.config.BASE_URL}/`, name: app.config.SITE_NAME, type: 'extension' },
    });
    expect(shown.secondary).toMatchObject({ headline: 'Add-ons, die Sie prüfen können' });
    expect(shown.secondary.modules).toHaveLength(3);
  });
});

describe('with add-ons', () => {
  beforeAll(async () => {
    curator = await app.memberWith('Admin:Curation');
    for (let index = 0; index < 9; index += 1) {
      await addon({
        ...{
          slug: `fine-${index}`,
          guid: `fine-${index}@list`,
          name: { 'en-US': `Fine <${index}>`, de: `Fein ${index}` },
        },
        ...{ summary: { 'en-US': 'Sums "up"' }, authors: [Number(curator.accountId)] },
        featured: [{ app: 'desktop_browser' }],
      });
    }
    await addon({
      slug: 'shade',
      guid: 'shade@list',
      type: 'statictheme',
      name: { 'en-US': 'Shade' },
      summary: { 'en-US': 'Dark' },
    });
    await addon({ slug: 'hidden', guid: 'hidden@list', status: 'nominated' });
  });

  it.each(VERSIONS)('discovery has seven featured ones in %s, without a list of curators', async (version) => {
    const list = await discovery('?lang=en-US', version);
    expect(list.count).toBe(7);
    const [first] = list.results;
    const keys = version === 'v3' ? 'heading description' : 'heading description description_text';
    expect(Object.keys(first ?? {}).join(' ')).toBe(`${keys} is_recommendation addon`);
    expect(Object.keys(first?.addon ?? {}).join(' ')).toBe(
      'id authors average_daily_users current_version guid icon_url name previews ratings slug type url',
    );
    expect(Object.keys(first?.addon.current_version as object)).toEqual([
      ...['id', 'compatibility', 'is_strict_compatibility_enabled', 'files'],
    ]);
    const { slug } = first?.addon ?? { slug: '' };
    const number = slug.split('-')[1];
    expect(first?.heading).toMatch(
      new RegExp(`^Fine &lt;${number}&gt; <span>by <a href="http[^"]*/addon/${slug}/">[^<]+</a></span>$`),
    );
    expect(first?.description).toBe('<blockquote>Sums &quot;up&quot;</blockquote>');
    expect((await discovery('editorial/', version)).count).toBe(0);
  });

  it('discovery has what curators chose, by edition and language, without hidden ones', async () => {
    const entries = [
      {
        ...{ addon: { slug: 'fine-3' }, heading: [{ locale: 'en-US', value: 'Read <more>' }] },
        description: [{ locale: 'de', value: 'Gut & günstig' }],
      },
      { addon: { slug: 'hidden' } },
      { addon: { slug: 'shade' } },
    ];
    expect(await run('setDiscovery', { entries })).toEqual({ __typename: 'SetDiscoveryPayload' });
    await run('setDiscovery', { edition: 'china', locale: 'de', entries: [{ addon: { slug: 'fine-5' } }] });
    const list = await discovery('?lang=de&telemetry-client-id=x');
    expect(slugs(list)).toEqual(['fine-3', 'shade']);
    expect(list.results[0]?.heading).toMatch(/^Read &lt;more&gt; <span>mit <a href="[^"]+">Fein 3<\/a><\/span>$/);
    expect(list.results.map((item) => item.description)).toEqual(['<blockquote>Gut &amp; günstig</blockquote>', null]);
    expect(slugs(await discovery('editorial/?lang=de'))).toEqual(['fine-3', 'shade']);
    expect(slugs(await discovery('?lang=de&edition=china'))).toEqual(['fine-5']);
    expect(slugs(await discovery('?lang=fr&edition=china'))).toEqual(['fine-3', 'shade']);
    expect(slugs(await discovery('', 'v3'))).toEqual(['fine-3']);
    const reply = await app.anonymous.get('/api/v4/discovery/');
    expect(reply.headers['cache-control']).toContain('max-age=300');
    expect(await run('setDiscovery', { entries: [{ addon: { slug: 'no-such' } }] })).toMatchObject({
      fields: [{ name: 'addon' }],
    });
    await run('setDiscovery', { entries: [] });
    expect((await discovery()).count).toBe(7);
  });

  it.each(VERSIONS)('the beginning of home pages is a featured one of the day in %s', async (version) => {
    const { primary } = await hero('', version);
    expect(primary).toMatchObject({ id: 0, addon: { slug: expect.stringMatching(/^fine-/) } });
    expect(primary).not.toHaveProperty('external');
    expect((await hero('', version)).primary).toEqual(primary);
  });

  it('the beginning of home pages is what curators chose', async () => {
    const colors = { gradientStart: '#ABCDEF', gradientEnd: '#000000' };
    const external = { homepage: 'https://elsewhere.example/', name: 'Elsewhere' };
    await run('setHero', { entries: [{ ...colors, external, description: [{ locale: 'de', value: 'Dort' }] }] });
    expect((await hero('?lang=de')).primary).toMatchObject({
      ...{ id: expect.any(Number), gradient: { start: '#abcdef', end: '#000000' }, description: 'Dort' },
      external: { id: 0, homepage: 'https://elsewhere.example/', name: 'Elsewhere', type: 'extension' },
    });
    const module = { icon: 'https://elsewhere.example/i.svg', description: [{ locale: 'en-US', value: 'Part' }] };
    const secondary = {
      ...{ headline: [{ locale: 'en-US', value: 'Now' }], description: [{ locale: 'en-US', value: 'Here' }] },
      modules: [module, module, module],
    };
    await run('setHero', { secondary, entries: [{ ...colors, addon: { slug: 'fine-1' } }] });
    const shown = await hero();
    expect(shown.primary).toMatchObject({ addon: { slug: 'fine-1' } });
    expect(shown.secondary).toMatchObject({ headline: 'Now', cta: null, modules: [{ description: 'Part' }, {}, {}] });
    for (const entry of [{ ...colors }, { ...colors, external, addon: { slug: 'shade' } }]) {
      expect(await run('setHero', { entries: [entry] })).toMatchObject({ fields: [{ name: 'entries' }] });
    }
    const red = { ...colors, gradientStart: 'red', external };
    expect(await run('setHero', { entries: [red] })).toMatchObject({ fields: [{ name: 'gradientStart' }] });
    await run('setHero', { secondary: null, entries: [] });
    expect((await hero()).secondary).toMatchObject({ headline: 'Add-ons you can check' });
  });

  it('add-ons for extensions of another browser are pairs, in pages', async () => {
    const path = '/api/v5/addons/browser-mappings/';
    const missing = await app.anonymous.get(path);
    expect([missing.status, missing.json]).toEqual([400, { browser: ['This field is required.'] }]);
    expect((await app.anonymous.get(`${path}?browser=other`)).status).toBe(400);
    expect(await get(`${path}?browser=chrome`)).toMatchObject({ count: 0, results: [] });
    const mappings = ['c', 'a', 'b'].map((id) => ({ extensionId: id.repeat(32), addonGuid: `${id}@list` }));
    await run('setBrowserMappings', { browser: 'chrome', mappings });
    expect(await get(`${path}?browser=chrome&page_size=2`)).toMatchObject({
      ...{ count: 3, page_count: 2, previous: null },
      results: [
        { extension_id: 'a'.repeat(32), addon_guid: 'a@list' },
        { extension_id: 'b'.repeat(32), addon_guid: 'b@list' },
      ],
    });
    expect((await app.anonymous.get('/api/v4/addons/browser-mappings/?browser=chrome')).status).toBe(404);
  });

  it('lists are written by commands from JSON files', async () => {
    const { parseList } = await import('../../src/commands/discovery-lists.ts');
    const { setDiscovery } = await import('../../src/domain/curation/curate-discovery.ts');
    const text = JSON.stringify({ entries: [{ addon: 'fine-2', heading: { de: 'Neu' } }] });
    await setDiscovery('command line', parseList('discovery', text, 'list.json'));
    expect(await app.sql('SELECT heading FROM discovery_entry WHERE edition IS NULL')).toEqual([
      { heading: { de: 'Neu' } },
    ]);
    expect(parseList('mappings', '{"a":"a@list"}', 'list.json')).toEqual({ a: 'a@list' });
    const colors = { gradientStart: '#111111', gradientEnd: '#222222' };
    expect(parseList('hero', JSON.stringify({ entries: [{ addon: 'x', ...colors }] }), 'list.json')).toEqual({
      entries: [{ addon: { slug: 'x' }, ...colors }],
    });
    expect(() => parseList('discovery', '{"entries":[{"addon":1}]}', 'list.json')).toThrow('list.json');
    expect(() => parseList('hero', '{', 'list.json')).toThrow('list.json is no JSON.');
  });
});

describe('POST accounts/unsubscribe/', () => {
  it.each([...VERSIONS, 'v5'])('switches mailings off by the link of a mail in %s', async (version) => {
    const client = await app.developer();
    const { unsubscribeUrl } = await import('../../src/domain/mail/unsubscribe.ts');
    const token = new URL(unsubscribeUrl(Number(client.accountId), 'new_features')).pathname.split('/').at(-2) ?? '';
    const send = (body: object) =>
      app.anonymous.request('POST', `/api/${version}/accounts/unsubscribe/`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const hash = token.split('-').at(-1);
    const parts = { token: String(client.accountId), hash, notification: 'new_features' };
    for (const body of [parts, { token, notification: 'new_features' }]) {
      const reply = await send(body);
      expect([reply.status, reply.json]).toEqual([200, { name: 'new_features', enabled: false, mandatory: false }]);
    }
    const enabled = await app.sql('SELECT name, enabled FROM notification_setting WHERE account_id = $1', [
      client.accountId,
    ]);
    expect(enabled).toEqual([{ name: 'new_features', enabled: false }]);
    for (const wrong of [
      { ...parts, hash: '0'.repeat(32) },
      { token, notification: 'announcements' },
    ]) {
      expect((await send(wrong)).status).toBe(404);
    }
    const empty = await send({});
    expect([empty.status, Object.keys(empty.json as Json)]).toEqual([400, ['token', 'hash', 'notification']]);
  });
});
