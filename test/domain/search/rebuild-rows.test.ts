import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { JUDGEMENT_CASES } from '../../support/search/judgement-cases.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { config } = await import('../../../src/config.ts');
const { closeDatabase, db, pool, prepared, searchPool } = await import('../../../src/infra/db.ts');
const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
const { publishNumbers } = await import('../../../src/domain/listing/publish-numbers.ts');
const { LEXER_VERSION } = await import('../../../src/domain/search/analysis/lexemes.ts');
const { rebuildOutdatedRows, rebuildRows, rewriteOlderRows } = await import(
  '../../../src/domain/search/postgres/maintain/rebuild-rows.ts'
);
const { writeSearchRows } = await import('../../../src/domain/search/postgres/maintain/write-rows.ts');
const { checkIndex } = await import('../../../src/domain/search/elasticsearch/maintain-index.ts');
const { OutdatedRowsError, reindex } = await import('../../../src/domain/search/elasticsearch/reindex.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
const { readSearchRequest } = await import('../../../src/domain/search/query/search-request.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');

const IDS = CATALOGUE.map(({ id }) => id);
const ALL = { offset: 0, limit: 100 };

const requests = JUDGEMENT_CASES.map(({ values }) =>
  readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] }),
);
const judged = requests.map((request) => referenceSearch(CATALOGUE, request).map(({ id }) => id));

async function results(): Promise<number[][]> {
  const pages = await Promise.all(requests.map((request) => engine.search(request, ALL)));
  return pages.map(({ hits }) => hits.map(({ id }) => id));
}

/** All rows without revisions. */
async function rowsIn(table: string): Promise<unknown[]> {
  const { rows } = await pool.query(`select to_jsonb(s) - 'rev' as row from ${table} s order by addon_id`);
  return rows.map(({ row }) => row);
}

const copies = async (): Promise<number> =>
  (await pool.query('select count(*)::int as n from search_next.addon_search')).rows[0].n;

/** Makes the rows those of an earlier analysis, which did not read texts and had no leading word sequences. */
async function makeOlder(): Promise<void> {
  await pool.query(`update addon_search set lexer = 1, text_lex = '', pad = repeat(' ', 2100), rev = nextval('addon_search_rev'),
    name_lex = ts_delete(name_lex, array(select lexeme from unnest(name_lex) where lexeme like 'l%' or lexeme like 'x%'))`);
  await pool.query(`insert into service_state (name, value) values ('search-rows', '{"lexer": 1}')
    on conflict (name) do update set value = excluded.value`);
}

function change(id: number, work: (tx: Parameters<typeof writeSearchRows>[0]) => Promise<unknown>): Promise<void> {
  return db.$transaction(async (tx) => {
    await work(tx);
    await publishAddons(tx, [id]);
  });
}

const rename = (id: number, name: string) =>
  change(id, (tx) => tx.addon.update({ where: { id }, data: { name: { 'en-US': name } } }));
const disable = (id: number, isDisabledByDeveloper: boolean) =>
  change(id, (tx) => tx.addon.update({ where: { id }, data: { isDisabledByDeveloper } }));

async function use(ids: readonly number[], users: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.addon.updateMany({ where: { id: { in: [...ids] } }, data: { averageDailyUsers: users } });
    await publishNumbers(tx, ids);
  });
}

/** The rows that this release writes into empty tables. */
async function rowsFromScratch(): Promise<unknown[]> {
  await pool.query('truncate addon_search, search_listing, search_facet');
  await db.$transaction((tx) => writeSearchRows(tx, IDS));
  return rowsIn('addon_search');
}

const requestFor = (q: string) => readSearchRequest({ q }, { locale: 'en-US', except: [] });

