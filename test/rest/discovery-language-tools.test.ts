import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { type AddonFacts, addon, type MadeAddon } from '../support/factories.ts';

const app = setUpApp();
let german: MadeAddon;

const PATH = '/api/v4/addons/language-tools/';

interface Tool {
  guid: string;
  current_compatible_version?: { version: string };
}
const read = async (query: string, path = PATH) => {
  const reply = await app.anonymous.get(`${path}?${query}`);
  expect(reply.status).toBe(200);
  return (reply.json as { results: Tool[] }).results;
};
const names = async (query: string, path?: string) =>
  (await read(query, path)).map(({ guid }) => guid.replace('@tools', '')).sort();

const tool = (name: string, facts: AddonFacts) => addon({ guid: `${name}@tools`, slug: name, ...facts });
const range = (min: string, max: string) => ({ compatibility: { desktop_browser: [min, max] as [string, string] } });

beforeAll(async () => {
  const author = await app.developer();
  const other = await app.developer();
  const authors = [author.accountId ?? 0, { id: other.accountId ?? 0, listed: false }];
  german = await tool('de', {
    type: 'language',
    name: { 'en-US': 'German', de: 'Deutsch' },
    targetLocale: 'de',
    authors,
    versions: [
      { version: '57.0.1', ...range('57.0', '57.*') },
      { version: '57.0.2', ...range('57.0', '57.*') },
      { version: '58.0.1', ...range('58.0', '58.*') },
      { version: '57.0.3', ...range('57.0', '57.*'), files: [{ status: 1 }], stage: 'awaiting_review' },
      { version: '57.0.4', ...range('57.0', '57.*'), channel: 'unlisted' },
      { version: '57.0.5', ...range('57.0', '57.*'), deletedAt: new Date() },
    ],
  });
  await tool('fr', { type: 'language', targetLocale: 'fr', versions: [range('58.0', '58.0a1')] });
  await tool('it', {
    type: 'language',
    targetLocale: 'it',
    versions: [{ compatibility: { mail_client: ['52.0', '*'] } }],
  });
  await tool('any', { type: 'language', targetLocale: 'eo', versions: [{ compatibility: {} }] });
  await tool('no-locale', { type: 'language' });
  await tool('hidden', { type: 'language', targetLocale: 'es', status: 'nominated' });
  await tool('en-dict', {
    type: 'dictionary',
    targetLocale: 'en-US',
    localeDisambiguation: 'American',
    versions: [{ compatibility: {} }],
  });
  await tool('mail-dict', {
    type: 'dictionary',
    targetLocale: 'cs',
    authors: [other.accountId ?? 0],
    versions: [{ compatibility: { mail_client: ['52.0', '52.*'] } }],
  });
  await tool('extension', { type: 'extension', targetLocale: 'ja' });
});

