import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { closeDatabase, db, pool } = await import('../../../src/infra/db.ts');
const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
const { writeSearchRows } = await import('../../../src/domain/search/postgres/maintain/write-rows.ts');
const { refreshPopularity, compactSearchTables } = await import(
  '../../../src/domain/search/postgres/maintain/maintenance.ts'
);
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/search-request.ts');

type Transaction = Parameters<typeof writeSearchRows>[0];

const all = { offset: 0, limit: 100 };

async function search(values: Parameters<typeof readSearchRequest>[0]) {
  const { count, hits } = await engine.search(
    readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] }),
    all,
  );
  expect(count).toBe(hits.length);
  return hits.map(({ id }) => id);
}

async function change(id: number, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await db.$transaction(async (tx) => {
    await work(tx);
    await publishAddons(tx, [id]);
  });
}

/** The rows of all search tables, without revisions. */
async function contents() {
  const columns = 'type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max';
  const tables = await Promise.all([
    pool.query('select to_jsonb(s) - $1 - $2 as row from addon_search s order by addon_id', ['rev', 'pad']),
    pool.query('select to_jsonb(l) as row from search_listing l order by addon_id'),
    pool.query(
      `select ${columns}, sum(n)::int as n from search_facet group by ${columns} having sum(n) <> 0 order by ${columns}`,
    ),
  ]);
  return tables.map(({ rows }) => rows);
}

const revisionOf = async (id: number): Promise<number | undefined> =>
  (await pool.query('select rev::int from addon_search where addon_id = $1', [id])).rows[0]?.rev;

