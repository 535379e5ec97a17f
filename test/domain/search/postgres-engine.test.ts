import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { answersAsTheReference, expectSame, runs, slices } from '../../support/search/engine-properties.ts';
import { anySearch, randomCatalogue } from '../../support/search/random-catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { closeDatabase, pool, searchPool } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/database-engine.ts');
const { expectedMatches, lexemeStatistics } = await import(
  '../../../src/domain/search/postgres/plan/expected-matches.ts'
);
const { KnownCounts } = await import('../../../src/domain/search/postgres/plan/known-counts.ts');
const { popularPage } = await import('../../../src/domain/search/postgres/popular/popular-page.ts');
const { relevancePage, restOfRanking, suggestionsPage } = await import(
  '../../../src/domain/search/postgres/rank/relevance-page.ts'
);
const { listingPage } = await import('../../../src/domain/search/postgres/rank/listing.ts');
const { loosePage } = await import('../../../src/domain/search/postgres/rank/loose-page.ts');
const { sortedPage } = await import('../../../src/domain/search/postgres/rank/sorted-page.ts');
const { namesOnly, planQuery } = await import('../../../src/domain/search/query/query-plan.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/read-search-request.ts');

let statements = 0;
/** Statements that leave rows out because of what a page is worth at least. */
let shortened = 0;
const run = async (sql: string, values: readonly unknown[]) => {
  statements++;
  if (sql.includes('several') && sql.includes(' AND m >= ')) shortened++;
  return (await searchPool.query(sql, [...values])).rows;
};
const deepSlices = fc.constantFrom({ offset: 480, limit: 25 }, { offset: 520, limit: 10 });
/** What rows of the listing are filtered by, one or two at a time. */
const anyListing = fc
  .subarray(
    [
      { type: 'extension' },
      { type: 'persona,dictionary,persona' },
      { app: 'desktop_browser', appversion: '57.0' },
      { platform: 'mac' },
      { exclude_addons: '1,2,3,addon-5' },
      { app: 'desktop_browser', type: 'extension', category: 'tabs' },
    ],
    { maxLength: 2 },
  )
  .map((filters) => Object.assign({}, ...filters) as Parameters<typeof readSearchRequest>[0]);
const catalogue = randomCatalogue(2_300, 7);
const read = (values: Parameters<typeof readSearchRequest>[0]) =>
  readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] });

