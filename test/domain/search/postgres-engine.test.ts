import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { expectSame, runs, slices, testEngineProperties } from '../../support/search/engine-properties.ts';
import { anySearch, randomCatalogue } from '../../support/search/random-catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';
import { referenceSuggestion } from '../../support/search/reference-suggestion.ts';

const database = await createTestDatabase();
const { closeDatabase, pool, searchPool } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
const { expectedMatches, lexemeStatistics } = await import(
  '../../../src/domain/search/postgres/plan/expected-matches.ts'
);
const { popularPage } = await import('../../../src/domain/search/postgres/rank/relevance-page.ts');
const { relevancePage, restOfRanking, suggestionsPage } = await import(
  '../../../src/domain/search/postgres/rank/relevance-page.ts'
);
const { listingPage } = await import('../../../src/domain/search/postgres/rank/listing.ts');
const { partialMatchPage } = await import('../../../src/domain/search/postgres/rank/partial-match-page.ts');
const { sortedPage } = await import('../../../src/domain/search/postgres/rank/sorted-page.ts');
const { namesOnly, planQuery } = await import('../../../src/domain/search/query/query-plan.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/search-request.ts');

let statements = 0;
/** Number of statements that skip rows below a minimum score. */
let shortened = 0;
const run = async (sql: string, values: readonly unknown[]) => {
  statements++;
  if (sql.includes('several') && sql.includes(' AND m >= ')) shortened++;
  return (await searchPool.query(sql, [...values])).rows;
};
const deepSlices = fc.constantFrom({ offset: 480, limit: 25 }, { offset: 520, limit: 10 });
/** One or two filters of listings. */
const anyListing = fc
  .subarray(
    [
      { types: 'extension' },
      { types: 'persona,dictionary,persona' },
      { app: 'desktop_browser', appVersion: '57.0' },
      { platform: 'mac' },
      { excludeAddons: { ids: [1, 2, 3], names: ['addon-5'] } },
      { app: 'desktop_browser', types: 'extension', category: 'tabs' },
    ],
    { maxLength: 2 },
  )
  .map((filters) => Object.assign({}, ...filters) as Parameters<typeof readSearchRequest>[0]);
const catalogue = randomCatalogue(2_300, 7);
const read = (values: Parameters<typeof readSearchRequest>[0]) =>
  readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] });

