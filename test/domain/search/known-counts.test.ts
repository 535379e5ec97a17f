import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { closeDatabase, db, pool, searchPool } = await import('../../../src/infra/db.ts');
const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { tidySearchTables } = await import('../../../src/domain/search/postgres/maintain/keep-up.ts');
const { KnownCounts } = await import('../../../src/domain/search/postgres/plan/known-counts.ts');
const { relevancePage } = await import('../../../src/domain/search/postgres/rank/relevance-page.ts');
const { planQuery } = await import('../../../src/domain/search/query/query-plan.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/read-search-request.ts');

const MANY = 1_000_000;
const SLICE = { offset: 0, limit: 2 };
const COUNTING = 'count(*)::int AS n FROM addon_search';

const request = readSearchRequest({ q: 'tab' }, { locale: 'en-US', except: [] });
const plan = planQuery('tab', 'en-US');
if (plan === null) throw new Error('a query without words');
const planned = { plan, filters: request.filters };
const found = referenceSearch(CATALOGUE, request).map(({ id }) => id);

/** The first page, with the number of counting statements. `beforeStatement` runs before each statement. */
async function page(
  counts: InstanceType<typeof KnownCounts>,
  beforeStatement: () => Promise<unknown> = async () => {},
) {
  let counted = 0;
  const run = async (sql: string, values: readonly unknown[]) => {
    await beforeStatement();
    if (sql.includes(COUNTING)) counted++;
    return (await searchPool.query(sql, [...values])).rows;
  };
  return { ...(await relevancePage({ run, ...planned }, SLICE, MANY, counts)), counted };
}

type Transaction = Parameters<typeof publishAddons>[0];

const setStatus = async (tx: Transaction, id: number, status: 'disabled' | 'public') => {
  await tx.addon.update({ where: { id }, data: { status } });
  await publishAddons(tx, [id]);
};

const marks = async () => (await pool.query('SELECT count(*)::int AS n, sum(mark)::text FROM search_change')).rows[0];

describe('a cached number of matches', () => {
  const [first = 0] = found;
  beforeAll(() => loadCatalogue(CATALOGUE));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  it('is used until a row changes', async () => {
    const counts = new KnownCounts();
    const counted = await page(counts);
    expect(counted).toMatchObject({ count: found.length, counted: 1 });
    expect(await page(counts)).toEqual({ ...counted, counted: 0 });
    expect(await page(new KnownCounts(0))).toEqual(counted);
  });

  it('is invalidated by a committed change', async () => {
    const counts = new KnownCounts();
    await page(counts);
    await db.$transaction((tx) => setStatus(tx, first, 'disabled'));
    const fewer = await page(counts);
    expect(fewer).toMatchObject({ count: found.length - 1, counted: 1 });
    expect(fewer.hits.map(({ id }) => id)).not.toContain(first);
    expect(await page(counts)).toEqual({ ...fewer, counted: 0 });
    await db.$transaction((tx) => setStatus(tx, first, 'public'));
    expect(await page(counts)).toMatchObject({ count: found.length, counted: 1 });
  });

  it('matches the snapshot of its page', async () => {
    const counts = new KnownCounts();
    await page(counts);
    await db.$transaction(async (tx) => {
      await setStatus(tx, first, 'disabled');
      // The change is not committed yet.
      expect(await page(counts)).toMatchObject({ count: found.length, counted: 0 });
    });
    let isFirst = true;
    const publishOnce = async () => {
      if (isFirst) await db.$transaction((tx) => setStatus(tx, first, 'public'));
      isFirst = false;
    };
    expect(await page(counts, publishOnce)).toMatchObject({ count: found.length, counted: 1 });
  });

  it('survives a rollback and a publication without a change', async () => {
    const counts = new KnownCounts();
    await page(counts);
    const before = await marks();
    const rolledBack = db.$transaction(async (tx) => {
      await setStatus(tx, first, 'disabled');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await db.$transaction((tx) => publishAddons(tx, found));
    expect(await marks()).toEqual(before);
    expect(await page(counts)).toMatchObject({ count: found.length, counted: 0 });
  });

  it('survives the compaction of search_change', async () => {
    const counts = new KnownCounts();
    await page(counts);
    const { sum } = await marks();
    await Promise.all([tidySearchTables(), tidySearchTables()]);
    expect(await marks()).toEqual({ n: 1, sum });
    expect(await page(counts)).toMatchObject({ count: found.length, counted: 0 });
  });
});
