/*
 * Update checks under faults: `node test/crash/update-checks.ts [--changes 1000] [--kills 3]`. Two web processes must show each change
 * of an add-on within five seconds, also when connections that announce changes are ended or frozen. A killed process may lose
 * the counts of ten seconds, and must not count twice. Otherwise the exit status is 1.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/infra/migrations/migrate.ts';
import { addons, PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';
import { pathOf, queryFor } from '../support/updates.ts';

const ADDONS = 50;
const VISIBLE_MS = 5_000;
/** The interval of writes, and some time for the write. */
const LOST_MS = 11_000;
const CHECKS_AT_ONCE = 5;
const LISTENERS = `FROM pg_stat_activity WHERE application_name = 'addons listen'`;
const silent = { info: () => {}, warn: () => {} };

type Query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
interface Site {
  query: Query;
  /** Starts a web process. */
  serve(): Promise<Web>;
}
interface Web extends RunningProgram {
  url: string;
}

const { values: options } = parseArgs({
  options: { changes: { type: 'string', default: '1000' }, kills: { type: 'string', default: '3' } },
});

const home = await mkdtemp(join(tmpdir(), 'addons-updates-'));
await chmod(home, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'var'), log: silent });
const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
pool.on('error', () => {});
const running: RunningProgram[] = [];
const site: Site = {
  query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows,
  serve,
};
try {
  await migrate(postgres.url, { log: silent });
  await addAddons(site.query);
  // The rows name files that no store has.
  const adopted = await addons(['storage', 'adopt'], ownSettings());
  if (adopted.code !== 0) throw new Error(adopted.stderr);
  const problems = [
    ...(await changesShow(site, Number(options.changes))),
    ...(await countsSurvive(site, Number(options.kills))),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await Promise.all(running.map((program) => program.end('SIGKILL').catch(() => {})));
  await pool.end();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}

function ownSettings() {
  return { DATABASE_URL: postgres.url, DATA_DIR: join(home, 'data'), ENVIRONMENT: 'development' };
}

async function serve(): Promise<Web> {
  const settings = {
    ...ownSettings(),
    PORT: '0',
    ...{ DEMO: 'false', LOG_LEVEL: 'info', SHUTDOWN_DELAY: '0', TRUSTED_PROXIES: '127.0.0.1' },
    UPDATE_CHECKS_PER_NETWORK: '65534',
  };
  const program = startProgram(settings, { args: [PROGRAM, 'serve'] });
  running.push(program);
  const [, url = ''] = await program.printed(/"url":"(http[^"]+)".*The web process serves/);
  return { ...program, url };
}

function idOf(index: number): string {
  return `checked-${index}@example`;
}

async function addAddons(query: Query): Promise<void> {
  await query(
    `WITH added AS (
      INSERT INTO addon (guid, slug, type, status, default_locale)
      SELECT 'checked-' || n || '@example', 'checked-' || n, 'extension', 'public', 'en-US' FROM generate_series(1, $1::int) n
      RETURNING id
    ), versions AS (
      INSERT INTO version (addon_id, version, channel, stage) SELECT id, '1.0', 'listed', 'signed' FROM added RETURNING id
    ), ranges AS (
      INSERT INTO version_compatibility SELECT id, 'desktop_browser', '1.0', '*', 0, 9007199254675471 FROM versions
    )
    INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions, status, is_webextension)
    SELECT id, 'a.xpi', 1, repeat('0', 64), repeat('0', 64), '{}', 4, true FROM versions`,
    [ADDONS],
  );
}

async function check(url: string, id: string, sender = '192.0.2.1'): Promise<string> {
  const path = pathOf(queryFor(id, { updateType: '112', version: '1.0' }));
  const response = await fetch(url + path, { headers: { 'X-Forwarded-For': sender } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** Changes random add-ons, and measures how long each process shows the state before. */
async function changesShow({ query, serve: start }: Site, changes: number): Promise<string[]> {
  const webs = [await start(), await start()];
  const times: number[] = [];
  const change = async (): Promise<void> => {
    const id = idOf(1 + Math.floor(Math.random() * ADDONS));
    await Promise.all(webs.flatMap(({ url }) => [check(url, id), check(url, id)]));
    const [row] = await query<{ hidden: boolean }>(
      `UPDATE addon SET is_disabled_by_developer = NOT is_disabled_by_developer WHERE guid = $1
      RETURNING is_disabled_by_developer AS hidden`,
      [id],
    );
    const changed = performance.now();
    const shown = webs.map(async ({ url }) => {
      while (((await check(url, id)) === '{}') !== row?.hidden) await sleep(2);
      times.push(performance.now() - changed);
    });
    await Promise.all(shown);
  };
  for (let index = 1; index <= changes; index++) {
    if (index % 20 === 0) await query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
    await change();
  }
  const frozen = await query<{ pid: number }>(`SELECT pid ${LISTENERS}`);
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    await change();
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  }
  await query('UPDATE addon SET is_disabled_by_developer = false');
  await Promise.all(webs.map((web) => web.end('SIGTERM')));
  const slowest = Math.max(...times.slice(0, -webs.length));
  const withFrozen = Math.max(...times.slice(-webs.length));
  console.log(
    `${times.length} changes shown: the slowest after ${Math.round(slowest)} ms, ` +
      `with ${frozen.length} frozen connections after ${Math.round(withFrozen)} ms`,
  );
  if (frozen.length !== webs.length) return [`${frozen.length} connections listened, not ${webs.length}`];
  return Math.max(slowest, withFrozen) > VISIBLE_MS ? [`a change was shown after more than ${VISIBLE_MS} ms`] : [];
}

/** Sends checks to a process, kills it, and compares the written counts with the sent ones. The last process ends by SIGTERM. */
async function countsSurvive({ query, serve: start }: Site, kills: number): Promise<string[]> {
  const problems: string[] = [];
  for (let kill = 0; kill <= kills; kill++) {
    const isKilled = kill < kills;
    await query('DELETE FROM update_check');
    const web = await start();
    const sent: number[] = [];
    const deadline = performance.now() + 11_000 + Math.random() * 10_000;
    const send = async (client: number): Promise<void> => {
      for (let index = 0; performance.now() < deadline; index++) {
        await check(web.url, idOf(1 + (index % ADDONS)), `198.51.${client}.${index % 250}`);
        sent.push(performance.now());
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, (_, client) => send(client)));
    const ended = performance.now();
    await web.end(isKilled ? 'SIGKILL' : 'SIGTERM');
    await sleep(500);
    const [row] = await query<{ count: number }>('SELECT coalesce(sum(count), 0)::int AS count FROM update_check');
    const counted = row?.count ?? 0;
    const safe = isKilled ? sent.filter((time) => time < ended - LOST_MS).length : sent.length;
    console.log(
      `${isKilled ? 'killed' : 'stopped'} after ${sent.length} checks, of which ${safe} had to count: ${counted} counted`,
    );
    if (web.output().includes('/update/')) problems.push('an update check was logged');
    if (counted < safe || counted > sent.length) problems.push('a count was lost or counted twice');
  }
  return problems;
}
