/*
 * Web processes and a worker behind PgBouncer in transaction mode: `node test/deploy/pooler.ts [--processes 10] [--seconds 12]`. Clients
 * read and upload at the same time. No response may have a status of 500 or more, every upload must be signed, and the server may have
 * 40 connections of the service at most. Status 69: PgBouncer is missing.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { checkInstallation } from '../crash/kill-checks.ts';
import { keepUploading, newLedger } from '../crash/kill-uploads.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation } from '../crash/support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from '../crash/support/installed-database.ts';
import { STALLED_MS } from '../crash/support/waiting.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { findProgram } from '../support/find-program.ts';
import { PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts';
import { pathOf, queryFor } from '../support/updates.ts';

const MAX_CONNECTIONS = 40;
const UPLOADERS = 3;
const PAUSE_MS = 10;
const PATHS = [
  `/api/v4/addons/addon/${WATCHED.slug}/`,
  `/addon/${WATCHED.slug}/`,
  '/api/v4/addons/search/?q=watched',
  pathOf(queryFor(WATCHED.guid)),
  '/search/?q=watched',
];

const { values } = parseArgs({
  options: { processes: { type: 'string', default: '10' }, seconds: { type: 'string', default: '12' } },
});
if ((await findProgram(PGBOUNCER)) === null) {
  console.log(`skipped: no ${PGBOUNCER}`);
  process.exit(69);
}

const home = await mkdtemp(join(tmpdir(), 'addons-pooler-'));
// The account of the database server must be able to enter.
await chmod(home, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir: home, log: { info: () => {}, warn: () => {} } });
const pooler = await startPgbouncer(postgres.url);
const installation = await createInstallation({
  DATABASE_URL: pooler.through(postgres.url),
  DATABASE_SESSION_URL: postgres.url,
  WEB_PROCESSES: values.processes,
  SHUTDOWN_DELAY: '0',
});
const database = await openInstalledDatabase(home);
let problems: string[] = ['it did not end'];
try {
  await installation.run('migrate');
  const key = await installation.developer('uploader');
  await importAddon(installation);
  await Promise.all([installation.serve(), installation.work()]);
  await untilAllServe(database);
  const stopping = new AbortController();
  const ledger = newLedger();
  const options = { url: installation.url, key, ledger, database, stop: stopping.signal };
  const [statuses, most] = [new Map<number, number>(), countConnections(database, stopping.signal)];
  const load = [
    ...PATHS.map((path) => read(installation.url + path, statuses, stopping.signal)),
    ...Array.from({ length: UPLOADERS }, (_, index) => keepUploading({ ...options, name: `uploader-${index}` })),
  ];
  await sleep(Number(values.seconds) * 1_000);
  stopping.abort();
  await Promise.all(load);
  problems = [
    ...ledger.problems,
    ...[...statuses].filter(([status]) => status >= 500).map(([status, count]) => `${count} responses with ${status}`),
    ...(ledger.unavailable > 0 ? [`${ledger.unavailable} uploads with 503`] : []),
    ...((await most) > MAX_CONNECTIONS ? [`${await most} connections to the server`] : []),
    ...(await checkInstallation({ installation, database, key, ledger })),
  ];
  const shown = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  console.log(`${values.processes} web processes: reads ${shown}; at most ${await most} connections to the server`);
} finally {
  await installation.remove({ keepFolder: problems.length > 0 });
  await database.close();
  await pooler.stop();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
console.log([problems.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir}`, ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

/** Waits until each process listens to the database, which it does with its first request that needs it. */
async function untilAllServe(on: InstalledDatabase): Promise<void> {
  const deadline = performance.now() + STALLED_MS;
  for (;;) {
    await exchange({ method: 'GET', url: `${installation.url}/api/v4/addons/addon/${WATCHED.slug}/` });
    const [{ count = 0 } = {}] = await on.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'addons listen'`,
    );
    // The worker listens as well.
    if (count >= Number(values.processes)) return;
    if (performance.now() > deadline) throw new Error(`only ${count} processes listen`);
    await sleep(PAUSE_MS);
  }
}

/** The highest number of connections of the service, through the pooler and next to it. */
async function countConnections(on: InstalledDatabase, stop: AbortSignal): Promise<number> {
  let most = 0;
  while (!stop.aborted) {
    const [{ count = 0 } = {}] = await on.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'addons%' AND application_name <> 'addons-presence'`,
    );
    most = Math.max(most, count);
    await sleep(100);
  }
  return most;
}

async function read(url: string, statuses: Map<number, number>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const { status } = await exchange({ method: 'GET', url });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(PAUSE_MS);
  }
}
