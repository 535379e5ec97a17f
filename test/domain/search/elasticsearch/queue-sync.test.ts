import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../../support/app.ts';
import { addon } from '../../../support/factories.ts';
import {
  fails,
  type MisbehavingServer,
  says,
  startMisbehavingServer,
} from '../../../support/search/misbehaving-server.ts';

const app = setUpApp();
let server: MisbehavingServer;
let existing: { id: number };
let publishAddons: typeof import('../../../../src/domain/listing/publish-addons.ts').publishAddons;
let db: typeof import('../../../../src/infra/db.ts').db;
let queueSync: typeof import('../../../../src/domain/search/index/queue-sync.ts').queueSync;
let syncAddons: typeof import('../../../../src/domain/search/elasticsearch/sync-addons.ts').syncAddons;
let resumeWhenBack: typeof import('../../../../src/domain/search/elasticsearch/maintain-index.ts').resumeWhenBack;

beforeAll(async () => {
  existing = await addon();
  ({ publishAddons } = await import('../../../../src/domain/listing/publish-addons.ts'));
  ({ db } = await import('../../../../src/infra/db.ts'));
  ({ queueSync } = await import('../../../../src/domain/search/index/queue-sync.ts'));
  ({ syncAddons } = await import('../../../../src/domain/search/elasticsearch/sync-addons.ts'));
  ({ resumeWhenBack } = await import('../../../../src/domain/search/elasticsearch/maintain-index.ts'));
  server = await startMisbehavingServer();
  const { currentMake } = await import('../../../../src/domain/search/elasticsearch/index-schema.ts');
  await db.searchIndex.create({ data: { name: 'addons_1', ...currentMake(), state: 'live' } });
});
afterAll(async () => {
  const { closeSearchServer } = await import('../../../../src/infra/search-server/send-request.ts');
  await closeSearchServer();
  await server.close();
});
beforeEach(async () => {
  app.config.ELASTICSEARCH_URL = server.url;
  await app.sql('delete from graphile_worker._private_jobs');
});

const jobs = () =>
  app.sql<{ key: string | null; payload: { addonIds: number[] } }>(
    `select j.key, j.payload from graphile_worker._private_jobs j order by j.id`,
  );

async function rename(name: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id: existing.id }, data: { name: { 'en-US': name } } });
    await publishAddons(tx, [existing.id]);
  });
}

const bulkResponse = (item: object, errors = false) => says(200, { took: 1, errors, items: [item] });

describe('changes of add-ons', () => {
  it('queue nothing without a search server', async () => {
    delete app.config.ELASTICSEARCH_URL;
    await rename('No Job');
    expect(await jobs()).toEqual([]);
    const { crontab } = await import('../../../../src/process/task-list.ts');
    expect(crontab()).not.toContain('search-index');
  });

  it('queue one job per add-on', async () => {
    await rename('First Name');
    await rename('Second Name');
    expect(await jobs()).toEqual([{ key: `sync-search:${existing.id}`, payload: { addonIds: [existing.id] } }]);
  });

  it('queue nothing when the searched fields stay the same', async () => {
    await db.$transaction((tx) => publishAddons(tx, [existing.id]));
    expect(await jobs()).toEqual([]);
  });

  it('queue another job while one is running', async () => {
    await rename('Third Name');
    await app.sql(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`);
    await rename('Fourth Name');
    expect((await jobs()).map(({ key }) => key)).toEqual([null, `sync-search:${existing.id}`]);
  });

  it('queue batches of 500 for many add-ons', async () => {
    const ids = Array.from({ length: 1_201 }, (_, index) => index + 1);
    await db.$transaction((tx) => queueSync(tx, [...ids, ...ids]));
    expect((await jobs()).map(({ key, payload }) => [key, payload.addonIds.length])).toEqual([
      [null, 500],
      [null, 500],
      [null, 201],
    ]);
  });
});

describe('an import', () => {
  it('queues jobs for the add-ons it changes, in its transaction', async () => {
    const { importCatalogue } = await import('../../../../src/domain/transfer/import-catalogue.ts');
    const lines = ['a', 'b', 'c'].map((name) =>
      JSON.stringify({
        ...{ kind: 'addon', guid: `${name}@moved.example`, slug: `moved-${name}`, type: 'persona', status: 'public' },
        ...{ name: { 'en-US': `Moved ${name}` }, authors: [{ username: 'mover', role: 'owner' }] },
      }),
    );
    const all = ['{"kind": "account", "username": "mover"}', ...lines];
    await importCatalogue({
      lines: (async function* () {
        yield* all;
      })(),
    });
    const found = await app.sql<{ id: number }>('select addon_id as id from addon_search order by 1');
    const moved = found.map(({ id }) => id).filter((id) => id !== existing.id);
    expect(moved).toHaveLength(3);
    expect((await jobs()).map(({ payload }) => payload.addonIds)).toEqual(moved.map((id) => [id]));
  });
});

describe('the job sync-search', () => {
  it.each([
    [
      'the index has a newer revision',
      bulkResponse({ index: { status: 409, error: { type: 'version_conflict' } } }, true),
    ],
    ['the document is written', bulkResponse({ index: { status: 201 } })],
    ['the document to delete does not exist', bulkResponse({ delete: { status: 404 } }, true)],
  ])('succeeds when %s', async (_title, response) => {
    server.behave(response);
    await expect(syncAddons([existing.id])).resolves.toBeUndefined();
  });

  it.each([
    ['the queue of the server is full', fails(429, 'es_rejected_execution_exception')],
    ['the server is unavailable', fails(503, 'unavailable_shards_exception')],
    ['one document was not written', bulkResponse({ index: { status: 429, error: { type: 'rejected' } } }, true)],
    [
      'the index is read-only',
      bulkResponse({ index: { status: 403, error: { type: 'cluster_block_exception' } } }, true),
    ],
    [
      'the index does not exist',
      bulkResponse({ delete: { status: 404, error: { type: 'index_not_found_exception' } } }, true),
    ],
    ['the response has no items', says(200, { fine: true })],
  ])('fails and is retried when %s', async (_title, response) => {
    server.behave(response);
    await expect(syncAddons([existing.id])).rejects.toThrow(/^The search server /);
  });

  it('fails with the reason when the index rejects a document', async () => {
    server.behave(bulkResponse({ index: { status: 400, error: { type: 'document_parsing_exception' } } }, true));
    await expect(syncAddons([existing.id])).rejects.toThrow('does not take a document: document_parsing_exception');
  });

  it('waits while the server fails or the index is read-only, and runs at once afterwards', async () => {
    await rename('Fifth Name');
    server.behave(fails(503, 'unavailable'));
    await app.runJobs();
    const waiting = () =>
      app.sql(`select attempts, run_at > now() as "isLater" from graphile_worker.jobs where key like 'sync%'`);
    expect(await waiting()).toEqual([{ attempts: 1, isLater: true }]);
    await resumeWhenBack();
    expect(await waiting()).toEqual([{ attempts: 1, isLater: true }]);
    server.behave(says(200, { addons_1: { settings: { index: { blocks: { write: 'true' } } } } }));
    await resumeWhenBack();
    expect(await waiting()).toEqual([{ attempts: 1, isLater: true }]);
    server.behave(says(200, {}));
    await resumeWhenBack();
    expect(await waiting()).toEqual([{ attempts: 0, isLater: false }]);
  });
});
