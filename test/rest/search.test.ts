import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchValues } from '../../src/domain/search/query/search-request.ts';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';
import { judge } from '../support/search/judge.ts';
import { JUDGEMENT_CASES } from '../support/search/judgement-cases.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();

interface Found {
  next: string | null;
  previous: string | null;
  page_size: number;
  page_count: number;
  count: number;
  results: ({ id: number; _score?: number } & Record<string, unknown>)[];
}

const query = (values: object) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  ).toString();
const get = (values: object, path = '/api/v4/addons/search/') => app.anonymous.get(`${path}?${query(values)}`);

/** The parameters of the values of a search. */
function parametersOf({ appVersion, authors, excludeAddons, guids, tags, types, ...others }: SearchValues): object {
  const named = (list: SearchValues['authors']) => list && [...(list.ids ?? []), ...(list.names ?? [])];
  const lists = { author: named(authors), exclude_addons: named(excludeAddons) };
  return { ...others, ...lists, appversion: appVersion, guid: guids, tag: tags, type: types };
}

async function found(values: object, path?: string): Promise<Found> {
  const reply = await get(values, path);
  expect(reply.status).toBe(200);
  return reply.json as Found;
}
const ids = async (values: object, path?: string) => (await found(values, path)).results.map(({ id }) => id);

beforeAll(async () => {
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  await loadCatalogue(
    CATALOGUE.map((addon) => (addon.id === 2 ? { ...addon, categories: ['desktop_browser/extension/tabs'] } : addon)),
  );
});

