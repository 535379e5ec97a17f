import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { type AddonFacts, addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();

const PATH = '/api/v4/addons/featured/';

interface Shown extends Record<string, unknown> {
  guid: string;
}
const read = async (query: string, path = PATH) => {
  const reply = await app.anonymous.get(`${path}?${query}`);
  expect(reply.status).toBe(200);
  return (reply.json as { results: Shown[] }).results;
};
const ordered = async (query: string, path?: string) =>
  (await read(query, path)).map(({ guid }) => guid.replace('@featured', ''));
const names = async (query: string, path?: string) => (await ordered(query, path)).sort();

/** Options of tests that compare two responses: the order changes every ten minutes, possibly between them. */
const ONE_ORDER = { retry: 1 };

const feature = (name: string, featured: AddonFacts['featured'], facts: AddonFacts = {}) =>
  addon({ guid: `${name}@featured`, ...(featured ? { featured } : {}), ...facts });
const desktop = { app: 'desktop_browser' };
const tools = { app: 'desktop_browser', slug: 'Tools' };

beforeAll(async () => {
  const author = await app.developer();
  const facts: AddonFacts = {
    authors: [author.accountId ?? 0],
    categories: [tools],
    versions: [{ license: { builtin: 'MIT' }, releaseNotes: { 'en-US': 'New.' } }],
  };
  await feature('global', [desktop], facts);
  await feature('theme', [desktop], { type: 'theme' });
  await feature('static', [desktop], { type: 'statictheme' });
  await feature('german', [{ ...desktop, locale: 'de' }]);
  await feature('both', [{ ...desktop, locale: 'de' }, desktop]);
  await feature('french', [{ ...desktop, locale: 'FR' }]);
  await feature('brazilian', [{ ...desktop, locale: 'pt-BR' }]);
  await feature('tool', [{ ...desktop, category: 'tools' }]);
  await feature('german-tool', [{ ...desktop, category: 'tools', locale: 'de' }]);
  await feature('mail', [{ app: 'mail_client' }]);
  await feature('hidden', [desktop], { status: 'nominated' });
  await feature('disabled', [desktop], { isDisabledByDeveloper: true });
  await feature('plain', []);
});

describe('featured', () => {
  it('returns add-ons featured for the application in any language', async () => {
    const all = ['both', 'brazilian', 'french', 'german', 'global', 'static', 'theme'];
    expect(await names('app=desktop_browser')).toEqual(all);
    expect(await names('app=1&lang=')).toEqual(all);
    expect(await names('app=mail_client')).toEqual(['mail']);
    expect(await names('app=suite_app')).toEqual([]);
  });

  it('returns add-ons featured for the language before those featured for all languages', async () => {
    const german = await ordered('app=desktop_browser&lang=de');
    expect(german.slice(0, 2).sort()).toEqual(['both', 'german']);
    expect(german.slice(2).sort()).toEqual(['global', 'static', 'theme']);
    expect((await ordered('app=desktop_browser&lang=FR'))[0]).toBe('french');
    expect((await ordered('app=desktop_browser&lang=pt_br'))[0]).toBe('brazilian');
    expect(await names('app=desktop_browser&lang=xx')).toEqual(['both', 'global', 'static', 'theme']);
  });

  it('filters by types', async () => {
    expect(await names('app=desktop_browser&type=theme')).toEqual(['theme']);
    expect(await names('app=desktop_browser&type=2,10')).toEqual(['static', 'theme']);
    expect(await names('app=desktop_browser&type=theme,%20extension&lang=xx')).toEqual(['both', 'global', 'theme']);
  });

  it('returns only add-ons featured for the requested category', async () => {
    const [category] = await app.sql<{ id: number }>("SELECT id FROM category WHERE slug = 'Tools'");
    const query = 'app=desktop_browser&type=extension';
    expect(await names(`${query}&category=tools`)).toEqual(['german-tool', 'tool']);
    expect(await names(`${query}&category=TOOLS&lang=xx`)).toEqual(['tool']);
    expect(await names('app=desktop_browser&type=theme,extension&category=tools')).toEqual(['german-tool', 'tool']);
    const { json } = await app.anonymous.get('/api/v4/addons/addon/german-tool@featured/');
    expect(json).toMatchObject({ is_featured: true });
    expect(await ordered(`${query}&category=${category?.id}&lang=de`)).toEqual(['german-tool', 'tool']);
  });

  it('ignores a category without a type', async () => {
    expect(await names('app=desktop_browser&category=nothing&lang=xx')).toEqual(['both', 'global', 'static', 'theme']);
  });

  it('returns at most page_size add-ons, in the order of the whole list', ONE_ORDER, async () => {
    const all = await ordered('app=desktop_browser');
    expect(await ordered('app=desktop_browser&page_size=3&page=9')).toEqual(all.slice(0, 3));
    for (const size of ['0', '-1', 'x', '', '51', '99999999999999999999']) {
      expect(await ordered(`app=desktop_browser&page_size=${size}`)).toEqual(all);
    }
  });

  it('returns add-ons in their detail form', async () => {
    for (const version of ['v3', 'v4', 'v4dev']) {
      for (const lang of ['', 'lang=en-US']) {
        const list = await read(`app=desktop_browser&${lang}`, `/api/${version}/addons/featured/`);
        const { json: detail } = await app.anonymous.get(`/api/${version}/addons/addon/global@featured/?${lang}`);
        const shown = list.find(({ guid }) => guid === 'global@featured');
        expect(JSON.stringify(shown)).toBe(JSON.stringify(detail));
        expect(shown?.is_featured).toBe(true);
      }
    }
  });

  it('has no static themes in v3', async () => {
    expect(await names('app=desktop_browser&lang=xx', '/api/v3/addons/featured/')).toEqual(['both', 'global', 'theme']);
  });

  it('returns only results, and 304 for a matching ETag', ONE_ORDER, async () => {
    const first = await app.anonymous.get(`${PATH}?app=desktop_browser`);
    expect(Object.keys(first.json as object)).toEqual(['results']);
    const again = await app.anonymous.get(`${PATH}?app=desktop_browser`, { 'If-None-Match': `${first.headers.etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('takes at most two statements, and one for a category', async () => {
    for (const [query, most] of [
      ['page_size=1', 2],
      ['page_size=50&lang=de', 2],
      ['type=extension&category=tools', 3],
    ] as const) {
      const statements = await statementsDuring(() => read(`app=desktop_browser&${query}`));
      expect(statements.length).toBeLessThanOrEqual(most);
    }
  });

  it('returns the same in GraphQL', ONE_ORDER, async () => {
    const { featuredAddons } = await app.anonymous.graphql<{ featuredAddons: Shown[] }>(
      '{ featuredAddons(app: DESKTOP_BROWSER, locale: "de", first: 3) { guid } }',
    );
    const rest = await read('app=desktop_browser&lang=de&page_size=3');
    expect(featuredAddons.map(({ guid }) => guid)).toEqual(rest.map(({ guid }) => guid));
  });
});

describe('featured refuses', () => {
  const text = [beginningWith('Invalid app, category and/or type parameter(s). ')];
  const browser = 'app=desktop_browser';
  it.each([
    ['', { app: text }],
    ['app=', { app: text }],
    ['app=nothing&type=nothing', { app: text }],
    ['type=extension', { app: text }],
    [`${browser}&type=`, { type: text }],
    [`${browser}&type=extension,nothing`, { type: text }],
    [`${browser}&type=toString`, { type: text }],
    [`${browser}&type=6`, { type: text }],
    [`${browser}&type=extension&category=nothing`, { category: text }],
    [`${browser}&type=theme&category=tools`, { category: text }],
    ['app=mail_client&type=extension&category=tools', { category: text }],
    [`${browser}&type=extension&category=`, { category: text }],
    [`${browser}&type=extension&category=99999999999`, { category: text }],
    [`${browser}&type=extension&category=tools%00`, { category: text }],
    [`${browser}&type=extension&category=${'x'.repeat(4096)}`, { category: text }],
  ])('%s', async (query, body) => {
    const reply = await app.anonymous.get(`${PATH}?${query}`);
    expect([reply.status, reply.json]).toEqual([400, body]);
  });

  it('static themes in v3, alone or in a list', async () => {
    for (const type of ['statictheme', 'theme,statictheme', '10']) {
      const reply = await app.anonymous.get(`/api/v3/addons/featured/?${browser}&type=${type}`);
      expect([reply.status, reply.json]).toEqual([400, { type: text }]);
    }
  });
});
