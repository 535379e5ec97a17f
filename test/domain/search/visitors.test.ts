import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchEngine } from '../../../src/domain/search/query/engine.ts';
import { setUpApp } from '../../support/app.ts';
import { textOf, Visitor } from '../../support/pages.ts';
import { testVisitorSearches, VISITOR_CATALOGUE } from '../../support/search/visitor-suite.ts';

const app = setUpApp();
const engine: SearchEngine = {
  search: async (...args) => (await open()).search(...args),
  autocomplete: async (...args) => (await open()).autocomplete(...args),
  facets: async (...args) => (await open()).facets(...args),
};
const open = async () => (await import('../../../src/domain/search/postgres/postgres-engine.ts')).databaseEngine;

beforeAll(async () => {
  const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
  await loadCatalogue(VISITOR_CATALOGUE);
});

describe('searches of pages', () => {
  testVisitorSearches(engine);
});

describe('the pages', () => {
  const shown = async (path: string) => textOf(await new Visitor(app).get(path));

  it('mark add-ons without a file that can be installed, and keep the query on the way to them', async () => {
    const { text } = await new Visitor(app).get('/search/?q=dark+theme');
    expect(textOf({ text })).toMatch(/Very Dark Theme.*Dark Theme Small.*Dark Theme .*Not installable/);
    expect(textOf({ text }).match(/Not installable/g)).toHaveLength(2);
    expect(text).toContain('/addon/addon-201/?q=dark+theme"');
    expect(await shown('/addon/addon-201/?q=dark+theme')).toContain('Lightweight themes have no file to install');
    expect((await new Visitor(app).get('/addon/addon-201/?q=dark+theme')).text).toContain(
      'href="/search/?q=dark+theme&amp;type=statictheme"',
    );
  });

  it('correct letters that changed places', async () => {
    expect(await shown('/search/?q=dakr+theme')).toMatch(/Did you mean (?:dark theme|Dark Theme)/);
  });

  it('count facets of everything that is found', async () => {
    expect(await shown('/search/?q=carol+kite')).toMatch(/3 add-ons .*Extensions 3/);
  });

  it('leave searches of the API as they are', async () => {
    const { json } = await app.anonymous.request('GET', '/api/v4/addons/search/?q=dark+theme');
    const ids = (json as { results: { id: number }[] }).results.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([201, 202]);
    const byAuthor = await app.anonymous.request('GET', '/api/v4/addons/search/?q=carol+kite');
    expect((byAuthor.json as { count: number }).count).toBe(1);
  });

  it('have the order and the count of a GraphQL search that is arranged for visitors', async () => {
    const SEARCH = `query($q: String!, $arranged: Boolean) {
      search(q: $q, arrangeForVisitors: $arranged) { totalCount nodes { databaseId } } }`;
    const found = async (q: string, arranged: boolean) => {
      const data = await app.anonymous.graphql<{ search: { totalCount: number; nodes: { databaseId: number }[] } }>(
        SEARCH,
        { q, arranged },
      );
      return { count: data.search.totalCount, ids: data.search.nodes.map(({ databaseId }) => databaseId) };
    };
    const arranged = await found('dark theme', true);
    expect(arranged.ids.slice(-2)).toEqual((await found('dark theme', false)).ids.slice(0, 2));
    expect([(await found('carol kite', true)).count, (await found('carol kite', false)).count]).toEqual([3, 1]);
  });
});
