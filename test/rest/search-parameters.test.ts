import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type AddonFacts, addon, type MadeAddon } from '../support/factories.ts';

const app = setUpApp();
let ids: Record<string, MadeAddon> = {};
let authorIds: number[] = [];
let usernames: string[] = [];

const day = (number: number) => new Date(Date.UTC(2018, 9, number));
const range = (name: string, min: string, max: string) => ({ compatibility: { [name]: [min, max] } as never });

beforeAll(async () => {
  authorIds = [(await app.developer()).accountId ?? 0, (await app.developer()).accountId ?? 0];
  const accounts = await app.sql<{ id: number; username: string }>('SELECT id, username FROM account');
  usernames = authorIds.map((id) => accounts.find((account) => account.id === id)?.username ?? '');
  const [one = 0, two = 0] = authorIds;
  const worlds: Record<string, AddonFacts> = {
    ada: {
      created: day(1),
      lastUpdated: day(3),
      weeklyDownloads: 30,
      averageDailyUsers: 100,
      hotness: 0.1,
      ratingBayesian: 4,
      authors: [one],
      tags: ['red', 'round'],
      featured: [{ app: 'desktop_browser' }],
      versions: [{ ...range('desktop_browser', '57.0', '*'), files: [{ platform: 'all' }] }],
    },
    bea: {
      created: day(2),
      lastUpdated: day(2),
      weeklyDownloads: 10,
      averageDailyUsers: 300,
      hotness: 0.3,
      ratingBayesian: 4,
      authors: [one, two],
      tags: ['red'],
      featured: [{ app: 'desktop_browser', locale: 'fr' }],
      versions: [{ ...range('desktop_browser', '60.0', '60.*'), files: [{ platform: 'mac' }] }],
    },
    cid: {
      created: day(3),
      lastUpdated: day(1),
      weeklyDownloads: 20,
      averageDailyUsers: 200,
      hotness: 0.2,
      ratingBayesian: 5,
      authors: [two],
      tags: ['round'],
      type: 'dictionary',
      featured: [{ app: 'mail_client', locale: 'de' }],
      versions: [{ ...range('mail_client', '52.0', '*'), files: [{ platform: 'linux' }] }],
    },
    dee: {
      created: day(4),
      lastUpdated: day(4),
      weeklyDownloads: 20,
      type: 'theme',
      authors: [{ id: one, listed: false }],
    },
  };
  ids = {};
  for (const [slug, facts] of Object.entries(worlds)) {
    ids[slug] = await addon({ slug, guid: `${slug}@search`, name: { 'en-US': `Clock ${slug}` }, ...facts });
  }
});

const PATHS = ['/api/v4/addons/search/', '/api/v4/addons/autocomplete/', '/api/v3/addons/search/'];
const found = async (query: string, path = PATHS[0]) => {
  const reply = await app.anonymous.get(`${path}?${query}`);
  expect([reply.status, query]).toEqual([200, query]);
  const names = new Map(Object.entries(ids).map(([name, { id }]) => [id, name]));
  return (reply.json as { results: { id: number }[] }).results.map(({ id }) => names.get(id)).join(' ');
};

describe('sort', () => {
  it.each([
    ['created', 'dee cid bea ada'],
    ['downloads', 'ada cid dee bea'],
    ['hotness', 'bea cid ada dee'],
    // Ties are won by the older add-on.
    ['rating', 'cid ada bea dee'],
    ['updated', 'dee ada bea cid'],
    ['users', 'bea cid ada dee'],
    ['rating,created', 'cid bea ada dee'],
    ['rating,updated', 'cid ada bea dee'],
    ['downloads,created', 'ada dee cid bea'],
    ['downloads,%20created', 'ada dee cid bea'],
    ['relevance', 'ada cid dee bea'],
    ['relevance,users', 'bea cid ada dee'],
  ])('%s', async (sort, names) => {
    for (const path of PATHS) {
      expect(await found(`sort=${sort}`, path)).toBe(names);
      if (!sort.startsWith('relevance')) expect(await found(`q=clock&sort=${sort}`, path)).toBe(names);
    }
  });

  it('is by relevance with a query, and by downloads without one', async () => {
    expect(await found('')).toBe(await found('sort=downloads'));
    expect(await found('q=clock')).toBe(await found('q=clock&sort=relevance'));
  });

  it('random requires featured and no query, and is stable for a day', async () => {
    const all = await found('featured=true&sort=random');
    expect(all.split(' ').sort()).toEqual(['ada', 'bea', 'cid']);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await found(`featured=true&sort=random&page_size=1&page=${page}`));
    expect(pages.join(' ')).toBe(all);
  });
});

