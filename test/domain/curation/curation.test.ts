import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { exportedLines, refusalsOf } from '../../support/catalogue/lines.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId, withGlobalIds } from '../../support/global-ids.ts';

const app = setUpApp();
let curator: Client;
let publicAddon: MadeAddon;

interface Result {
  __typename: string;
  message?: string;
  path?: string[] | null;
}
/** Runs a mutation of curation. */
async function change(client: Client, name: string, input: Record<string, unknown>): Promise<Result> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const text = `mutation($input: ${type}) { ${name}(input: $input) { __typename ... on UserError { message path } } }`;
  return (await client.graphql<Record<string, Result>>(text, { input: withGlobalIds(name, input) }))[name] as Result;
}
const results = async (path: string) =>
  ((await app.anonymous.get(`/api/v4/addons/${path}`)).json as { results: Record<string, unknown>[] }).results;
const lastAudit = async () =>
  (await app.sql<{ action: string }>('SELECT action FROM audit_entry ORDER BY id DESC LIMIT 1'))[0]?.action;
const audits = async () => (await app.sql("SELECT FROM audit_entry WHERE actor LIKE 'account %'")).length;

beforeAll(async () => {
  curator = await app.memberWith('Admin:Curation');
  publicAddon = await addon({
    guid: 'shown@curation',
    slug: 'shown',
    categories: [{ app: 'desktop_browser', slug: 'Tools' }],
  });
});

describe('setFeatured', () => {
  const place = () => ({ addon: { databaseId: publicAddon.id }, app: 'DESKTOP_BROWSER' });
  const featured = async (query = '') =>
    (await results(`featured/?app=desktop_browser${query}`)).map(({ guid, is_featured }) => [guid, is_featured]);

  it('features an add-on once for repeated requests, and removes it again', async () => {
    await Promise.all([1, 2, 3].map(() => change(curator, 'setFeatured', { ...place(), isFeatured: true })));
    expect(await featured()).toEqual([['shown@curation', true]]);
    const entries = await app.sql('SELECT app, locale, category FROM featured_entry');
    expect(entries).toEqual([{ app: 'desktop_browser', locale: null, category: null }]);
    expect([await audits(), await lastAudit()]).toEqual([1, 'addon-featured']);
    await change(curator, 'setFeatured', { ...place(), isFeatured: false });
    expect(await featured()).toEqual([]);
    expect(await lastAudit()).toBe('addon-unfeatured');
  });

  it('accepts a language and a category', async () => {
    const input = { ...place(), locale: 'PT_br', category: 'tools', isFeatured: true };
    expect(await change(curator, 'setFeatured', input)).toEqual({ __typename: 'SetFeaturedPayload' });
    expect(await featured('&type=extension&category=tools&lang=pt-BR')).toEqual([['shown@curation', true]]);
    expect(await featured('&lang=pt-BR')).toEqual([]);
    await change(curator, 'setFeatured', { ...input, isFeatured: false });
  });

  it('names an add-on that the curator may not see', async () => {
    const hidden = await addon({ status: 'disabled' });
    const id = globalId('Addon', hidden.id);
    const text = `mutation { setFeatured(input: { addon: { id: "${id}" }, app: DESKTOP_BROWSER, isFeatured: true }) {
      ... on SetFeaturedPayload { addonId isFeatured } } }`;
    expect(await curator.graphql(text)).toEqual({ setFeatured: { addonId: id, isFeatured: true } });
    expect(await app.sql('SELECT app FROM featured_entry WHERE addon_id = $1', [hidden.id])).toHaveLength(1);
  });

  it.each([
    [{ locale: 'xx' }, "The language code 'xx' is invalid.", ['locale']],
    [{ category: 'none' }, 'There is no category "none" of desktop_browser.', ['category']],
    [{ app: 'MAIL_CLIENT', category: 'tools' }, 'There is no category "tools" of mail_client.', ['category']],
    [{ category: 'a\0' }, 'This text cannot be stored.', ['category']],
    [
      { addon: { databaseId: 999_999 } },
      'There is no add-on "999999". Name it by its slug, which is in the address of its page, its GUID or its number.',
      ['addon'],
    ],
  ])('refuses %j', async (wrong, message, path) => {
    const result = await change(curator, 'setFeatured', { ...place(), isFeatured: true, ...wrong });
    expect(result).toMatchObject({ message, path });
  });
});

