import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '../crash/support/installation.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';
import { PATIENCE_MS, quantile, Traffic } from './traffic.ts';

const { askServer, leaveServer, reachDatabase, server, useServer } = await import('./search-server.ts');

/** Within this time after the return of the server the index is right, and searched. */
const BACK_MS = 30_000;
const NEVER_MS = 120_000;
const SEARCHES = 40;
/** How much longer the median answer may take than with PostgreSQL alone, beside the wait: both do the same then. */
const MOST_RATIO = 2;

let app: TestApp;
let installation: Installation;
let tools: Awaited<ReturnType<typeof importTools>>;
const hidden = new Set([46, 47]);

async function importTools() {
  return {
    ...(await import('../../src/infra/db.ts')),
    ...(await import('../../src/domain/listing/publish-addons.ts')),
    ...(await import('../../src/domain/search/elasticsearch/differences.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-admin.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-list.ts')),
    ...(await import('../../src/domain/search/engine/search-engine.ts')),
  };
}

beforeAll(async () => {
  app = await startApp();
  await reachDatabase();
  useServer();
  app.config.SEARCH_TIMEOUT_MS = 250;
  tools = await importTools();
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  await loadCatalogue(CATALOGUE);
  installation = await createInstallation({
    DATABASE_URL: app.config.DATABASE_URL ?? '',
    ELASTICSEARCH_URL: server.url,
    SEARCH_INDEX: app.config.SEARCH_INDEX,
  });
  await installation.work();
  const traffic = await Traffic.start(app, server.url, hidden);
  await rightAgain(traffic).finally(() => traffic.end());
});
afterAll(async () => {
  await installation.remove();
  await leaveServer();
  await app.close();
});

async function control(command: string): Promise<void> {
  const child = spawn(server.program, [command, server.flavor], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [status, signal] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${server.flavor}: ${status ?? signal} ${said}`);
}

const live = async () => (await tools.listIndexes()).find(({ state }) => state === 'live')?.name ?? '';

/** Waits until the index has what the database has, and is searched. Returns how long that took. */
async function rightAgain(traffic: Traffic): Promise<number> {
  const started = performance.now();
  while ((await traffic.inTurn(tools.isSearchDegraded)) || !(await isRight())) {
    if (performance.now() - started > NEVER_MS) throw new Error('The index is never right again.');
    await traffic.next(1);
    await sleep(100);
  }
  return performance.now() - started;
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

let changes = 0;

/** Renames an add-on and hides another: what happens while the server is out of order. */
async function change(): Promise<{ name: string; shown: number; hiddenName: string }> {
  changes += 1;
  const [name, shown, hiding] = [`Changed Meanwhile ${'abcdefghij'[changes]}${changes}`, 30, 30 + changes];
  const hiddenName = CATALOGUE.find(({ id }) => id === hiding)?.name['en-US'] ?? 'Jardin unique';
  await tools.db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id: shown }, data: { name: { 'en-US': name } } });
    await tx.addon.update({ where: { id: hiding }, data: { isDisabledByDeveloper: true } });
    await tools.publishAddons(tx, [shown, hiding]);
  });
  // What is hidden is not shown, whatever the index has.
  hidden.add(hiding);
  return { name, shown, hiddenName };
}

interface Outage {
  what: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const block = (value: boolean | null) => async () =>
  askServer('PUT', `/${await live()}/_settings`, { index: { 'blocks.write': value } });

let closed = '';
const outages: Outage[] = [
  { what: 'hangs', begin: () => control('pause'), end: () => control('resume') },
  {
    what: 'has the index closed',
    begin: async () => {
      closed = await live();
      await askServer('POST', `/${closed}/_close`);
    },
    end: () => askServer('POST', `/${closed}/_open`),
  },
  {
    what: 'loses the alias',
    begin: async () => askServer('DELETE', `/${await live()}/_alias/${tools.readAlias()}`),
    end: async () => {},
  },
  { what: 'loses the index', begin: async () => tools.removeIndex(await live()), end: async () => {} },
  { what: 'takes no changes', begin: block(true), end: block(null) },
];
// A connection that is refused is the same to all of them, and a start takes its time.
if (server.flavor === 'elasticsearch9') {
  outages.push({
    what: 'is stopped and comes back empty',
    begin: () => control('stop'),
    end: () => control('start'),
  });
}

describe(`while ${server.flavor} is out of order`, () => {
  it.each(outages)('and $what, every search is answered in time, and the index is right soon after', async (outage) => {
    const traffic = await Traffic.start(app, server.url, hidden);
    try {
      await traffic.next(5);
      await outage.begin();
      const during = traffic.next(SEARCHES);
      during.catch(() => {});
      const { name, shown, hiddenName } = await traffic.inTurn(change);
      await traffic.find(hiddenName);
      const answers = await during;
      await outage.end();
      const backMs = await rightAgain(traffic);
      expect(await traffic.find(name)).toEqual([shown]);
      await traffic.find(hiddenName);
      expectInTime(traffic, answers, `${server.flavor} ${outage.what}: right after ${(backMs / 1000).toFixed(1)} s`);
      expect(backMs).toBeLessThan(BACK_MS);
    } finally {
      await traffic.end();
    }
  });
});

/**
 * The wait for the search server ends in time for every single search, and beside it an answer takes what it takes with
 * PostgreSQL alone, at the same moment of the same machine.
 */
function expectInTime(traffic: Traffic, during: Traffic['answers'], line: string): void {
  const rest = quantile(
    traffic.answers.map(({ ms, waitedMs }) => ms - waitedMs),
    0.5,
  );
  const alone = quantile(
    traffic.answers.map(({ aloneMs }) => aloneMs),
    0.5,
  );
  const slow = quantile(
    during.map(({ ms }) => ms),
    0.95,
  );
  const slowAlone = quantile(
    during.map(({ aloneMs }) => aloneMs),
    0.95,
  );
  const waited = Math.max(...traffic.answers.map(({ waitedMs }) => waitedMs));
  const [first, second] = [`${traffic.answers.length} searches`, `waited ${waited.toFixed(0)} ms at most`];
  const [third, fourth] = [`half within ${rest.toFixed(0)}, 95 of 100 within`, `${slow.toFixed(0)}`];
  console.log(
    `${line}; ${first}, ${second}, else ${third} ${fourth} ms (alone ${alone.toFixed(0)}, ${slowAlone.toFixed(0)})`,
  );
  expect(traffic.overdue).toBe(0);
  expect(rest).toBeLessThan(MOST_RATIO * alone);
  expect(slow).toBeLessThan(PATIENCE_MS + slowAlone);
}
