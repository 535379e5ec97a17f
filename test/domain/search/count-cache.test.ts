import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SearchTarget } from '../../../src/domain/search/postgres/plan/tier-conditions.ts';
import { createTestDatabase } from '../../support/database.ts';
import { randomCatalogue } from '../../support/search/random-catalogue.ts';

const database = await createTestDatabase();
const { closeDatabase, pool, searchPool } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { CountCache } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
const { postgresEngine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
const { relevancePage } = await import('../../../src/domain/search/postgres/rank/relevance-page.ts');
const { sortedPage } = await import('../../../src/domain/search/postgres/rank/sorted-page.ts');
const { planQuery } = await import('../../../src/domain/search/query/query-plan.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/search-request.ts');

const run = async (sql: string, values: readonly unknown[]) => (await searchPool.query(sql, [...values])).rows;
const read = (values: Parameters<typeof readSearchRequest>[0]) =>
  readSearchRequest(values, { locale: 'en-US', except: [] });
const TAB = read({ q: 'tab' });
const PAGE = { offset: 0, limit: 25 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

it('caches large counts for a minute, by query, language and filters', () => {
  const counts = new CountCache();
  counts.set(TAB, 10_000);
  counts.set(read({ q: 'dark' }), 9_999);
  vi.advanceTimersByTime(59_000);
  expect(counts.get(read({ q: 'tab', sort: 'users' }))).toBe(10_000);
  expect(counts.get(read({ q: 'dark' }))).toBeUndefined();
  expect(counts.get({ ...TAB, locale: 'de' })).toBeUndefined();
  for (const filter of [{ types: 'extension' }, { tags: 'dark' }, { excludeAddons: { ids: [1] } }])
    expect(counts.get(read({ q: 'tab', ...filter }))).toBeUndefined();
  vi.advanceTimersByTime(2_000);
  expect(counts.get(TAB)).toBeUndefined();
});

it('counts the matches of a query with many again after a minute, and always those of a query with few', async () => {
  await loadCatalogue(randomCatalogue(300, 7));
  const cachesAll = postgresEngine(run, new CountCache(1));
  const cachesLarge = postgresEngine(run);
  const { count } = await cachesAll.search(TAB, null);
  expect(count).toBeGreaterThan(10);
  expect(await cachesLarge.search(TAB, null)).toEqual({ count, hits: [] });

  const { hits } = await cachesAll.search(TAB, PAGE);
  await pool.query('DELETE FROM addon_search WHERE addon_id = $1', [hits[0]?.id]);
  expect(await cachesAll.search(TAB, null)).toEqual({ count, hits: [] });
  expect(await cachesLarge.search(TAB, null)).toEqual({ count: count - 1, hits: [] });
  vi.advanceTimersByTime(61_000);
  expect(await cachesAll.search(TAB, null)).toEqual({ count: count - 1, hits: [] });

  const plan = planQuery('tab', 'en-US');
  if (plan === null) throw new Error('a query without words');
  const counted: SearchTarget = { run, plan, filters: TAB.filters };
  // Many are expected, so the statements that stop early count on their own.
  for (const page of [
    (target: SearchTarget) => relevancePage(target, PAGE, 1_000_000),
    (target: SearchTarget) => sortedPage(target, ['users'], PAGE, 1_000_000, 0),
  ]) {
    const { hits: expected } = await page(counted);
    expect(await page({ ...counted, knownCount: 12_345 })).toEqual({ count: 12_345, hits: expected });
  }
});
