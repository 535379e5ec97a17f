import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '../crash/support/installation.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';
import { PATIENCE_MS, quantile, Traffic } from './traffic.ts';

const { requestServer, removeIndexes, waitForDatabase, server, useServer } = await import('./search-server.ts');

/** The index must be correct and searched this long after the end of an outage: on a quiet machine a quarter of it. */
const RECOVERY_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 240_000;
const SEARCHES = 40;
/** Maximum ratio of a response time, without the wait for the server, to that of PostgreSQL alone. */
const MAX_RATIO = 2;

let app: TestApp;
let installation: Installation;
let tools: Awaited<ReturnType<typeof importTools>>;
const hidden = new Set([46, 47]);

async function importTools() {
  return {
    ...(await import('../../src/infra/db.ts')),
    ...(await import('../../src/domain/listing/publish-addons.ts')),
    ...(await import('../../src/domain/search/elasticsearch/verify-index.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-admin.ts')),
    ...(await import('../../src/domain/search/elasticsearch/index-list.ts')),
    ...(await import('../../src/domain/search/search-engine.ts')),
  };
}

beforeAll(async () => {
  app = await startApp();
  await waitForDatabase();
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
  // The rows of the catalogue name files that no store has.
  await installation.run('storage', 'adopt');
  await installation.work();
  const traffic = await Traffic.start(app, server.url, hidden);
  await untilRecovered(traffic).finally(() => traffic.end());
});
afterAll(async () => {
  await installation.remove();
  await removeIndexes();
  await app.close();
});

async function control(command: string): Promise<void> {
  const child = spawn(server.program, [command, server.flavor], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [status, signal] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${server.flavor}: ${status ?? signal} ${errors}`);
}

const live = async () => (await tools.listIndexes()).find(({ state }) => state === 'live')?.name ?? '';

/** Waits until the index equals the database and is searched. Returns the time in milliseconds. */
async function untilRecovered(traffic: Traffic): Promise<number> {
  const started = performance.now();
  while ((await traffic.inTurn(tools.isSearchDegraded)) || !(await isCorrect())) {
    if (performance.now() - started > RECOVERY_TIMEOUT_MS) throw new Error('The index did not recover.');
    await traffic.next(1);
    await sleep(100);
  }
  return performance.now() - started;
}

async function isCorrect(): Promise<boolean> {
  try {
    const name = await live();
    await tools.refreshIndex(name);
    return (await tools.differencesOf(name)).length === 0;
  } catch {
    return false;
  }
}

let changes = 0;

/** Renames an add-on and hides another, during an outage. */
async function change(): Promise<{ name: string; shown: number; hiddenName: string }> {
  changes += 1;
  const [name, shown, hiding] = [`Changed Meanwhile ${'abcdefghij'[changes]}${changes}`, 30, 30 + changes];
  const hiddenName = CATALOGUE.find(({ id }) => id === hiding)?.name['en-US'] ?? 'Jardin unique';
  await tools.db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id: shown }, data: { name: { 'en-US': name } } });
    await tx.addon.update({ where: { id: hiding }, data: { isDisabledByDeveloper: true } });
    await tools.publishAddons(tx, [shown, hiding]);
  });
  // Hidden add-ons may not be returned, even while the index contains them.
  hidden.add(hiding);
  return { name, shown, hiddenName };
}

interface Outage {
  what: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const block = (value: boolean | null) => async () =>
  requestServer('PUT', `/${await live()}/_settings`, { index: { 'blocks.write': value } });

let closed = '';
const outages: Outage[] = [
  { what: 'hangs', begin: () => control('pause'), end: () => control('resume') },
  {
    what: 'closes the index',
    begin: async () => {
      closed = await live();
      await requestServer('POST', `/${closed}/_close`);
    },
    end: () => requestServer('POST', `/${closed}/_open`),
  },
  {
    what: 'loses the alias',
    begin: async () => requestServer('DELETE', `/${await live()}/_alias/${tools.readAlias()}`),
    end: async () => {},
  },
  { what: 'loses the index', begin: async () => tools.removeIndex(await live()), end: async () => {} },
  { what: 'refuses writes', begin: block(true), end: block(null) },
];
// A refused connection is the same for every flavor, and a start takes long, so one flavor is enough.
if (server.flavor === 'elasticsearch9') {
  outages.push({
    what: 'is stopped and comes back empty',
    begin: () => control('stop'),
    end: () => control('start'),
  });
}

describe(`an outage of ${server.flavor}`, () => {
  it.each(outages)(
    'when it $what, every search responds in time, and the index recovers soon after',
    async (outage) => {
      const traffic = await Traffic.start(app, server.url, hidden);
      try {
        await traffic.next(5);
        await outage.begin();
        const during = traffic.next(SEARCHES);
        during.catch(() => {});
        const { name, shown, hiddenName } = await traffic.inTurn(change);
        await traffic.find(hiddenName);
        const responses = await during;
        await outage.end();
        const recoveryMs = await untilRecovered(traffic);
        expect(await traffic.find(name)).toEqual([shown]);
        await traffic.find(hiddenName);
        expectInTime(
          traffic,
          responses,
          `${server.flavor} ${outage.what}: recovered after ${(recoveryMs / 1000).toFixed(1)} s`,
        );
        expect(recoveryMs).toBeLessThan(RECOVERY_MS);
      } finally {
        await traffic.end();
      }
    },
  );
});

/**
 * Expects that no search waits for the server longer than `PATIENCE_MS`, and that the rest of its time is that of PostgreSQL
 * alone, measured at the same moment on the same machine.
 */
function expectInTime(traffic: Traffic, during: Traffic['responses'], line: string): void {
  const rest = quantile(
    traffic.responses.map(({ ms, waitedMs }) => ms - waitedMs),
    0.5,
  );
  const alone = quantile(
    traffic.responses.map(({ aloneMs }) => aloneMs),
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
  const waited = Math.max(...traffic.responses.map(({ waitedMs }) => waitedMs));
  const [first, second] = [`${traffic.responses.length} searches`, `waited ${waited.toFixed(0)} ms at most`];
  const [third, fourth] = [`half within ${rest.toFixed(0)}, 95 of 100 within`, `${slow.toFixed(0)}`];
  console.log(
    `${line}; ${first}, ${second}, else ${third} ${fourth} ms (alone ${alone.toFixed(0)}, ${slowAlone.toFixed(0)})`,
  );
  expect(traffic.overdue).toBe(0);
  expect(rest).toBeLessThan(MAX_RATIO * alone);
  expect(slow).toBeLessThan(PATIENCE_MS + MAX_RATIO * slowAlone);
}
