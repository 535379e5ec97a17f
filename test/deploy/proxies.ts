/*
 * The proxy configurations of `deploy/` in front of two web processes: `node test/deploy/proxies.ts [--restarts 2]`. Clients read, check for
 * updates and upload through HAProxy and nginx at the same time. No request may be lost while the web processes are restarted one after
 * the other; while the database is lost, update checks go on and everything else gets the service's own 503. Status 69: a proxy is missing.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createInstallation, freePort, type RunningProcess } from '../crash/support/installation.ts';
import { openInstalledDatabase } from '../crash/support/installed-database.ts';
import { until } from '../crash/support/waiting.ts';
import { importAddon } from '../crash/support/watched-addon.ts';
import { expectEventStream, expectPlainPaths, expectRedirect } from './proxy-checks.ts';
import { type Load, startLoad } from './proxy-load.ts';
import { missingProxies, type ProxyProcess, startProxies } from './proxy-processes.ts';

const OUTAGE_MS = 5_000;
const RECOVERY_MS = 30_000;

const { values } = parseArgs({ options: { restarts: { type: 'string', default: '2' } } });
const missing = await missingProxies();
if (missing.length > 0) {
  console.log(`skipped: no ${missing.join(' and no ')}`);
  process.exit(69);
}

const installation = await createInstallation({
  SHUTDOWN_DELAY: '6',
  TRUSTED_PROXIES: '127.0.0.1',
  BASE_URL: 'https://addons.example.org',
});
const problems: string[] = [];
let proxies: ProxyProcess[] = [];
try {
  const key = await installation.developer('uploader');
  await importAddon(installation);
  const ports: [number, number] = [Number(new URL(installation.url).port), await freePort()];
  const webs = await Promise.all(ports.map((port) => installation.serve({ port })));
  proxies = await startProxies(installation.dataDir, ports);
  for (const proxy of proxies) {
    await expectRedirect(proxy);
    await expectPlainPaths(proxy);
    await expectEventStream(proxy, key);
  }
  problems.push(
    ...(await restartAll(
      webs,
      ports,
      proxies.map((proxy) => startLoad(proxy, key)),
    )),
  );
  problems.push(...(await loseDatabase(proxies.map((proxy) => startLoad(proxy, key)))));
} finally {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await installation.remove({ keepFolder: problems.length > 0 });
}
console.log([problems.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir}`, ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

/** Restarts the web processes in turn, as a release does. */
async function restartAll(webs: RunningProcess[], ports: number[], loads: Load[]): Promise<string[]> {
  const restarts = Number(values.restarts);
  for (let restart = 0; restart < restarts; restart++) {
    const index = restart % webs.length;
    await webs[index]?.end('SIGTERM');
    webs[index] = await installation.serve({ port: ports[index] ?? 0 });
    await until('both web processes behind every proxy', RECOVERY_MS, async () =>
      proxies.every((proxy) => proxy.hasAll()) ? true : null,
    );
  }
  const results = await Promise.all(loads.map((load) => load.stop()));
  return results.flatMap(({ name, sent, unexpected }) => {
    console.log(`${name}: ${restarts} restarts, ${sent} requests, ${unexpected.length} lost`);
    return [
      ...unexpected.slice(0, 10).map((what) => `${name}: ${what} during restarts`),
      ...(sent < 100 ? [`${name}: only ${sent} requests`] : []),
    ];
  });
}

/** Ends all sessions of the service and refuses new ones for some seconds. */
async function loseDatabase(loads: Load[]): Promise<string[]> {
  const database = await openInstalledDatabase(installation.dataDir);
  const [{ name = '' } = {}] = await database.query<{ name: string }>('SELECT current_database() AS name');
  const limit = (connections: number) =>
    database.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} CONNECTION LIMIT ${connections}`);
  const found: string[] = [];
  try {
    await limit(0);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'addons%'`,
    );
    await Promise.all(loads.map((load) => load.forget()));
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    for (const load of loads) {
      const { name: proxy, statuses } = load.seen();
      const show = (kind: string) => [...(statuses.get(kind) ?? [])].map(([status, count]) => `${count} x ${status}`);
      console.log(`${proxy} without a database: update checks ${show('update check')}; reads ${show('read')}`);
      if (show('update check').join() !== `${statuses.get('update check')?.get('200')} x 200`)
        found.push(`${proxy}: update checks without a database: ${show('update check')}`);
      const others = [...(statuses.get('read')?.keys() ?? [])].filter((status) => status !== '503 of the service');
      if (others.length > 0) found.push(`${proxy}: reads without a database: ${others}`);
    }
    await limit(-1);
    await until('reads after the outage', RECOVERY_MS, async () => {
      await Promise.all(loads.map((load) => load.forget()));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const statuses = loads.map((load) => load.seen().statuses.get('read') ?? new Map());
      return statuses.every((counts) => counts.size === 1 && counts.has('200')) ? true : null;
    });
  } finally {
    await limit(-1);
    await Promise.all(loads.map((load) => load.stop()));
    await database.close();
  }
  return found;
}