describe('language-tools', () => {
  it('lists all public language packs and dictionaries of an application', async () => {
    expect(await names('app=desktop_browser')).toEqual(['any', 'de', 'en-dict', 'fr']);
    expect(await names('app=1&page=7&page_size=1')).toEqual(['any', 'de', 'en-dict', 'fr']);
    expect(await names('app=mail_client')).toEqual(['any', 'en-dict', 'it', 'mail-dict']);
  });

  it('filters by type', async () => {
    expect(await names('app=desktop_browser&type=language')).toEqual(['any', 'de', 'fr']);
    expect(await names('app=desktop_browser&type=3')).toEqual(['en-dict']);
    expect(await names('app=desktop_browser&type=extension')).toEqual([]);
  });

  it('shows a tool with the documented keys', async () => {
    const dictionary = (await read('app=desktop_browser&type=dictionary&lang=de'))[0] as Tool & { id: number };
    expect(JSON.stringify({ ...dictionary, id: 0, name: '' })).toBe(
      JSON.stringify({
        id: 0,
        default_locale: 'en-US',
        name: '',
        guid: 'en-dict@tools',
        locale_disambiguation: 'American',
        slug: 'en-dict',
        target_locale: 'en-US',
        type: 'dictionary',
        url: `${app.url}/addon/en-dict/`,
      }),
    );
  });

  it('returns language packs for an application version with their newest public version for it', async () => {
    const versions = async (query: string) =>
      Object.fromEntries(
        (await read(`app=desktop_browser&type=language&${query}`)).map((shown) => [
          shown.guid,
          shown.current_compatible_version?.version,
        ]),
      );
    expect(await versions('appversion=57.0')).toEqual({ 'de@tools': '57.0.2', 'any@tools': '1.0' });
    expect(await versions('appversion=58.0')).toEqual({ 'de@tools': '58.0.1', 'fr@tools': '1.0', 'any@tools': '1.0' });
    expect(await versions('appversion=59.0')).toEqual({ 'any@tools': '1.0' });
  });

  it('shows four keys of a compatible version', async () => {
    const [shown] = await read('app=desktop_browser&type=language&appversion=57.0.1');
    expect(Object.keys(shown ?? {}).slice(0, 2)).toEqual(['id', 'current_compatible_version']);
    const version = shown?.current_compatible_version as unknown as Record<string, unknown>;
    expect(Object.keys(version)).toEqual(['id', 'files', 'reviewed', 'version']);
    const sha256 = german.versions[1]?.files[0]?.sha256;
    expect(version).toMatchObject({ id: german.versions[1]?.id, files: [{ hash: `sha256:${sha256}`, status: 4 }] });
  });

  it('treats dictionaries as compatible with every version', async () => {
    const dictionaries = await read('app=desktop_browser&type=dictionary&appversion=57.0');
    expect(dictionaries.map(({ guid }) => guid)).toEqual(['en-dict@tools']);
    expect(dictionaries[0]).not.toHaveProperty('current_compatible_version');
  });

  it('filters by listed authors, in v4', async () => {
    const { username } = (
      await app.sql<{ username: string }>(
        'SELECT p.username FROM account p JOIN addon_author w ON w.account_id = p.id WHERE w.addon_id = $1 AND w.listed',
        [german.id],
      )
    )[0] ?? { username: '' };
    const query = `app=desktop_browser&author=nobody,${username.toUpperCase()}`;
    expect(await names(query)).toEqual(['de']);
    expect(await names(`${query}&type=language&appversion=57.0`)).toEqual(['de']);
    expect(await names('app=desktop_browser&author=nobody')).toEqual([]);
    expect(await names(query, '/api/v3/addons/language-tools/')).toEqual(['any', 'de', 'en-dict', 'fr']);
  });

  it('returns names in every documented form', async () => {
    const name = async (version: string, query: string) => {
      const all = await read(`app=desktop_browser${query}`, `/api/${version}/addons/language-tools/`);
      return (all.find(({ guid }) => guid === 'de@tools') as unknown as { name: unknown }).name;
    };
    expect(await name('v4', '')).toEqual({ 'en-US': 'German', de: 'Deutsch' });
    expect(await name('v3', '&lang=de')).toBe('Deutsch');
    expect(await name('v4', '&lang=xx')).toBe('German');
    expect(await name('v4dev', '&lang=de')).toEqual({ de: 'Deutsch' });
  });

  it('may be cached for a day, and returns 304 for a matching ETag', async () => {
    const first = await app.anonymous.get(`${PATH}?app=desktop_browser`);
    expect(first.headers['cache-control']).toBe('max-age=86400');
    const again = await app.anonymous.get(`${PATH}?app=desktop_browser`, { 'If-None-Match': `${first.headers.etag}` });
    expect([again.status, again.text, again.headers['cache-control']]).toEqual([304, '', 'max-age=86400']);
    const signedIn = await (await app.developer()).get(`${PATH}?app=desktop_browser`);
    expect(signedIn.headers['cache-control']).toBe('max-age=86400');
  });

  it('returns the same in GraphQL', async () => {
    const { languageTools } = await app.anonymous.graphql<{ languageTools: unknown }>(
      `{ languageTools(app: DESKTOP_BROWSER, appVersion: "57.0", type: LANGUAGE) {
        compatibleVersion { version } addon { slug targetLocale guid } } }`,
    );
    expect(languageTools).toEqual([
      { compatibleVersion: { version: '57.0.2' }, addon: { slug: 'de', targetLocale: 'de', guid: 'de@tools' } },
      { compatibleVersion: { version: '1.0' }, addon: { slug: 'any', targetLocale: 'eo', guid: 'any@tools' } },
    ]);
  });
});

describe('language-tools refuses', () => {
  const app1 = 'app=desktop_browser';
  const noApp = { app: [beginningWith('Invalid or missing app parameter. ')] };
  const badVersion = { appversion: [beginningWith('Invalid appversion parameter. ')] };
  const noType = { type: [beginningWith('Invalid or missing type parameter while appversion parameter is set.')] };
  it.each([
    ['', noApp],
    ['app=', noApp],
    ['app=browser', noApp],
    ['app=constructor', noApp],
    ['app[]=desktop_browser', noApp],
    ['app=desktop_browser&app=', noApp],
    ['type=language&appversion=57.0', noApp],
    [`${app1}&type=language&appversion=`, badVersion],
    [`${app1}&type=language&appversion=new`, badVersion],
    [`${app1}&type=language&appversion=57.*`, badVersion],
    [`${app1}&type=language&appversion=*`, badVersion],
    [`${app1}&type=language&appversion=9.0`, badVersion],
    [`${app1}&type=language&appversion=${'9'.repeat(4096)}`, badVersion],
    [`${app1}&type=language&appversion=-57.0`, badVersion],
    [`${app1}&type=language&appversion=57.0%00`, badVersion],
    [`${app1}&appversion=57.0`, noType],
    [`${app1}&appversion=57.0&type=`, noType],
    [`${app1}&appversion=57.0&type=pack`, noType],
    [`${app1}&type=pack`, { type: [beginningWith('Invalid "type" parameter. ')] }],
  ])('%s', async (query, body) => {
    const reply = await app.anonymous.get(`${PATH}?${query}`);
    expect([reply.status, reply.json]).toEqual([400, body]);
  });

  it('static themes in v3', async () => {
    const query = `${app1}&type=statictheme`;
    expect((await app.anonymous.get(`/api/v3/addons/language-tools/?${query}`)).status).toBe(400);
    expect(await names(query)).toEqual([]);
  });
});