describe('the search in PostgreSQL, beside a scorer without an index', () => {
  beforeAll(() => loadCatalogue(catalogue));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  answersAsTheReference(engine, catalogue, { searches: 120, suggestions: 50 });

  it('ends early only with the right page', async () => {
    let proved = 0;
    let provedDeep = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, fc.oneof(slices, deepSlices), fc.boolean(), async (values, slice, isShort) => {
        const request = read({ ...values, q: values.q ?? 'tab', sort: undefined });
        const plan = planQuery(request.query ?? '', request.locale);
        if (plan === null) return;
        const target = { plan: isShort ? namesOnly(plan) : plan, filters: request.filters };
        const all = referenceSearch(catalogue, request, { namesOnly: isShort, strictly: true });
        const expected = all.slice(slice.offset, slice.offset + slice.limit);
        const { count, hits } = await popularPage(run, target, slice, new KnownCounts());
        expect([all.length, null]).toContain(count);
        if (hits !== null) {
          proved++;
          if (slice.offset > 400) provedDeep++;
          expectSame(hits, expected);
        }
        const counts = new KnownCounts();
        // Whatever number of matches was expected: that decides about the way alone.
        for (const [matches, most] of [
          [0, 1],
          [1_000_000, 2],
        ] as const) {
          statements = 0;
          const page = await relevancePage(run, target, slice, matches, counts);
          expect(statements).toBeLessThanOrEqual(most);
          expect(page.count).toBe(all.length);
          expectSame(page.hits, expected);
          // With what the first page has counted.
          expect(await relevancePage(run, target, slice, matches, counts)).toEqual(page);
          expectSame(await suggestionsPage(run, target, slice, matches), expected);
        }
        // Whatever the last of the page is known to be worth.
        const last = expected.length < slice.limit ? 0 : (expected.at(-1)?.score ?? 0);
        for (const least of [last, last * 0.8, last / 3]) {
          const page = await restOfRanking(run, target, slice, least, 'counted');
          expect(page.count).toBe(all.length);
          expectSame(page.hits, expected);
        }
      }),
      runs(60),
    );
    expect(proved).toBeGreaterThan(20);
    expect(provedDeep).toBeGreaterThan(0);
    expect(shortened).toBeGreaterThan(20);
  });

  it('ranks all rows when those that a page was sure of are gone', async () => {
    const slice = { offset: 0, limit: 25 };
    let again = 0;
    for (const q of ['tab', 'dark', 'window', 'menu', 'a', 'the']) {
      const request = read({ q });
      const plan = planQuery(q, 'en-US');
      if (plan === null) continue;
      // The first statement finds rows that are worth more than any that are there when the second one runs.
      let first = true;
      const runBefore = async (sql: string, values: readonly unknown[]) => {
        const rows = await run(sql, values);
        if (!first) return rows;
        first = false;
        return rows.map((row) => ({ ...row, n: null, score: row.score * 2, factors: row.factors.map(() => 1e9) }));
      };
      statements = 0;
      const page = await relevancePage(
        runBefore,
        { plan, filters: request.filters },
        slice,
        1_000_000,
        new KnownCounts(),
      );
      again += statements === 3 ? 1 : 0;
      const all = referenceSearch(catalogue, request, { strictly: true });
      expect(page.count).toBe(all.length);
      expectSame(page.hits, all.slice(0, slice.limit));
    }
    expect(again).toBeGreaterThan(2);
  });

  it('walks an index in the order that sorting has', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, slices, async (values, slice) => {
        for (const sort of ['created', 'rating', 'updated', 'users', 'downloads']) {
          const request = read({ ...values, q: values.q ?? 'tab', sort });
          const plan = planQuery(request.query ?? '', request.locale);
          const expected = referenceSearch(catalogue, request, { strictly: true });
          if (plan === null) continue;
          for (const many of [0, 20, 10_000]) {
            const target = { plan, filters: request.filters };
            statements = 0;
            const { count, hits } = await sortedPage(run, target, request.sort, slice, 1_000_000, many);
            expect(statements).toBeLessThanOrEqual(2);
            expect(count).toBe(expected.length);
            expectSame(hits, expected.slice(slice.offset, slice.offset + slice.limit));
          }
        }
      }),
      runs(12),
    );
  });

  it('walks the index of each type in the order that sorting all of them has', async () => {
    await fc.assert(
      fc.asyncProperty(anyListing, slices, async (values, slice) => {
        for (const sort of ['created', 'downloads', 'hotness', 'rating', 'updated', 'users', 'users,downloads']) {
          const request = read({ ...values, sort });
          const expected = referenceSearch(catalogue, request, { strictly: true });
          for (const many of [0, 10_000]) {
            const { count, hits } = await listingPage(run, request.filters, request.sort, slice, '', many);
            expect(count).toBe(expected.length);
            expectSame(hits, expected.slice(slice.offset, slice.offset + slice.limit));
          }
        }
      }),
      runs(40),
    );
  });

  it('knows about how many rows it will find', async () => {
    await pool.query('ANALYZE addon_search');
    const statistics = await lexemeStatistics(run)();
    expect(statistics.rows).toBeGreaterThan(2_000);
    for (const values of [{ q: 'tab' }, { q: 'dark theme' }, { q: 'ta' }, { q: 'tab', tag: 'dark' }]) {
      const request = read(values);
      const plan = planQuery(values.q, 'en-US');
      if (plan === null) throw new Error('a query without words');
      const found = referenceSearch(catalogue, request).length;
      const expected = expectedMatches({ plan, filters: request.filters }, statistics);
      expect(expected).toBeGreaterThan(found / 4);
      expect(expected).toBeLessThan(found * 4);
    }
    const rare = planQuery('unheard of', 'en-US');
    if (rare === null) throw new Error('a query without words');
    expect(expectedMatches({ plan: rare, filters: read({}).filters }, statistics)).toBe(0);
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
});