describe('filters', () => {
  it.each([
    ['app=desktop_browser', 'ada bea dee'],
    ['app=1', 'ada bea dee'],
    ['app=18', 'cid'],
    ['app=suite_app', ''],
    ['app=desktop_browser&appversion=58.0', 'ada dee'],
    ['app=desktop_browser&appversion=60.5', 'ada bea dee'],
    ['app=desktop_browser&appversion=61.0a1', 'ada bea dee'],
    ['app=desktop_browser&appversion=56.0', ''],
    ['type=dictionary', 'cid'],
    ['type=3', 'cid'],
    ['type=extension,theme', 'ada bea dee'],
    ['type=extension,%20dictionary', 'ada bea cid'],
    ['platform=mac', 'ada bea dee'],
    ['platform=linux', 'ada cid dee'],
    ['platform=windows', 'ada dee'],
    ['platform=all', 'ada dee'],
    ['tag=red', 'ada bea'],
    ['tag=red,round', 'ada'],
    ['tag=RED,,%20round', 'ada'],
    ['tag=red,none', ''],
    ['guid=ADA@search,cid@search', 'ada cid'],
    ['guid=', 'ada bea cid dee'],
    ['guid=nobody@search', ''],
    ['exclude_addons=ada,BEA', 'cid dee'],
    ['exclude_addons=nobody,999999', 'ada bea cid dee'],
    ['featured=true', 'ada bea cid'],
    ['featured=true&app=desktop_browser', 'ada bea'],
    ['featured=true&app=desktop_browser&lang=fr', 'ada bea'],
    ['featured=true&app=desktop_browser&lang=de', 'ada'],
    ['promoted=recommended&lang=de&sort=random', 'ada cid'],
    ['promoted=badged', 'ada bea cid'],
    ['promoted=sponsored&sort=random', ''],
    ['featured=true&lang=de', 'ada cid'],
    ['featured=true&lang=fr', 'ada bea'],
    ['category=nothing', 'ada bea cid dee'],
    ['app=desktop_browser&category=nothing', 'ada bea dee'],
    ['unknown=1&page_size=50', 'ada bea cid dee'],
  ])('%s', async (query, names) => {
    expect((await found(query)).split(' ').sort().join(' ')).toBe(names);
    expect((await found(query, PATHS[2])).split(' ').sort().join(' ')).toBe(names);
  });

  it('by author accept usernames in any case, and ids of listed authors', async () => {
    const [one, two] = authorIds;
    const [first = '', second = ''] = usernames;
    for (const path of PATHS) {
      expect(await found(`author=${one}&sort=created`, path)).toBe('bea ada');
      expect(await found(`author=${first.toUpperCase()}&sort=created`, path)).toBe('bea ada');
      expect(await found(`author=${first},${two}&sort=created`, path)).toBe('cid bea ada');
      expect(await found(`author=${second},nobody&sort=created`, path)).toBe('cid bea');
      expect(await found('author=nobody', path)).toBe('');
    }
  });

  it('exclude add-ons by id', async () => {
    expect(await found(`exclude_addons=${ids.ada?.id},dee&sort=created`)).toBe('cid bea');
  });
});