type Refused = [name: string, input: Record<string, unknown>, field: string];
const BAD_PATHS = 'addon/x/ javascript:alert(1) //elsewhere.example https:// http:///x'.split(' ');
const OTHERS = ['https:// x', '/a\nb', `/${'x'.repeat(300)}`];
const TOO_MANY = Array.from({ length: 501 }, (_, index) => `${index}@new`);

describe('upsertReplacement and upsertCollection', () => {
  it('determine the replacements of an add-on', async () => {
    await change(curator, 'upsertCollection', { path: '/editor/list/', guids: ['shown@curation'] });
    await change(curator, 'upsertReplacement', {
      guid: 'direct@old',
      target: { guids: ['SHOWN@curation', 'shown@curation'] },
    });
    await change(curator, 'upsertReplacement', { guid: 'listed@old', target: { path: '/collections/editor/list/' } });
    expect(await results('replacement-addon/')).toEqual([
      { guid: 'direct@old', replacement: ['shown@curation'] },
      { guid: 'listed@old', replacement: ['shown@curation'] },
    ]);
    await change(curator, 'upsertReplacement', { guid: 'DIRECT@old', target: { path: 'https://elsewhere.example/' } });
    await change(curator, 'deleteCollection', { path: 'Editor/List' });
    expect((await results('replacement-addon/')).map(({ replacement }) => replacement)).toEqual([[], []]);
    for (const guid of ['direct@old', 'listed@old']) await change(curator, 'deleteReplacement', { guid });
    expect(await results('replacement-addon/')).toEqual([]);
  });

  it('return what they stored', async () => {
    const collect = `mutation($guids: [String!]!) { upsertCollection(input: { path: "/kept/", guids: $guids }) {
      ... on UpsertCollectionPayload { collection { id path guids } } } }`;
    expect(await curator.graphql(collect, { guids: ['shown@curation', 'SHOWN@curation'] })).toEqual({
      upsertCollection: { collection: { id: expect.any(String), path: 'kept', guids: ['SHOWN@curation'] } },
    });
    const replace = `mutation($target: ReplacementTargetInput!) { upsertReplacement(input: { guid: "a@old", target: $target }) {
      ... on UpsertReplacementPayload { replacement { guid replacement } } } }`;
    expect(await curator.graphql(replace, { target: { path: '/addon/shown/' } })).toEqual({
      upsertReplacement: { replacement: { guid: 'a@old', replacement: ['shown@curation'] } },
    });
    await change(curator, 'deleteReplacement', { guid: 'a@old' });
    await change(curator, 'deleteCollection', { path: 'kept' });
    const both = { path: '/addon/shown/', guids: ['shown@curation'] };
    expect((await curator.graphqlResult(replace, { target: both })).errors).toHaveLength(1);
  });

  it('accept guids in the old form without @', async () => {
    const guid = 'oldform.without.at';
    const input = { guid, target: { guids: ['shown@curation', 'new.oldform'] } };
    expect(await change(curator, 'upsertReplacement', input)).toEqual({ __typename: 'UpsertReplacementPayload' });
    expect(await results('replacement-addon/')).toEqual([{ guid, replacement: ['shown@curation'] }]);
    await change(curator, 'deleteReplacement', { guid });
    expect(await results('replacement-addon/')).toEqual([]);
  });

  it('store only values that an import accepts', async () => {
    const made = [
      await change(curator, 'upsertReplacement', { guid: 'front@old', target: { path: '/' } }),
      await change(curator, 'upsertReplacement', { guid: 'away@old', target: { path: 'https://elsewhere.example' } }),
      await change(curator, 'upsertCollection', { path: '/ spaced /', guids: ['shown@curation'] }),
    ];
    expect(new Set(made.map(({ message }) => message))).toEqual(new Set([undefined]));
    const lines = await exportedLines();
    expect(lines.map(({ path }) => path).filter(Boolean)).toEqual([' spaced ', '/', 'https://elsewhere.example']);
    expect(await refusalsOf(lines)).toEqual([]);
    expect(await exportedLines()).toEqual(lines);
  });

  it.each<Refused>([
    ['upsertReplacement', { guid: 'a@old', target: { guids: [] } }, 'target'],
    ['upsertCollection', { path: 'a', guids: [] }, 'guids'],
    ['deleteCollection', { path: '//' }, 'path'],
    ['upsertReplacement', { guid: '', target: { path: '/' } }, 'guid'],
    ['upsertReplacement', { guid: 'a@old ', target: { path: '/' } }, 'guid'],
    ['upsertReplacement', { guid: 'a\0@old', target: { path: '/' } }, 'guid'],
    ['upsertReplacement', { guid: `a@${'o'.repeat(254)}`, target: { path: '/' } }, 'guid'],
    ['upsertReplacement', { guid: 'a@old', target: { guids: ['new@a\n'] } }, 'guids'],
    ...[...BAD_PATHS, ...OTHERS].map(
      (path): Refused => ['upsertReplacement', { guid: 'a@old', target: { path } }, 'path'],
    ),
    ['upsertReplacement', { guid: 'a@old', target: { guids: TOO_MANY } }, 'guids'],
    ['upsertCollection', { path: '//', guids: ['a@new'] }, 'path'],
    ['upsertCollection', { path: 'a\nb', guids: ['a@new'] }, 'path'],
    ['upsertCollection', { path: 'a\u2028b', guids: ['a@new'] }, 'path'],
  ])('%s refuses %j', async (name, input, field) => {
    expect(await change(curator, name, input)).toMatchObject({ __typename: 'InvalidInputError', path: [field] });
  });
});