describe('search', () => {
  it.each(JUDGEMENT_CASES.map(({ values, expect }) => [query(parametersOf(values)), values, expect] as const))(
    'finds for ?%s',
    async (_title, values, expected) => {
      judge(await ids({ ...parametersOf(values), page_size: 50 }), expected);
    },
  );

  it('returns pages of add-ons with scores', async () => {
    const first = await found({ q: 'tab', page_size: 3, page: 1 });
    const { results, ...envelope } = first;
    expect(envelope).toMatchObject({ previous: null, page_size: 3, page_count: Math.ceil(first.count / 3) });
    expect(results).toHaveLength(3);
    expect(results.map(({ _score }) => _score)).toEqual(
      results.map(({ _score }) => _score).toSorted((a, b) => Number(b) - Number(a)),
    );
    const second = (await app.anonymous.get(new URL(first.next ?? '').pathname + new URL(first.next ?? '').search))
      .json as Found;
    expect(second.previous).toContain('/api/v4/addons/search/');
    expect(second.results[0]?.id).not.toBe(results[0]?.id);
    expect(Object.keys(results[0] ?? {}).at(-1)).toBe('_score');
    expect(results[0]).not.toHaveProperty('authors.0.picture_url');
    expect(results[0]).not.toHaveProperty('current_version.license');
  });

  it('returns all add-ons by downloads without a query, with score 1', async () => {
    const { count, results } = await found({ page_size: 50 });
    expect(count).toBe(54);
    expect(results[0]?._score).toBe(1);
    const downloads = CATALOGUE.filter(({ hidden }) => !hidden).toSorted(
      (a, b) => b.downloads - a.downloads || a.id - b.id,
    );
    expect(results.map(({ id }) => id)).toEqual(downloads.slice(0, 50).map(({ id }) => id));
  });

  it('has no score and no static themes in v3', async () => {
    const { results } = await found({ q: 'tab garden' }, '/api/v3/addons/search/');
    expect(results[0]).not.toHaveProperty('_score');
    expect((await get({ type: 'statictheme' }, '/api/v3/addons/search/')).status).toBe(400);
    expect((await get({ type: 'extension,statictheme' }, '/api/v3/addons/search/')).status).toBe(400);
  });

  it('filters by category of an application and type', async () => {
    expect(await ids({ app: 'desktop_browser', type: 'extension', category: 'TABS' })).toEqual([2]);
    expect(await ids({ q: 'tabs', app: 'desktop_browser', type: 'extension', category: 'tabs' })).toEqual([2]);
    expect(await ids({ app: 'desktop_browser', type: 'theme,extension', category: 'tabs' })).toEqual([2]);
    expect((await found({ category: 'nonsense', type: 'extension' })).count).toBeGreaterThan(1);
    expect(await ids({ app: 'mail_client', type: 'theme', category: 'other' })).toEqual([]);
    const [tabs] = await app.sql<{ id: number }>(
      "SELECT id FROM category WHERE app = 'desktop_browser' AND type = 'extension' AND slug = 'tabs'",
    );
    const byId = { app: 'desktop_browser', type: 'extension', category: String(tabs?.id) };
    expect(await ids(byId)).toEqual([2]);
    expect(await ids({ ...byId, q: 'tabs' })).toEqual([2]);
    // Another category whose slug is that id.
    await app.sql(`INSERT INTO category (app, type, slug, name) VALUES ('desktop_browser', 'extension', $1, '{}')`, [
      byId.category,
    ]);
    expect(await ids(byId)).toEqual([2]);
  });

  it('filters by guid in any case, and excludes by slug', async () => {
    expect(await ids({ guid: 'ADDON3@catalogue.example,addon4@catalogue.example', sort: 'users' })).toEqual([3, 4]);
    expect(await ids({ guid: 'addon3@catalogue.example,addon4@catalogue.example', exclude_addons: 'ADDON-3' })).toEqual(
      [4],
    );
    expect((await found({ guid: '' })).count).toBe(54);
  });

  it('filters by featured', async () => {
    expect(await ids({ featured: 'true', sort: 'users' })).toEqual([32, 4]);
    expect(await ids({ featured: 'true', app: 'desktop_browser', lang: 'fr', sort: 'users' })).toEqual([32, 4]);
    expect(await ids({ featured: 'true', app: 'mobile_browser' })).toEqual([]);
    expect((await ids({ featured: 'true', sort: 'random' })).toSorted()).toEqual([32, 4].toSorted());
  });

  it.each([
    [{ q: 'x'.repeat(101) }, 'q', 'Maximum query length exceeded.'],
    [{ app: 'browser' }, 'app', beginningWith('Invalid "app" parameter. ')],
    [{ appversion: '57.0' }, 'app', beginningWith('Invalid "app" parameter. ')],
    [{ app: 'desktop_browser', appversion: '' }, 'app', 'Invalid combination of "app" and "appversion" parameters.'],
    [{ app: 'desktop_browser', appversion: '9.0' }, 'appversion', beginningWith('Invalid "appversion" parameter. ')],
    [{ app: 'desktop_browser', appversion: 'new' }, 'appversion', beginningWith('Invalid "appversion" parameter. ')],
    [{ type: 'addon' }, 'type', beginningWith('Invalid "type" parameter. ')],
    [{ type: '0x1' }, 'type', beginningWith('Invalid "type" parameter. ')],
    [{ type: 'extension,2.0' }, 'type', beginningWith('Invalid "type" parameter. ')],
    [{ type: '0' }, 'type', beginningWith('Invalid "type" parameter. ')],
    [{ platform: 'beos' }, 'platform', beginningWith('Invalid "platform" parameter. ')],
    [
      { app: 'desktop_browser', type: 'extension', category: 'nope' },
      'category',
      beginningWith('Invalid "category" parameter. '),
    ],
    [
      { app: 'desktop_browser', type: 'extension', category: '999999' },
      'category',
      beginningWith('Invalid "category" parameter. '),
    ],
    [{ featured: 'false' }, 'featured', beginningWith('Invalid "featured" parameter. ')],
    [{ sort: 'name' }, 'sort', beginningWith('Invalid "sort" parameter. ')],
    [{ sort: 'random,users', featured: 'true' }, 'sort', 'The "random" "sort" parameter can not be combined.'],
    [
      { sort: 'random' },
      'sort',
      'The "sort" parameter "random" can only be specified when the "featured" parameter is also present, and the "q" parameter absent.',
    ],
  ])('refuses %j', async (values, name, message) => {
    const reply = await get(values);
    expect([reply.status, reply.json]).toEqual([400, { [name]: [message] }]);
  });

  it('returns 404 past the last page, and one page without results', async () => {
    for (const page of ['0', '-1', 'x', '3', '99999999999999999999']) {
      const reply = await get({ q: 'tab', page, page_size: 50 });
      expect([reply.status, reply.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
    }
    expect(await found({ q: '&&' })).toEqual({
      next: null,
      previous: null,
      page_size: 25,
      page_count: 1,
      count: 0,
      results: [],
    });
    // Past the search window, matches are counted and not read.
    for (const [page, size] of [
      [1_001, 25],
      [501, 50],
      [835, 30],
    ]) {
      const statements = await statementsDuring(async () => {
        expect((await get({ q: 'tab', page, page_size: size })).status).toBe(404);
      });
      expect(statements.length).toBeLessThanOrEqual(1);
    }
    expect((await get({ q: 'tab', page: 834, page_size: 30 })).status).toBe(404);
  });
});

describe('autocomplete', () => {
  const PATH = '/api/v4/addons/autocomplete/';

  it('returns at most ten add-ons with few keys', async () => {
    const { results, ...rest } = await found({ q: 'tab', page: 7, page_size: 1 }, PATH);
    expect(rest).toEqual({});
    expect(results.length).toBeLessThanOrEqual(10);
    expect(results[0]?.id).toBe(1);
    expect(Object.keys(results[0] ?? {})).toEqual(['id', 'icon_url', 'name', 'type', 'url']);
  });

  it('matches prefixes of names only', async () => {
    expect(await ids({ q: 'priv' }, PATH)).toEqual(expect.arrayContaining([9, 10, 11, 37, 38]));
    expect(await ids({ q: 'priv' }, PATH)).not.toContain(12);
    expect(await ids({ q: 'menu wiz' }, PATH)).toEqual([18]);
  });

  it('accepts and refuses filters and sorts as search does', async () => {
    expect(await ids({ q: 'startpage', type: 'persona', sort: 'users' }, PATH)).toEqual([36]);
    expect((await ids({}, PATH)).length).toBe(10);
    const reply = await get({ q: 'x'.repeat(101) }, PATH);
    expect([reply.status, reply.json]).toEqual([400, { q: ['Maximum query length exceeded.'] }]);
  });
});

describe('search in GraphQL', () => {
  it('returns facets', async () => {
    const { search } = await app.anonymous.graphql<{ search: Record<string, unknown> }>(
      `{ search(q: "tab", filter: { types: [EXTENSION] }, sort: [USERS], first: 2) {
        totalCount edges { score node { databaseId } }
        facets { types { value count } applications { value count } platforms { value count } tags { value count }
          locales { value count } categories { value { slug } count } } } }`,
    );
    const { totalCount: count } = search as { totalCount: number };
    expect(search).toMatchObject({
      edges: [{ node: { databaseId: 1 } }, { node: { databaseId: 55 } }],
      facets: {
        types: [{ value: 'EXTENSION', count }],
        applications: [{ value: 'DESKTOP_BROWSER', count }],
        locales: [{ value: 'en-US', count }],
        categories: [{ value: { slug: 'tabs' }, count: 1 }],
      },
    });
  });

  it.each(['tab', 'privacy', '&&'])('returns true counts and no results past the last page of %j', async (q) => {
    const query = `query($q: String, $after: String) { search(q: $q, first: 50, after: $after) { totalCount edges { score } } }`;
    type Found = { search: { totalCount: number; edges: unknown[] } };
    const { search: first } = await app.anonymous.graphql<Found>(query, { q });
    expect(first.edges).toHaveLength(Math.min(first.totalCount, 50));
    // The end, the last page in the search window, the first one past it, and the largest position.
    for (const position of [Math.max(first.totalCount, 1), 24_950, 25_000, 2 ** 31 - 1]) {
      const after = Buffer.from(`search:${position}`).toString('base64url');
      expect(await app.anonymous.graphql(query, { q, after })).toEqual({ search: { ...first, edges: [] } });
    }
  });

  it('is paged by cursor in both directions, in the order of REST', async () => {
    const query = `query($first: Int, $after: String, $last: Int, $before: String) {
      search(q: "tab", first: $first, after: $after, last: $last, before: $before) {
        nodes { databaseId } edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
    interface Found {
      nodes: { databaseId: number }[];
      pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
    }
    const page = async (paging: Record<string, unknown>) =>
      (await app.anonymous.graphql<{ search: Found }>(query, paging)).search;
    const idsOf = ({ nodes }: Found) => nodes.map(({ databaseId }) => databaseId);
    const all = await ids({ q: 'tab', page_size: '50' });
    const first = await page({ first: 2 });
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all.slice(0, 4));
    expect([first.pageInfo.hasPreviousPage, second.pageInfo.hasPreviousPage]).toEqual([false, true]);
    expect(await page({ last: 2, before: second.pageInfo.startCursor })).toEqual({
      ...first,
      pageInfo: { ...first.pageInfo, hasNextPage: true },
    });
    const end = await page({ last: 3 });
    expect([idsOf(end), end.pageInfo.hasNextPage]).toEqual([all.slice(-3), false]);
    const { errors } = await app.anonymous.graphqlResult(query, { first: 1, after: 'bm90aGluZw' });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('returns the same suggestions as REST', async () => {
    const { autocomplete } = await app.anonymous.graphql<{ autocomplete: { databaseId: number }[] }>(
      '{ autocomplete(q: "fireb") { databaseId } }',
    );
    expect(autocomplete.map(({ databaseId }) => databaseId)).toEqual(
      await ids({ q: 'fireb' }, '/api/v4/addons/autocomplete/'),
    );
  });
});

describe('results', () => {
  it('exclude add-ons that were just hidden', async () => {
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: 14 }, data: { isDisabledByDeveloper: true } });
      await publishAddons(tx, [14]);
      await tx.$executeRaw`UPDATE addon SET status = 'disabled' WHERE id = 15`;
    });
    const after = await found({ q: 'firebeetle' });
    expect(after.results.map(({ id }) => id)).toEqual([16]);
    expect(after.count).toBe(2);
    await db.$transaction(async (tx) => publishAddons(tx, [15]));
    expect((await found({ q: 'firebeetle' })).count).toBe(1);
  });
});
