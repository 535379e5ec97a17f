import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();
let installation: typeof import('../../../src/infra/blob-store/installation.ts');
let collector: typeof import('../../../src/domain/maintenance/collect-blobs.ts');
let store: string;
beforeAll(async () => {
  installation = await import('../../../src/infra/blob-store/installation.ts');
  collector = await import('../../../src/domain/maintenance/collect-blobs.ts');
  store = join(app.config.DATA_DIR, 'blobs');
});
beforeEach(() => rm(store, { recursive: true, force: true }));

/** Stores files as an installation that runs for two days has them. */
async function oldFiles(count: number): Promise<string[]> {
  const names: string[] = [];
  const before = new Date(Date.now() - 48 * 3_600_000);
  for (let file = 0; file < count; file++) {
    const bytes = randomBytes(16);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = blobFile(app.config.DATA_DIR, sha256);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    await utimes(path, before, before);
    names.push(sha256);
  }
  return names;
}

const stored = async () => (await readdir(store, { recursive: true })).filter((name) => /\/[0-9a-f]{64}$/.test(name));
const marker = () => readFile(join(store, 'installation'), 'utf8');

describe('a worker on another database than that of its store', () => {
  it('does not start, and removes nothing', async () => {
    const { startWorker } = await import('../../../src/process/worker.ts');
    const { serveWeb } = await import('../../../src/process/serve.ts');
    await oldFiles(154);
    const { database } = await installation.storeIds();
    for (const id of [null, '00000000-1111-2222-3333-444444444444']) {
      if (id !== null) await writeFile(join(store, 'installation'), `${id}\n`);
      for (const start of [() => startWorker(() => {}), serveWeb, installation.requireOwnStore]) {
        await expect(start()).rejects.toThrow(
          expect.objectContaining({
            name: 'WrongStoreError',
            message: expect.stringMatching(`${id ?? 'has no id'}.*${database}.*npx addons storage adopt`),
          }),
        );
      }
    }
    await expect(collector.collectBlobs()).rejects.toThrow(installation.WrongStoreError);
    expect(await stored()).toHaveLength(154);
  });

  it('removes nothing after the store was adopted, until an operator confirms it', async () => {
    const { log } = await import('../../../src/infra/log.ts');
    const [alert, info] = [vi.spyOn(log, 'alert'), vi.spyOn(log, 'info')];
    await oldFiles(154);
    await writeFile(join(store, 'installation'), 'another\n');
    const { database } = await installation.storeIds();
    expect(await installation.adoptStore()).toEqual({ database, store: 'another' });
    expect(await marker()).toBe(`${database}\n`);
    const found = { stored: 154, unreferenced: 154 };
    expect(await collector.collectBlobs()).toEqual({ ...found, removed: 0, isRefused: true });
    expect(await stored()).toHaveLength(154);
    expect(alert).toHaveBeenCalledExactlyOnceWith(found, expect.stringContaining('refused'));
    expect(await collector.refusedCollection()).toEqual(found);
    expect(await collector.collectBlobs({ isConfirmed: true })).toEqual({ ...found, removed: 154, isRefused: false });
    expect(await stored()).toEqual([]);
    expect(info.mock.calls.filter(([line]) => 'sha256' in (line as object))).toHaveLength(154);
    expect(await collector.refusedCollection()).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('a collection', () => {
  it.each([
    [100, 0, true],
    [101, 950, true],
    [101, 900, false],
  ])('of %i unreferenced files next to %i others: removes them: %s', async (unreferenced, referenced, isDone) => {
    const names = await oldFiles(unreferenced + referenced);
    const files = names.slice(0, referenced).map((sha256) => ({ sha256, originalSha256: sha256 }));
    await addon({ versions: [{ files }] });
    const { isRefused } = await collector.collectBlobs();
    expect([isRefused, (await stored()).length]).toEqual([!isDone, isDone ? referenced : unreferenced + referenced]);
  });
});

describe('a backup', () => {
  it('keeps collections from removing files until it ends, and waits for a running one', async () => {
    const { openBackupSession, unlessBackupRuns } = await import('../../../src/infra/backup/exclude-collection.ts');
    const opened = await unlessBackupRuns(async () => {
      const waiting = openBackupSession();
      const isWaiting = "select from pg_locks where locktype = 'advisory' and not granted";
      await vi.waitFor(async () => expect(await app.sql(isWaiting)).toHaveLength(1));
      return { waiting };
    });
    const session = await opened?.waiting;
    await oldFiles(3);
    expect(await collector.collectBlobs()).toMatchObject({ removed: 0, isDeferred: true });
    expect(await stored()).toHaveLength(3);
    await session?.end();
    expect(await collector.collectBlobs()).toMatchObject({ removed: 3 });
  });
});

describe('the id of the installation', () => {
  it('is given to an empty store, and to one whose files the database knows, by several processes at once', async () => {
    const { database } = await installation.storeIds();
    await Promise.all([1, 2, 3].map(() => installation.claimStore()));
    expect(await marker()).toBe(`${database}\n`);
    await rm(store, { recursive: true });
    const names = await oldFiles(20);
    await addon({ versions: [{ files: names.slice(0, 12).map((sha256) => ({ sha256, isStored: true })) }] });
    await installation.claimStore();
    expect(await installation.storeIds()).toEqual({ database, store: database });
    expect((await readdir(store)).filter((name) => name.startsWith('installation'))).toEqual(['installation']);
  });

  it('is not given to an empty store while the database needs files, until it is adopted', async () => {
    const [sha256 = ''] = await oldFiles(1);
    await addon({ versions: [{ files: [{ sha256, originalSha256: sha256, isStored: true }] }] });
    await rm(store, { recursive: true });
    await expect(installation.claimStore()).rejects.toThrow('has no id and not the files of the database');
    await installation.adoptStore();
    await installation.claimStore();
  });
});