describe('the search in PostgreSQL, compared with a scorer without an index', () => {
  beforeAll(() => loadCatalogue(catalogue));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  testEngineProperties(engine, catalogue, { searches: 120, suggestions: 50 });

  it('stops early only with the correct page', async () => {
    let early = 0;
    let earlyDeep = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, fc.oneof(slices, deepSlices), fc.boolean(), async (values, slice, isShort) => {
        const request = read({ ...values, q: values.q ?? 'tab', sort: undefined });
        const plan = planQuery(request.query ?? '', request.locale);
        if (plan === null) return;
        const target = { run, plan: isShort ? namesOnly(plan) : plan, filters: request.filters };
        const all = referenceSearch(catalogue, request, { namesOnly: isShort, strictly: true });
        const expected = all.slice(slice.offset, slice.offset + slice.limit);
        const { count, hits } = await popularPage(target, slice, { counts: true });
        expect([all.length, null]).toContain(count);
        if (hits !== null) {
          early++;
          if (slice.offset > 400) earlyDeep++;
          expectSame(hits, expected);
        }
        // The estimated number of matches selects only the strategy.
        for (const [matches, maxStatements] of [
          [0, 1],
          [1_000_000, 2],
        ] as const) {
          statements = 0;
          const page = await relevancePage(target, slice, matches);
          expect(statements).toBeLessThanOrEqual(maxStatements);
          expect(page.count).toBe(all.length);
          expectSame(page.hits, expected);
          expectSame(await suggestionsPage(target, slice, matches), expected);
        }
        // Any minimum score up to that of the last hit.
        const last = expected.length < slice.limit ? 0 : (expected.at(-1)?.score ?? 0);
        for (const minScore of [last, last * 0.8, last / 3]) {
          const page = await restOfRanking(target, slice, minScore, 'counted');
          expect(page.count).toBe(all.length);
          expectSame(page.hits, expected);
        }
      }),
      runs(60),
    );
    expect(early).toBeGreaterThan(20);
    expect(earlyDeep).toBeGreaterThan(0);
    expect(shortened).toBeGreaterThan(10);
  });

  it('ranks all rows when the rows of the first statement have changed', async () => {
    const slice = { offset: 0, limit: 25 };
    let fullRankings = 0;
    for (const q of ['tab', 'dark', 'window', 'menu', 'a', 'the']) {
      const request = read({ q });
      const plan = planQuery(q, 'en-US');
      if (plan === null) continue;
      // The first statement returns higher scores than any row has when the second one runs.
      let first = true;
      const runBefore = async (sql: string, values: readonly unknown[]) => {
        const rows = await run(sql, values);
        if (!first) return rows;
        first = false;
        return rows.map((row) => ({ ...row, n: null, score: row.score * 2, factors: row.factors.map(() => 1e9) }));
      };
      statements = 0;
      const page = await relevancePage({ run: runBefore, plan, filters: request.filters }, slice, 1_000_000);
      fullRankings += statements === 3 ? 1 : 0;
      const all = referenceSearch(catalogue, request, { strictly: true });
      expect(page.count).toBe(all.length);
      expectSame(page.hits, all.slice(0, slice.limit));
    }
    expect(fullRankings).toBeGreaterThan(2);
  });

  it('reads an index in the order of a sort over all matches', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, slices, async (values, slice) => {
        for (const sort of ['created', 'rating', 'updated', 'users', 'downloads']) {
          const request = read({ ...values, q: values.q ?? 'tab', sort });
          const plan = planQuery(request.query ?? '', request.locale);
          const expected = referenceSearch(catalogue, request, { strictly: true });
          if (plan === null) continue;
          for (const many of [0, 20, 10_000]) {
            const target = { run, plan, filters: request.filters };
            statements = 0;
            const { count, hits } = await sortedPage(target, request.sort, slice, 1_000_000, many);
            expect(statements).toBeLessThanOrEqual(2);
            expect(count).toBe(expected.length);
            expectSame(hits, expected.slice(slice.offset, slice.offset + slice.limit));
          }
        }
      }),
      runs(12),
    );
  });

  it('merges the index of each type into the order of a sort over all rows', async () => {
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

  it('suggests the same queries as the reference', async () => {
    let suggested = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, async (values) => {
        const request = read(values);
        const expected = referenceSuggestion(catalogue, request);
        const { count } = await engine.search(request, null);
        expect(await engine.suggestQuery(request, count)).toEqual(expected);
        if (expected !== null) suggested++;
      }),
      runs(60),
    );
    expect(suggested).toBeGreaterThan(2);
  });

  it('estimates the number of matches within a factor of four', async () => {
    await pool.query('ANALYZE addon_search');
    const statistics = await lexemeStatistics(run);
    expect(statistics.rows).toBeGreaterThan(2_000);
    for (const values of [{ q: 'tab' }, { q: 'dark theme' }, { q: 'ta' }, { q: 'tab', tags: 'dark' }]) {
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

  it('finds misspelt words with and without the trigram extension', async () => {
    for (const q of ['tabz managr', 'donwload', 'privaet windo', 'tba mangaer them darc neu widnow of menus wizrd']) {
      const request = read({ q });
      const plan = planQuery(q, 'en-US');
      if (plan === null) throw new Error('a query without words');
      const target = { run, plan, filters: request.filters };
      const all = { offset: 0, limit: 100 };
      const expected = await partialMatchPage(target, request.sort, all, true);
      expect(await partialMatchPage(target, request.sort, all, false)).toEqual(expected);
      expect(expected.count).toBe(referenceSearch(catalogue, request).length);
    }
  });
});