describe('upsertCompatOverride', () => {
  const desktop = { app: 'DESKTOP_BROWSER', minVersion: '40.0', maxVersion: '*' };
  const range = { addonMinVersion: '1.0', addonMaxVersion: '1.5', applications: [desktop] };

  it('replaces the ranges of an override, and deletes it', async () => {
    const guid = 'shown@curation';
    const set = `mutation($input: UpsertCompatOverrideInput!) { upsertCompatOverride(input: $input) {
      ... on UpsertCompatOverridePayload { compatOverride { addonGuid name versionRanges { addonMaxVersion } } } } }`;
    const versionRanges = [range, range];
    expect(await curator.graphql(set, { input: { guid, name: 'First', versionRanges } })).toMatchObject({
      upsertCompatOverride: { compatOverride: { addonGuid: guid, name: 'First' } },
    });
    const applications = [desktop, { ...desktop, app: 'MOBILE_BROWSER' }];
    await change(curator, 'upsertCompatOverride', {
      guid,
      name: ' Second ',
      versionRanges: [{ ...range, applications }],
    });
    expect(await results('compat-override/')).toMatchObject([
      {
        addon_id: publicAddon.id,
        addon_guid: guid,
        name: 'Second',
        version_ranges: [{ applications: [{ name: 'desktop_browser' }, { name: 'mobile_browser' }] }],
      },
    ]);
    await change(curator, 'deleteCompatOverride', { guid });
    expect(await results('compat-override/')).toEqual([]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'Kept'],
    [{ name: null }, ''],
    [{ name: ' ' }, ''],
  ])('with %j replaces the ranges and changes the name "Kept" to %j', async (input, name) => {
    const guid = 'shown@curation';
    await change(curator, 'upsertCompatOverride', { guid, name: 'Kept', versionRanges: [range] });
    const changed = { guid, versionRanges: [{ ...range, addonMaxVersion: '2.0' }], ...input };
    await change(curator, 'upsertCompatOverride', changed);
    const shape = { name, version_ranges: [{ addon_max_version: '2.0' }] };
    expect(await results('compat-override/')).toMatchObject([shape]);
    await change(curator, 'deleteCompatOverride', { guid });
  });

  it('accepts guids in the old form without @', async () => {
    const guid = 'oldform.without.at';
    await change(curator, 'upsertCompatOverride', { guid, versionRanges: [range] });
    expect(await results(`compat-override/?guid=${guid}`)).toMatchObject([{ addon_guid: guid }]);
    await change(curator, 'deleteCompatOverride', { guid });
    expect(await results('compat-override/')).toEqual([]);
  });

  it('accepts 500 ranges, as an import does', async () => {
    const most = { guid: 'ranges@curation', versionRanges: Array.from({ length: 500 }, () => range) };
    expect(await change(curator, 'upsertCompatOverride', most)).toEqual({ __typename: 'UpsertCompatOverridePayload' });
    expect(await refusalsOf(await exportedLines())).toEqual([]);
    await change(curator, 'deleteCompatOverride', { guid: most.guid });
  });

  it.each([
    { versionRanges: [] },
    { versionRanges: [{ ...range, addonMinVersion: 'from 1' }] },
    { versionRanges: [{ ...range, applications: [] }] },
    { versionRanges: [{ ...range, applications: [{ ...desktop, maxVersion: 'new' }] }] },
  ])('refuses %j', async (input) => {
    const result = await change(curator, 'upsertCompatOverride', { guid: 'a@b', ...input });
    expect(result).toMatchObject({ __typename: 'InvalidInputError', path: ['versionRanges'] });
  });
});

