/*
 * A year of mails, tokens, counts and statistics, and the nights that follow: `npm run bench -- year [--addons 5000]`. Sizes are those of
 * 50,000 add-ons with 20 million update checks a day, divided by the same factor for every table. While the nightly jobs run, other
 * sessions write to the same tables; the slowest statement shows how long a job holds locks.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../src/infra/migrations/migrate.ts';

const FULL = 50_000;
const DAYS = 365;
/** Applications and versions of an add-on whose browsers check on one day. */
const KINDS = 6;
const PAUSE_MS = 5;

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);

const WRITES: Readonly<Record<string, string>> = {
  check: `INSERT INTO update_check SELECT id, (now() AT TIME ZONE 'UTC')::date, 'desktop_browser', '1.0', 1 FROM addon WHERE id = 1 + floor(random() * 100)::int
    ON CONFLICT (addon_id, day, app, version) DO UPDATE SET count = update_check.count + 1`,
  mail: "INSERT INTO outgoing_mail (address, cause, subject, text, html) VALUES ('a', 'test', 's', 't', 'h')",
  token: 'UPDATE access_token SET last_used = now() WHERE id = (SELECT max(id) FROM access_token)',
  download: `INSERT INTO download_count SELECT id, CURRENT_DATE, 'api', 1 FROM file WHERE id = 1 + floor(random() * 100)::int
    ON CONFLICT (file_id, day, source) DO UPDATE SET count = download_count.count + 1`,
  statistics: `INSERT INTO daily_statistics VALUES (1 + floor(random() * 100)::int, (now() AT TIME ZONE 'UTC')::date, 5, 5, false)
    ON CONFLICT (addon_id, day) DO UPDATE SET users = 6`,
  read: 'SELECT sum(count) FROM counted_check WHERE addon_id = 7 AND day > CURRENT_DATE - 7',
};

const { values } = parseArgs({ options: { addons: { type: 'string', default: '5000' } } });
const addons = Number(values.addons);
const part = addons / FULL;
const folder = await mkdtemp(join(tmpdir(), 'addons-year-'));
const server = await startEmbeddedPostgres({
  dataDir: folder,
  log: { info: () => {}, warn: () => {} },
  durable: false,
});
try {
  await migrate(server.url);
  process.env['DATABASE_URL'] = server.url;
  process.env['LOG_LEVEL'] = 'silent';
  await simulate();
} finally {
  const { closeDatabase } = await import('../src/infra/db.ts');
  await closeDatabase();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function simulate(): Promise<void> {
  const { BulkSession } = await import('../src/infra/bulk-session.ts');
  const { config } = await import('../src/config.ts');
  const { describeSizes } = await import('../src/domain/maintenance/database-sizes.ts');
  const { removeExpiredRows } = await import('../src/domain/maintenance/retention.ts');
  const { rollUpStatistics } = await import('../src/domain/statistics/roll-up.ts');
  const { renewUpdateCheckDays } = await import('../src/domain/statistics/update-check-days.ts');
  // The shortest time of the setting: days of the year become months.
  Object.assign(config, { STATISTICS_RETENTION_DAYS: 62, DOWNLOAD_RETENTION_DAYS: 62 });
  const started = performance.now();
  await BulkSession.during('addons-year', async (session) => {
    for (const statement of yearOf(addons, part)) await session.query(statement);
  });
  console.log(`${addons} add-ons, 1/${Math.round(1 / part)} of the full size; the year in ${seconds(started)} s.`);
  console.log(`before: ${await describeSizes()}`);
  const jobs = {
    'no job': () => sleep(3_000),
    'update checks': () => renewUpdateCheckDays(config.UPDATE_CHECK_RETENTION_DAYS),
    'expired rows': removeExpiredRows,
    statistics: rollUpStatistics,
  };
  for (const [name, job] of Object.entries(jobs)) {
    const slowest = await statementsDuring(job);
    console.log(
      `${name}: ${seconds(slowest.started)} s; ${slowest.statements} statements at the same time, the slowest ${slowest.ms} ms (${slowest.name})`,
    );
  }
  await BulkSession.during('addons-year', (session) => session.query('VACUUM FULL'));
  console.log(`after:  ${await describeSizes()}`);
}

/** Runs a job while other sessions write. The times of a busy machine count as well. */
async function statementsDuring(job: () => Promise<unknown>) {
  const { pool } = await import('../src/infra/db.ts');
  const result = { started: performance.now(), statements: 0, ms: 0, name: '' };
  let isOver = false;
  const write = async (name: string, statement: string): Promise<void> => {
    while (!isOver) {
      const started = performance.now();
      await pool.query(statement);
      const ms = Math.round(performance.now() - started);
      result.statements++;
      if (ms > result.ms) Object.assign(result, { ms, name });
      await sleep(PAUSE_MS);
    }
  };
  const writers = Object.entries(WRITES).map(([name, statement]) => write(name, statement));
  result.started = performance.now();
  await job();
  isOver = true;
  await Promise.all(writers);
  return result;
}

/** The statements that make a year. Each day has the counts that a service of this size stores. */
function* yearOf(count: number, ofFull: number): Generator<string> {
  const today = "(now() AT TIME ZONE 'UTC')::date";
  yield `INSERT INTO addon (guid, slug, type, default_locale, name) SELECT 'year-' || n || '@example', 'year-' || n, 'extension', 'en-US', '{}'
    FROM generate_series(1, ${count}) AS n`;
  yield `INSERT INTO version (addon_id, version, channel, stage) SELECT id, '1.0', 'listed', 'awaiting_review' FROM addon`;
  yield `INSERT INTO file (version_id, name, sha256, original_sha256, size) SELECT id, 'a.xpi', md5(id::text) || md5(id::text), md5(id::text) || md5(id::text), 100000 FROM version`;
  yield `INSERT INTO account (username, email) VALUES ('year', 'year@example')`;
  for (let ago = DAYS; ago >= 1; ago--) {
    const day = `(${today} - ${ago})`;
    yield `DO $$ BEGIN EXECUTE format('CREATE TABLE update_check_days.%I PARTITION OF update_check FOR VALUES FROM (%L) TO (%L)',
      'd' || to_char(${day}, 'YYYYMMDD'), ${day}, ${day} + 1); END $$`;
    yield `INSERT INTO update_check SELECT id, ${day}, 'desktop_browser', '1.' || n, 66 FROM addon, generate_series(1, ${KINDS}) AS n`;
    yield `INSERT INTO daily_statistics SELECT id, ${day}, 400, 5, true FROM addon`;
    yield `INSERT INTO download_count SELECT id, ${day}, source, 3 FROM file, unnest(ARRAY['search', 'api']) AS source`;
    yield `INSERT INTO outgoing_mail (address, cause, subject, text, html, state, sent, created, next_attempt)
      SELECT 'a@example', 'test', 'A subject', repeat('text ', 200), repeat('html ', 300), 'sent', ${day}, ${day}, ${day}
      FROM generate_series(1, ${Math.ceil(20_000 * ofFull)})`;
    yield `INSERT INTO access_token (account_id, hash, created, expires) SELECT a.id, sha256((${ago} || ' ' || n)::bytea), ${day}, ${day} + 30
      FROM generate_series(1, ${Math.ceil(20_000 * ofFull)}) AS n, account a WHERE username = 'year'`;
    yield `INSERT INTO abuse_report (message, state, decided, created) SELECT repeat('m', 200), 'valid', ${day}, ${day} FROM generate_series(1, ${Math.ceil(500 * ofFull)})`;
  }
  yield 'ANALYZE';
}
