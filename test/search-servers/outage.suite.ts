import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';

const { askServer, leaveServer, server, useServer } = await import('./search-server.ts');

/** What a reader waits for a search server at most, beside the time that PostgreSQL takes. */
const PATIENCE_MS = 300;
const BACK_MS = 30_000;
const QUERIES = ['tab', 'privacy', 'menu wizzard', 'fire', 'download', 'open image', 'timer', 'cleaner tool'];

let app: TestApp;
let worker: { stop(): Promise<void> };
let tools: Awaited<ReturnType<typeof importTools>>;

async function importTools() {
  return {
    ...(await import('../../src/infra/db.ts')),
    ...(await import('../../src/domain/addons/publish-addons.ts')),
    ...(await import('../../src/domain/search/elasticsearch/differences.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-admin.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-list.ts')),
    ...(await import('../../src/domain/search/postgres/database-engine.ts')),
    ...(await import('../../src/domain/search/read-search-request.ts')),
    ...(await import('../../src/domain/search/search-engine.ts')),
  };
}

beforeAll(async () => {
  app = await startApp();
  useServer();
  app.config.SEARCH_TIMEOUT_MS = 250;
  tools = await importTools();
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  await loadCatalogue(CATALOGUE);
  const { startWorker } = await import('../../src/worker.ts');
  worker = await startWorker(() => {});
  await rightAgain();
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await leaveServer();
  await app.close();
});

async function control(command: string): Promise<void> {
  const { status, stderr } = spawnSync(server.program, [command, server.flavor], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${server.flavor}: ${stderr}`);
}

const live = async () => (await tools.listIndexes()).find(({ state }) => state === 'live')?.name ?? '';

/** Waits until the index has what the database has, and is searched. Returns how long that took. */
async function rightAgain(): Promise<number> {
  const started = performance.now();
  for (;;) {
    await ask('tab');
    if (!(await tools.isSearchDegraded()) && (await isRight())) return performance.now() - started;
    if (performance.now() - started > BACK_MS) throw new Error('The index is not right again.');
    await sleep(100);
  }
}

async function isRight(): Promise<boolean> {
  try {
    const name = await live();
    await tools.refreshIndex(name);
    return (await tools.differencesOf(name)).length === 0;
  } catch {
    return false;
  }
}

/** The time that PostgreSQL takes at the moment for a search, and the service for a list that PostgreSQL always finds. */
async function ownTime(q: string): Promise<number> {
  const started = performance.now();
  const request = tools.readSearchRequest({ q }, { locale: 'en-US', except: [] });
  await tools.databaseEngine.search(request, { offset: 0, limit: 25 });
  const drawn = await app.anonymous.get('/api/v4/addons/search/?featured=true&sort=random');
  expect(drawn.status).toBe(200);
  return performance.now() - started;
}

async function ask(q: string): Promise<{ status: number; ms: number; ids: number[] }> {
  const started = performance.now();
  const reply = await app.anonymous.get(`/api/v4/addons/search/?q=${encodeURIComponent(q)}`);
  const { results } = reply.json as { results: { id: number }[] };
  return { status: reply.status, ms: performance.now() - started, ids: results.map(({ id }) => id) };
}

/** The most that `ownTime` has been: how busy this machine is. */
let slowestOwnMs = 0;

/** Searches for so long, each answer held against what it should be. Returns the times. */
async function searchFor(seconds: number): Promise<{ answers: number; slowestMs: number }> {
  const until = performance.now() + seconds * 1_000;
  const seen = { answers: 0, slowestMs: 0 };
  for (let round = 0; performance.now() < until; round++) {
    const q = QUERIES[round % QUERIES.length] ?? 'tab';
    const [own, answer] = [await ownTime(q), await ask(q)];
    expect(answer.status).toBe(200);
    expect(answer.ids.length).toBeGreaterThan(0);
    expect(answer.ids).not.toContain(46);
    expect(answer.ids).not.toContain(47);
    seen.answers += 1;
    seen.slowestMs = Math.max(seen.slowestMs, answer.ms);
    slowestOwnMs = Math.max(slowestOwnMs, own);
  }
  return seen;
}

let changes = 0;

/** Renames an add-on and hides another: what happens while the server is out of order. */
async function change(): Promise<{ name: string; shown: number; hidden: number; hiddenName: string }> {
  changes += 1;
  const [name, shown, hidden] = [`Changed Meanwhile ${'abcdefghij'[changes]}${changes}`, 30, 30 + changes];
  const hiddenName = CATALOGUE.find(({ id }) => id === hidden)?.name['en-US'] ?? 'Jardin unique';
  await tools.db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id: shown }, data: { name: { 'en-US': name } } });
    await tx.addon.update({ where: { id: hidden }, data: { isDisabledByDeveloper: true } });
    await tools.publishAddons(tx, [shown, hidden]);
  });
  return { name, shown, hidden, hiddenName };
}

interface Outage {
  what: string;
  /** Whether servers of each kind may show it in a way of their own; a connection is the same to all of them. */
  isOfKind: boolean;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const block = (value: boolean | null) => async () =>
  askServer('PUT', `/${await live()}/_settings`, { index: { 'blocks.write': value } });

let closed = '';
const outages: Outage[] = [
  { what: 'hangs', isOfKind: false, begin: () => control('pause'), end: () => control('resume') },
  {
    what: 'is stopped and comes back empty',
    isOfKind: false,
    begin: () => control('stop'),
    end: () => control('start'),
  },
  {
    what: 'has the index closed',
    isOfKind: true,
    begin: async () => {
      closed = await live();
      await askServer('POST', `/${closed}/_close`);
    },
    end: () => askServer('POST', `/${closed}/_open`),
  },
  {
    what: 'loses the alias',
    isOfKind: false,
    begin: async () => askServer('DELETE', `/${await live()}/_alias/${tools.readAlias()}`),
    end: async () => {},
  },
  { what: 'loses the index', isOfKind: false, begin: async () => tools.removeIndex(await live()), end: async () => {} },
  { what: 'takes no changes', isOfKind: true, begin: block(true), end: block(null) },
];

describe(`while ${server.flavor} is out of order`, () => {
  it.each(outages.filter(({ isOfKind }) => isOfKind || server.flavor === 'elasticsearch9'))(
    'and $what, every search is answered in time, and the index is right soon after',
    async ({ what, begin, end }) => {
      await begin();
      const during = searchFor(3);
      during.catch(() => {});
      const { name, shown, hidden, hiddenName } = await change();
      // What was hidden is not shown, whatever the index has.
      expect((await ask(hiddenName)).ids).not.toContain(hidden);
      const { answers, slowestMs } = await during;
      await end();
      const backMs = await rightAgain();
      expect((await ask(name)).ids).toEqual([shown]);
      expect((await ask(hiddenName)).ids).not.toContain(hidden);
      const line = `${server.flavor} ${what}: ${answers} searches, slowest ${slowestMs.toFixed(0)} ms`;
      console.log(`${line} (PostgreSQL ${slowestOwnMs.toFixed(0)} ms), right after ${(backMs / 1000).toFixed(1)} s`);
      expect(slowestMs).toBeLessThan(PATIENCE_MS + slowestOwnMs);
      expect(backMs).toBeLessThan(BACK_MS);
    },
    120_000,
  );
});
