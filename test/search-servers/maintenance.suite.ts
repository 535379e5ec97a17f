import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { addons } from '../support/program.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';

const { requestServer, removeIndexes, waitForDatabase, server, useServer } = await import('./search-server.ts');

let app: TestApp;
let db: typeof import('../../src/infra/db.ts').db;
let keeping: typeof import('../../src/domain/search/elasticsearch/maintain-index.ts');
let rebuilding: typeof import('../../src/domain/search/elasticsearch/reindex.ts');
let list: typeof import('../../src/domain/search/elasticsearch/index-list.ts');
let admin: typeof import('../../src/domain/search/elasticsearch/index-admin.ts');
let syncing: typeof import('../../src/domain/search/elasticsearch/sync-addons.ts');
let differences: typeof import('../../src/domain/search/elasticsearch/verify-index.ts');
let publishAddons: typeof import('../../src/domain/listing/publish-addons.ts').publishAddons;

beforeAll(async () => {
  app = await startApp();
  await waitForDatabase();
  ({ db } = await import('../../src/infra/db.ts'));
  ({ publishAddons } = await import('../../src/domain/listing/publish-addons.ts'));
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  keeping = await import('../../src/domain/search/elasticsearch/maintain-index.ts');
  rebuilding = await import('../../src/domain/search/elasticsearch/reindex.ts');
  list = await import('../../src/domain/search/elasticsearch/index-list.ts');
  admin = await import('../../src/domain/search/elasticsearch/index-admin.ts');
  syncing = await import('../../src/domain/search/elasticsearch/sync-addons.ts');
  differences = await import('../../src/domain/search/elasticsearch/verify-index.ts');
  await loadCatalogue(CATALOGUE);
  useServer();
  await keeping.checkIndex();
});
afterAll(async () => {
  await removeIndexes();
  await app.close();
});
beforeEach(() => app.runJobs());

const live = async () => (await list.listIndexes()).find(({ state }) => state === 'live')?.name ?? '';

async function rename(id: number, name: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id }, data: { name: { 'en-US': name } } });
    await publishAddons(tx, [id]);
  });
}

/** Ids of the add-ons that a query matches after a refresh of the index. */
async function found(q: string): Promise<number[]> {
  const { elasticsearchEngine } = await import('../../src/domain/search/elasticsearch/elasticsearch-engine.ts');
  const { readSearchRequest } = await import('../../src/domain/search/query/search-request.ts');
  await admin.refreshIndex(await live());
  const request = readSearchRequest({ q }, { locale: 'en-US', except: [] });
  const { hits } = await elasticsearchEngine(list.readAlias()).search(request, { offset: 0, limit: 50 });
  return hits.map(({ id }) => id);
}