describe('search rows', () => {
  beforeAll(() => loadCatalogue(CATALOGUE));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  it('exist for public add-ons only', async () => {
    const { rows } = await pool.query('select addon_id from addon_search order by 1');
    expect(rows.map(({ addon_id }) => addon_id)).toEqual(CATALOGUE.filter(({ hidden }) => !hidden).map(({ id }) => id));
  });

  it('change in the transaction of the add-on', async () => {
    await change(25, (tx) => tx.addon.update({ where: { id: 25 }, data: { name: { 'en-US': 'Purple Elephant' } } }));
    expect(await search({ q: 'purple elephant' })).toEqual([25]);
    expect(await search({ q: 'merge windows' })).toEqual([26]);
    await expect(
      db.$transaction(async (tx) => {
        await tx.addon.update({ where: { id: 25 }, data: { name: { 'en-US': 'Green Giraffe' } } });
        await publishAddons(tx, [25]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await search({ q: 'green giraffe' })).toEqual([]);
  });

  it('are removed when an add-on is disabled, and restored when it is enabled', async () => {
    const before = await contents();
    await change(25, (tx) => tx.addon.update({ where: { id: 25 }, data: { isDisabledByDeveloper: true } }));
    expect(await search({ q: 'purple elephant' })).toEqual([]);
    expect(await search({ types: 'extension' })).not.toContain(25);
    await change(25, (tx) => tx.addon.update({ where: { id: 25 }, data: { isDisabledByDeveloper: false } }));
    expect(await contents()).toEqual(before);
  });

  it('are not written when the searched fields stay the same', async () => {
    const [before, revision] = [await contents(), await revisionOf(1)];
    await change(1, (tx) =>
      tx.addon.update({ where: { id: 1 }, data: { supportUrl: { 'en-US': 'https://a.example/' } } }),
    );
    expect([await contents(), await revisionOf(1)]).toEqual([before, revision]);
  });

  it('include the daily numbers after refreshPopularity', async () => {
    await pool.query(
      'update addon set average_daily_users = id * 1000, weekly_downloads = id, hotness = id, rating_bayesian = 3',
    );
    const revision = (await revisionOf(1)) ?? 0;
    expect(await refreshPopularity()).toBe(54);
    expect(await refreshPopularity()).toBe(0);
    expect(await revisionOf(1)).toBeGreaterThan(revision);
    const refreshed = await contents();
    await db.$transaction(
      (tx) =>
        publishAddons(
          tx,
          CATALOGUE.map(({ id }) => id),
        ),
      { timeout: 20_000 },
    );
    expect(await contents()).toEqual(refreshed);
    expect((await search({ sort: 'users' })).slice(0, 2)).toEqual([56, 55]);
    // As processes of release 0.1.0 leave it.
    await pool.query('update search_listing set rating = 0');
    expect(await refreshPopularity()).toBe(54);
    expect(await contents()).toEqual(refreshed);
  });

  it('have no index that new numbers change, next to the text indexes', async () => {
    const { rows } = await pool.query<{ name: string }>(`
      SELECT DISTINCT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
      WHERE indrelid = ANY('{addon_search,search_next.addon_search}'::regclass[]) ORDER BY name`);
    expect(rows.map(({ name }) => name)).toEqual(['addon_id', 'created', 'last_updated', 'name_lex', 'text_lex']);
  });

  it('stay the same when compactSearchTables compacts sums and removes duplicate words', async () => {
    const before = await contents();
    await pool.query('insert into search_word select * from search_word');
    await Promise.all([compactSearchTables(), compactSearchTables()]);
    expect(await contents()).toEqual(before);
    const { rows } = await pool.query(
      'select count(*)::int - count(distinct (kind, term))::int as doubles from search_word',
    );
    expect(rows).toEqual([{ doubles: 0 }]);
    expect(await search({ q: 'menu wizzard' })).toEqual([18]);
  });

  it('accept texts longer than an index row', async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `w${index}x${index * 7}`).join(' ');
    const texts = Object.fromEntries(['en-US', 'fr', 'de', 'es', 'it', 'ru', 'ja'].map((locale) => [locale, long]));
    await change(8, (tx) =>
      tx.addon.update({ where: { id: 8 }, data: { description: texts, name: { 'en-US': `Redux ${long}` } } }),
    );
    expect(await search({ q: 'redux w0x0' })).toEqual([8]);
  });

  it('are consistent under concurrent writers', async () => {
    const ids = CATALOGUE.map(({ id }) => id);
    await Promise.all(
      [ids, ids.toReversed(), ids].map((some) =>
        db.$transaction((tx) => writeSearchRows(tx, some), { timeout: 20_000 }),
      ),
    );
    const { rows } = await pool.query('select sum(n)::int as n from search_facet');
    expect(rows).toEqual([{ n: 54 }]);
    const request = readSearchRequest({ q: 'privacy' }, { locale: 'en-US', except: [] });
    expect(new Set(await search({ q: 'privacy' }))).toEqual(
      new Set(referenceSearch(CATALOGUE, request).map(({ id }) => id)),
    );
  });

  it('match long misspelt names whose number of words differs between two languages', async () => {
    const name = {
      'en-US': 'alpha bravo charlie delta echo foxtrot golf hotel india',
      fr: 'rouge vert bleu jaune noir blanc gris orange',
    };
    await change(25, (tx) => tx.addon.update({ where: { id: 25 }, data: { name } }));
    // One word is a stop word in French only: nine words by default and eight in French.
    expect(await search({ q: 'roueg le vetr belu juane nior balnc girs ornage', lang: 'fr' })).toEqual([25]);
    expect(await search({ q: 'alhpa brvao chralie detla ehco foxrtot gofl hotle le', lang: 'fr' })).toEqual([25]);
  });

  it('contain the newest document after waiting for a concurrent change', async () => {
    const isWaiting = async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%SELECT d.body%'",
      );
      return rows.length > 0;
    };
    let writing: Promise<void> | undefined;
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: 25 }, data: { name: { 'en-US': 'Patient Penguin' } } });
      await tx.$queryRaw`SELECT FROM addon WHERE id = 25 FOR UPDATE`;
      writing = db.$transaction((other) => writeSearchRows(other, [25]));
      await vi.waitFor(async () => expect(await isWaiting()).toBe(true));
      await tx.$executeRaw`UPDATE addon_document d SET body = c.body FROM current_addon_document c
        WHERE c.addon_id = d.addon_id AND d.addon_id = 25`;
    });
    await writing;
    expect(await search({ q: 'patient penguin' })).toEqual([25]);
  });
});
