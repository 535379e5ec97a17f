/*
 * The alert rules of `deploy/` against faults: `node test/deploy/alerts.ts [--only ALERT]`. Prometheus scrapes two web processes and a worker. While all
 * is well no alert fires; then faults are caused, some at the same time, and each must raise its own alert within a minute and no other
 * one than those of its group. Status 69: this machine has no Prometheus. It takes about five minutes, so that `.ci/run` leaves it out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation } from '../crash/support/installation.ts';
import { openInstalledDatabase } from '../crash/support/installed-database.ts';
import { authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { startMailServer } from '../support/mail-server.ts';
import { xpi } from '../support/packages.ts';
import { type Fault, faultsOf, scrape, start, type World } from './alert-faults.ts';
import { hasPrometheus, type Prometheus, startPrometheus } from './prometheus.ts';

const {
  values: { only },
} = parseArgs({ options: { only: { type: 'string' } } });

const SCRAPE_S = 2;
/** No alert may fire while nothing is wrong. */
const QUIET_MS = 40_000;
/** An alert fires within this time after its fault. */
const RAISED_MS = 60_000;
/** Alerts of rates last as long as their window. */
const OVER_MS = 360_000;

if (!(await hasPrometheus())) {
  console.log('skipped: no prometheus');
  process.exit(69);
}
const mailServer = await startMailServer();
const installation = await createInstallation({
  SMTP_URL: mailServer.url,
  SHUTDOWN_DELAY: '0',
  // A search that waits is refused soon.
  SEARCH_CONNECTIONS: '1',
  SEARCH_QUEUE: '1',
  SLOW_STATEMENT_MS: '0',
});
const problems: string[] = [];

function note(problem: string): void {
  console.log(problem);
  problems.push(problem);
}

const stopping = new AbortController();
try {
  await watch();
} finally {
  stopping.abort();
  await installation.remove({ keepFolder: problems.length > 0 });
  await mailServer.close();
}
console.log([problems.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir}`, ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

async function watch(): Promise<void> {
  const key = await installation.developer('uploader');
  await importAddon(installation, 'uploader');
  const database = await openInstalledDatabase(installation.dataDir);
  const prometheus = await startPrometheus(installation.dataDir, SCRAPE_S);
  const world: World = { installation, database, prometheus, processes: new Map(), key };
  try {
    await Promise.all([start(world, 'web1', 'serve'), start(world, 'web2', 'serve'), start(world, 'worker', 'worker')]);
    await scrape(world);
    await uploadSigned(world, 'stored@example.org');
    const readers = read(`${installation.url}/api/v4/addons/addon/${WATCHED.slug}/`);
    await sleep(QUIET_MS);
    const early = await prometheus.firing();
    if (early.size > 0) note(`without a fault: ${[...early].join(', ')}`);
    for (const group of await faultsOf(world)) {
      if (only === undefined || group.some(({ alert }) => alert === only)) await raise(group, prometheus);
    }
    stopping.abort();
    await readers;
  } finally {
    await prometheus.stop();
    await database.close();
  }
}

/** Causes the faults at the same time, waits for the alert of each, and repairs them. */
async function raise(faults: readonly Fault[], prometheus: Prometheus): Promise<void> {
  const expected = new Set(faults.flatMap(({ alert, also = [] }) => [alert, ...also]));
  const repairs: (() => Promise<unknown>)[] = [];
  const waiting = faults.map(async ({ name, alert, cause }) => {
    const started = performance.now();
    repairs.push(await cause());
    try {
      await until(alert, RAISED_MS, async () => ((await prometheus.firing()).has(alert) ? true : null), 500);
      console.log(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${alert}: ${name}`);
    } catch {
      note(`${alert} did not fire within ${RAISED_MS / 1_000} s: ${name}`);
    }
  });
  await Promise.all(waiting);
  const others = [...(await prometheus.firing())].filter((alert) => !expected.has(alert));
  if (others.length > 0) note(`${others.join(', ')} fired too: ${faults.map(({ name }) => name).join(', ')}`);
  for (const repair of repairs) await repair();
  await until(
    'the end of all alerts',
    OVER_MS,
    async () => ((await prometheus.firing()).size === 0 ? true : null),
    500,
  ).catch(async () => note(`after the repair: ${[...(await prometheus.firing())].join(', ')}`));
}

async function uploadSigned({ installation, database, key }: World, guid: string): Promise<void> {
  const { contentType, body } = uploadForm(await xpi({ guid, version: '1.0' }));
  const headers = {
    authorization: authorization(key),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  const { status } = await exchange({ method: 'PUT', url: installation.url + versionPath(guid, '1.0'), headers, body });
  if (status !== 201) throw new Error(`The upload responded ${status}.`);
  await until('a signed version', 120_000, async () => {
    const rows = await database.query(
      `SELECT FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1 AND stage = 'signed'`,
      [guid],
    );
    return rows.length > 0 ? true : null;
  });
}

/** Reads an address until the program stops. */
async function read(url: string): Promise<void> {
  while (!stopping.signal.aborted) {
    await exchange({ method: 'GET', url }).catch(() => {});
    await sleep(100);
  }
}