describe(`the index in ${server.flavor}`, () => {
  it('applies a change with a job of its transaction, and not one that is rolled back', async () => {
    await rename(25, 'Purple Elephant');
    expect(await app.pendingJobs()).toEqual(['sync-search']);
    await rename(25, 'Purple Elephants');
    expect(await app.pendingJobs()).toEqual(['sync-search']);
    await app.runJobs();
    expect(await found('purple elephants')).toEqual([25]);
    const failing = db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: 25 }, data: { name: { 'en-US': 'Green Giraffe' } } });
      await publishAddons(tx, [25]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await app.pendingJobs()).toEqual([]);
  });

  it('removes hidden add-ons, adds them again, and ignores older revisions', async () => {
    const older = await syncing.changesOf([25]);
    const hide = (isDisabledByDeveloper: boolean) =>
      db.$transaction(async (tx) => {
        await tx.addon.update({ where: { id: 25 }, data: { isDisabledByDeveloper } });
        await publishAddons(tx, [25]);
      });
    await hide(true);
    await app.runJobs();
    expect(await found('purple elephants')).toEqual([]);
    const { bulkWrite } = await import('../../src/domain/search/elasticsearch/bulk-write.ts');
    await bulkWrite(await live(), older);
    expect(await found('purple elephants')).toEqual([]);
    await hide(false);
    await app.runJobs();
    expect(await found('purple elephants')).toEqual([25]);
    await syncing.syncAddons([25, 25, 999_999]);
    expect(await differences.differencesOf(await live())).toEqual([]);
  });

  it('applies changes of many add-ons with one job', async () => {
    await app.sql('update addon set average_daily_users = average_daily_users + 7');
    const { refreshPopularity } = await import('../../src/domain/search/postgres/maintain/maintenance.ts');
    const ids = CATALOGUE.map(({ id }) => id);
    await db.$transaction((tx) => publishAddons(tx, ids));
    expect(await app.pendingJobs()).toEqual(['sync-search']);
    expect(await refreshPopularity()).toBe(0);
    await app.runJobs();
    await admin.refreshIndex(await live());
    expect(await differences.differencesOf(await live())).toEqual([]);
  });

  it('is rebuilt next to the old index, which is kept', async () => {
    const before = await live();
    let isDone = false;
    const changing = (async () => {
      for (let round = 0; !isDone; round++) {
        await rename(1 + (round % 8), `Renamed ${round}`);
        await app.runJobs();
      }
    })();
    const built = await rebuilding.reindex().finally(() => {
      isDone = true;
      return changing;
    });
    expect(await live()).toBe(built?.name);
    expect((await list.listIndexes()).map(({ name, state }) => [name, state])).toEqual([
      [built?.name, 'live'],
      [before, 'retired'],
    ]);
    await rename(30, 'Simple Websocket Client Again');
    await app.runJobs();
    for (const name of [built?.name ?? '', before]) {
      await admin.refreshIndex(name);
      expect(await differences.differencesOf(name)).toEqual([]);
    }
    expect(await rebuilding.rollBack()).toBe(before);
    expect(await live()).toBe(before);
    expect(await found('simple websocket client again')).toEqual([30]);
  });

  it('is built by one process at a time, and continued after a kill', async () => {
    const name = await admin.createIndex(
      (await import('../../src/domain/search/elasticsearch/index-schema.ts')).currentMake(),
    );
    const { schemaHash, lexer, resultWindow } = (await list.listIndexes())[0] ?? {
      schemaHash: '',
      lexer: 0,
      resultWindow: 0,
    };
    await db.searchIndex.create({ data: { name, schemaHash, lexer, resultWindow } });
    const { bulkWrite } = await import('../../src/domain/search/elasticsearch/bulk-write.ts');
    await bulkWrite(name, await syncing.changesOf([1, 2, 3]));
    await db.searchIndex.update({ where: { name }, data: { backfilledTo: 3 } });
    const stray = await admin.createIndex({ schemaHash: '00000000', lexer: 1, resultWindow: 50 });
    const both = await Promise.all([rebuilding.reindex(), rebuilding.reindex()]);
    expect(both).toEqual(expect.arrayContaining([null, { name, documents: 51 }]));
    expect(await live()).toBe(name);
    expect([...(await admin.presentIndexes()).keys()]).not.toContain(stray);
    await keeping.checkIndex();
    expect((await list.listIndexes()).map(({ state }) => state).sort()).toEqual(['live', 'retired']);
  });

  it('is not searched if add-ons are missing in it', async () => {
    const before = await live();
    const { bulkWrite } = await import('../../src/domain/search/elasticsearch/bulk-write.ts');
    const rev = '9007199254740000';
    await bulkWrite(before, [{ id: 9, rev, body: null }]);
    await admin.refreshIndex(before);
    const { IndexGapError, verifyIndex } = await import('../../src/domain/search/elasticsearch/verify-index.ts');
    await expect(verifyIndex(before)).rejects.toThrow(IndexGapError);
    // The index ignores older revisions, so only a new index repairs it.
    await bulkWrite(before, [{ id: 9, rev, body: (await syncing.changesOf([9]))[0]?.body ?? null }]);
    await admin.refreshIndex(before);
    expect(await keeping.reconcileIndex()).toBe(1);
    expect(await live()).not.toBe(before);
    expect(await differences.differencesOf(await live())).toEqual([]);
  });

  it('is corrected by the nightly comparison', async () => {
    await app.sql(`update addon_search set rev = nextval('addon_search_rev') where addon_id in (3, 4)`);
    expect(await keeping.reconcileIndex()).toBe(2);
    await app.runJobs();
    await admin.refreshIndex(await live());
    expect(await keeping.reconcileIndex()).toBe(0);
  });

  it('is found again without its alias, and rebuilt if it is deleted', async () => {
    const name = await live();
    await requestServer('DELETE', `/${name}/_alias/${list.readAlias()}`);
    await keeping.checkIndex();
    expect(await live()).toBe(name);
    expect(await found('menu wizard')).toEqual([18]);
    await admin.removeIndex(name);
    await rename(18, 'Menu Wizard Prime');
    await app.runJobs();
    // No late write has created an index of that name.
    expect((await requestServer('GET', `/${name}`)).status).toBe(404);
    await keeping.checkIndex();
    expect(await live()).not.toBe(name);
    expect(await found('menu wizard prime')).toEqual([18]);
    await app.sql(`delete from graphile_worker._private_jobs`);
  });

  it('is not changed by a worker of an older release', async () => {
    const name = await live();
    await app.sql(`update search_index set schema_hash = 'of-later' where name = $1`, [name]);
    await keeping.checkIndex();
    expect(await live()).toBe(name);
    await expect(syncing.syncAddons([1])).rejects.toThrow('another release');
    const { isSearchDegraded } = await import('../../src/domain/search/search-engine.ts');
    await sleep(1_100);
    expect(await isSearchDegraded()).toBe(true);
    expect((await app.anonymous.get('/api/v4/addons/search/?q=menu+wizard+prime')).status).toBe(200);
    await app.sql(`delete from search_index where state = 'retired'`);
    await keeping.checkIndex();
    expect(await live()).not.toBe(name);
  });

  it('is rebuilt by an operator command, which can roll back', async () => {
    const settings = {
      ...{ ELASTICSEARCH_URL: server.url, SEARCH_INDEX: app.config.SEARCH_INDEX, LOG_LEVEL: 'silent' },
      ...{ DATABASE_URL: app.config.DATABASE_URL ?? '', DATA_DIR: app.config.DATA_DIR },
    };
    const before = await live();
    expect(await addons(['reindex'], settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/54 add-ons in/),
    });
    expect(await live()).not.toBe(before);
    const { findings } = JSON.parse((await addons(['doctor', '--json'], settings)).stdout) as { findings: object[] };
    expect(findings).toContainEqual({
      check: 'search server',
      ok: true,
      warning: false,
      text: `${await live()} is searched`,
    });
    const expected = { code: 0, stdout: `${before} is searched again.\n` };
    expect(await addons(['reindex', '--roll-back'], settings)).toMatchObject(expected);
    expect(await live()).toBe(before);
    expect(await keeping.searchableIndex()).toBe(before);
    const { code, stderr } = await addons(['reindex'], { ...settings, ELASTICSEARCH_URL: 'http://127.0.0.1:1' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The search server does not respond (ConnectionError)'),
    ]);
    const none = { ...settings, ELASTICSEARCH_URL: '' };
    expect((await addons(['reindex'], none)).stderr).toContain('ELASTICSEARCH_URL is not set');
    expect(await addons(['reindex', '--rows'], none)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All add-ons are analysed again'),
    });
  });

  it('has the search window that it was built for', async () => {
    const { requireSearchWindow } = await import('../../src/domain/search/search-engine.ts');
    await requireSearchWindow();
    app.config.SEARCH_WINDOW = 50;
    await expect(requireSearchWindow()).rejects.toThrow('npx addons reindex');
    await rebuilding.reindex();
    await requireSearchWindow();
    const page = (number: number) => app.anonymous.get(`/api/v4/addons/search/?page_size=20&page=${number}`);
    const { results, page_count, next } = (await page(3)).json as {
      results: object[];
      page_count: number;
      next: string | null;
    };
    expect([results.length, page_count, next]).toEqual([10, 3, null]);
    expect((await page(4)).status).toBe(404);
    app.config.SEARCH_WINDOW = 25_000;
  });
});