describe('setRecommendationFallback', () => {
  it('replaces the curated list', async () => {
    await change(curator, 'setRecommendationFallback', { guids: ['unknown@curation'] });
    const lists = [['shown@curation', 'unknown@curation'], ['shown@curation']];
    const changes = lists.map((guids) => change(curator, 'setRecommendationFallback', { guids }));
    expect((await Promise.all(changes)).map(({ __typename }) => __typename)).toEqual([
      'SetRecommendationFallbackPayload',
      'SetRecommendationFallbackPayload',
    ]);
    expect((await results('recommendations/')).map(({ guid }) => guid)).toEqual(['shown@curation']);
  });
});

describe('a repeated change', () => {
  const range = {
    ...{ addonMinVersion: '1.0', addonMaxVersion: '1.5' },
    applications: ['DESKTOP_BROWSER', 'MAIL_CLIENT'].map((app) => ({ app, minVersion: '40.0', maxVersion: '*' })),
  };
  it.each([
    ['upsertReplacement', { guid: 'again@old', target: { guids: ['shown@curation'] } }],
    ['upsertReplacement', { guid: 'again@old', target: { path: '/addon/shown/' } }],
    ['deleteReplacement', { guid: 'again@old' }],
    ['upsertCollection', { path: 'again', guids: ['shown@curation', 'other@curation'] }],
    ['deleteCollection', { path: 'again' }],
    ['upsertCompatOverride', { guid: 'again@old', name: 'Again', versionRanges: [range] }],
    ['deleteCompatOverride', { guid: 'again@old' }],
    ['setRecommendationFallback', { guids: ['shown@curation', 'other@curation'] }],
    ['setRecommendationFallback', { guids: [] }],
  ])('has no effect: %s %j', async (name, input) => {
    const state = async () => [
      await audits(),
      await app.sql('SELECT id, override_id FROM compat_override_range ORDER BY id'),
    ];
    expect((await change(curator, name, input)).message).toBeUndefined();
    const once = await state();
    expect((await change(curator, name, input)).message).toBeUndefined();
    expect(await state()).toEqual(once);
  });
});

describe('viewers without Admin:Curation', () => {
  const inputs: [string, Record<string, unknown>][] = [
    ['setFeatured', { addon: { databaseId: 1 }, app: 'DESKTOP_BROWSER', isFeatured: true }],
    ['upsertReplacement', { guid: 'a@b', target: { guids: [] } }],
    ['deleteReplacement', { guid: 'a@b' }],
    ['upsertCollection', { path: 'a', guids: [] }],
    ['deleteCollection', { path: 'a' }],
    ['upsertCompatOverride', { guid: 'a@b', versionRanges: [] }],
    ['deleteCompatOverride', { guid: 'a@b' }],
    ['setRecommendationFallback', { guids: [] }],
  ];
  it.each(inputs)('cannot use %s', async (name, input) => {
    const before = await audits();
    for (const member of [await app.developer(), await app.memberWith('Addons:Edit', 'Addons:Review')]) {
      expect((await change(member, name, input)).__typename).toBe('NotPermittedError');
    }
    await expect(change(app.anonymous, name, input)).rejects.toThrow('NOT_AUTHENTICATED');
    expect(await audits()).toBe(before);
  });
});
