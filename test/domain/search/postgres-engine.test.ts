import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hit } from '../../../src/domain/search/engine.ts';
import { createTestDatabase } from '../../support/database.ts';
import { anySearch, randomCatalogue } from '../../support/search/random-catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { closeDatabase, searchPool } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/database-engine.ts');
const { namesOnly } = await import('../../../src/domain/search/postgres/arms.ts');
const { provedPage, relevancePage } = await import('../../../src/domain/search/postgres/relevance-page.ts');
const { loosePage } = await import('../../../src/domain/search/postgres/loose-page.ts');
const { sortedPage } = await import('../../../src/domain/search/postgres/sorted-page.ts');
const { LEVELS } = await import('../../../src/domain/search/popularity.ts');
const { planQuery } = await import('../../../src/domain/search/query-plan.ts');
const { readSearchRequest } = await import('../../../src/domain/search/read-search-request.ts');

const run = async (sql: string, values: readonly unknown[]) => (await searchPool.query(sql, [...values])).rows;
const catalogue = randomCatalogue(2_300, 7);
const read = (values: Parameters<typeof readSearchRequest>[0]) =>
  readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] });

function expectSame(hits: readonly Hit[], expected: readonly Hit[]): void {
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  for (const [index, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[index]?.score ?? 0, 9);
}

const slices = fc.record({ offset: fc.constantFrom(0, 0, 3, 40), limit: fc.constantFrom(1, 10, 25) });
const runs = (numRuns: number) => ({ numRuns, seed: 20_181_025 });

describe('the search in PostgreSQL, beside a scorer without an index', () => {
  beforeAll(() => loadCatalogue(catalogue));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  it('finds, counts, scores and orders the same', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, slices, async (values, slice) => {
        const request = read(values);
        const expected = referenceSearch(catalogue, request);
        const { count, hits } = await engine.search(request, slice);
        expect(count).toBe(expected.length);
        expectSame(hits, expected.slice(slice.offset, slice.offset + slice.limit));
      }),
      runs(120),
    );
  });

  it('suggests the same', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (values) => {
        const request = read(values);
        const expected = referenceSearch(catalogue, request, { namesOnly: true });
        expectSame(await engine.autocomplete(request), expected.slice(0, 10));
      }),
      runs(50),
    );
  });

  it('ends early only with the right page', async () => {
    let proved = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, slices, fc.boolean(), async (values, slice, isShort) => {
        const request = read({ ...values, q: values.q ?? 'tab', sort: undefined });
        const plan = planQuery(request.query ?? '', request.locale);
        if (plan === null) return;
        const target = { plan: isShort ? namesOnly(plan) : plan, filters: request.filters };
        const all = referenceSearch(catalogue, request, { namesOnly: isShort, strictly: true });
        const expected = all.slice(slice.offset, slice.offset + slice.limit);
        for (const level of LEVELS) {
          const page = await provedPage(run, target, slice, level);
          if (page === null) continue;
          proved++;
          expectSame(page, expected);
        }
        expectSame(await relevancePage(run, target, slice, 1_000_000), expected);
      }),
      runs(60),
    );
    expect(proved).toBeGreaterThan(20);
  });

  it('walks an index in the order that sorting has', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, slices, async (values, slice) => {
        for (const sort of ['created', 'rating', 'updated', 'users', 'downloads']) {
          const request = read({ ...values, q: values.q ?? 'tab', sort });
          const plan = planQuery(request.query ?? '', request.locale);
          const expected = referenceSearch(catalogue, request, { strictly: true });
          if (plan === null) continue;
          const page = await sortedPage(run, { plan, filters: request.filters }, request.sort, slice, 1_000_000);
          expectSame(page, expected.slice(slice.offset, slice.offset + slice.limit));
        }
      }),
      runs(12),
    );
  });

  it('finds what is meant without the help of an extension', async () => {
    for (const q of ['tabz managr', 'donwload', 'privaet windo', 'tba mangaer them darc neu widnow of menus wizrd']) {
      const request = read({ q });
      const plan = planQuery(q, 'en-US');
      if (plan === null) throw new Error('a query without words');
      const target = { plan, filters: request.filters };
      const all = { offset: 0, limit: 100 };
      const expected = await loosePage(run, target, request.sort, all, true);
      expect(await loosePage(run, target, request.sort, all, false)).toEqual(expected);
      expect(expected.count).toBe(referenceSearch(catalogue, request).length);
    }
  });

  it('counts what the results have in common', async () => {
    for (const values of [{ q: 'tab' }, { q: 'donwloadhelper' }, { type: 'extension' }, { tag: 'dark' }, { q: '&' }]) {
      const request = read(values);
      const ids = new Set(referenceSearch(catalogue, request).map(({ id }) => id));
      const found = catalogue.filter(({ id }) => ids.has(id));
      const facets = await engine.facets(request);
      expect(facets.types).toEqual(countOf(found.map(({ type }) => type)));
      expect(facets.tags).toEqual(countOf(found.flatMap(({ tags }) => tags.map((tag) => tag.toLowerCase()))));
      expect(facets.locales).toEqual(countOf(found.flatMap(({ name }) => Object.keys(name))));
      expect(facets.platforms).toEqual(countOf(found.flatMap(({ platforms }) => platforms)));
      const categories = Object.values(facets.categories).reduce((sum, n) => sum + n, 0);
      expect(categories).toBe(found.flatMap(({ categories }) => categories).length);
    }
  });

  it('draws featured add-ons in an order that holds for a day', async () => {
    const request = read({ featured: 'true', sort: 'random' });
    const expected = referenceSearch(catalogue, request);
    const first = await engine.search(request, { offset: 0, limit: 50 });
    const second = await engine.search(request, { offset: 50, limit: 50 });
    expectSame([...first.hits, ...second.hits], expected.slice(0, 100));
    expect(first.count).toBe(expected.length);
  });

  it('counts without fetching a page', async () => {
    const request = read({ q: 'tab' });
    expect(await engine.search(request, null)).toEqual({ count: referenceSearch(catalogue, request).length, hits: [] });
  });
});

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