describe('after a change of the analysis', () => {
  beforeAll(() => loadCatalogue(CATALOGUE));
  beforeEach(makeOlder);
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  it('searches return the previous results until all rows are new', async () => {
    const before = await results();
    expect(before).not.toEqual(judged);
    const during: number[][][] = [];
    const onProgress = async () => during.push(await results());
    expect(await rebuildOutdatedRows({ chunk: 30, onProgress })).toBe(true);
    expect(during).toEqual([before, before]);
    expect(await results()).toEqual(judged);
    expect(await copies()).toBe(0);
    expect(await rebuildOutdatedRows()).toBe(false);
    expect(await rowsIn('addon_search')).toEqual(await rowsFromScratch());
  });

  it('changes made during the rebuild are kept', async () => {
    await disable(9, true);
    const steps = [
      () => rename(1, 'Purple Elephant'),
      () => rename(50, 'Green Giraffe'),
      () => disable(9, false),
      () => Promise.all([disable(2, true), disable(55, true)]),
      () => use(IDS.slice(5, 30), 4_321),
      () => use([1, 54], 999),
      () => change(33, (tx) => tx.addonTag.create({ data: { addonId: 33, tag: 'orchard' } })),
    ];
    const onProgress = () => steps.shift()?.();
    expect(await rebuildOutdatedRows({ chunk: 7, onProgress })).toBe(true);
    expect(steps).toEqual([]);
    const rows = await rowsIn('addon_search');
    expect(rows).toHaveLength(52);
    expect(rows).toEqual(await rowsFromScratch());
    expect((await engine.search(requestFor('green giraffe'), ALL)).hits.map(({ id }) => id)).toEqual([50]);
    await Promise.all([disable(2, false), disable(55, false)]);
  });

  it('a rebuild continues where it was interrupted, unless the copies are of another version', async () => {
    const run = (chunks: number) => {
      const stopping = new AbortController();
      let left = chunks;
      const onProgress = () => --left === 0 && stopping.abort();
      return rebuildOutdatedRows({ chunk: 10, stopping: stopping.signal, onProgress });
    };
    await expect(run(3)).rejects.toThrow('aborted');
    expect(await copies()).toBe(30);
    let last = 0;
    await expect(
      rebuildOutdatedRows({
        onProgress: (copied) => {
          last = copied;
          throw new Error('killed');
        },
      }),
    ).rejects.toThrow('killed');
    expect([last, await copies()]).toEqual([24, 54]);
    await pool.query('update search_next.addon_search set lexer = 1 where addon_id = 3');
    await expect(run(1)).rejects.toThrow('aborted');
    expect(await copies()).toBe(10);
    expect(await rebuildOutdatedRows()).toBe(true);
    expect(await rowsIn('addon_search')).toEqual(await rowsFromScratch());
  });

  it('of two workers one rebuilds, and rows of a newer release are left alone', async () => {
    // As after the migration that added the column: older rows, and no record.
    await pool.query(`delete from service_state where name = 'search-rows'`);
    expect((await Promise.all([rebuildOutdatedRows(), rebuildOutdatedRows()])).toSorted()).toEqual([null, true]);
    await pool.query(`delete from service_state where name = 'search-rows'`);
    expect(await rebuildOutdatedRows()).toBe(false);
    await pool.query(`update service_state set value = '{"lexer": 99}' where name = 'search-rows'`);
    expect(await rebuildOutdatedRows()).toBe(false);
    expect(await rebuildRows()).toBe(true);
    const { rows } = await pool.query(`select value from service_state where name = 'search-rows'`);
    expect(rows).toEqual([{ value: { lexer: LEXER_VERSION } }]);
  });

  it('searches and edits continue while the tables are exchanged', async () => {
    const lookUp = prepared<{ n: number }>(
      searchPool,
      'rows-of-an-add-on',
      'select count(*)::int as n from addon_search where addon_id < $1',
    );
    await rebuildOutdatedRows();
    let isDone = false;
    const counts = { search: new Set<number>(), named: new Set<number>(), prisma: new Set<number>() };
    const loop = async (work: () => Promise<unknown>) => {
      while (!isDone) await work();
    };
    const loops = [
      loop(async () => counts.search.add((await engine.search(requestFor('privacy'), ALL)).hits.length)),
      loop(async () => counts.named.add((await lookUp(8))[0]?.n ?? 0)),
      loop(async () =>
        counts.prisma.add((await db.$queryRaw<object[]>`SELECT FROM addon_search WHERE addon_id < 8`).length),
      ),
      loop(() => rename(20, `Style ${Math.random()}`)),
    ];
    for (let round = 0; round < 3; round++) await rebuildRows();
    isDone = true;
    await Promise.all(loops);
    expect(counts).toEqual({ search: new Set([6]), named: new Set([7]), prisma: new Set([7]) });
    expect(await rowsIn('addon_search')).toEqual(await rowsFromScratch());
  });

  it('a long read delays the exchange, not other searches', async () => {
    const reader = await pool.connect();
    await reader.query('begin; select from addon_search limit 1');
    const rebuilt = rebuildOutdatedRows();
    for (let isWaiting = false; !isWaiting; ) {
      const { hits } = await engine.search(requestFor('ghost lantern'), ALL);
      expect(hits[0]?.id).toBe(12);
      const { rows } = await pool.query(`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`);
      isWaiting = rows.length > 0;
    }
    expect((await engine.search(requestFor('ghost lantern'), ALL)).hits[0]?.id).toBe(12);
    await reader.query('commit');
    reader.release();
    expect(await rebuilt).toBe(true);
  });

  it('single rows that an older release writes afterwards are rewritten', async () => {
    await rebuildOutdatedRows();
    await pool.query(`update addon_search set lexer = 1, text_lex = '' where addon_id = 12`);
    await pool.query('insert into search_next.addon_search select * from addon_search');
    expect(await rewriteOlderRows()).toBe(1);
    expect(await rewriteOlderRows()).toBe(0);
    expect(await copies()).toBe(0);
    expect(await rowsIn('addon_search')).toEqual(await rowsFromScratch());
  });

  it('the index on the search server is built from new rows', async () => {
    config.ELASTICSEARCH_URL = 'http://127.0.0.1:1';
    await checkIndex();
    await expect(reindex()).rejects.toBeInstanceOf(OutdatedRowsError);
    await rebuildOutdatedRows();
    const { rows } = await pool.query(`select from graphile_worker.jobs where task_identifier = 'check-search-index'`);
    expect(rows).toHaveLength(1);
    await expect(checkIndex()).rejects.toThrow('The search server');
    delete config.ELASTICSEARCH_URL;
  });
});
