import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { LOCK_KEYS } from '../lock-keys.ts';

/** Receives log lines; a pino logger is one. */
interface Log {
  info(text: string): void;
}

interface Options {
  log?: Log;
  /** Folder of the SQL files. */
  directory?: string;
}

interface Migration {
  /** File name without `.sql`; the order of names is the order of application. */
  name: string;
  sql: string;
  checksum: string;
}

/** The program cannot migrate the database; the message has instructions for the operator. */
class MigrationError extends Error {
  override name = 'MigrationError';
}

const DIRECTORY = join(import.meta.dirname, '../../../prisma/migrations');
const OLDEST_SERVER = 150_000;

/**
 * Applies the pending files of `prisma/migrations`, then the job queue's own migrations. Each file is one transaction with the
 * row that records it, and one process migrates at a time, so it can be repeated after a crash.
 * @returns the names of the files applied now.
 * @throws {MigrationError} when PostgreSQL is older than 15, an applied file has changed, or the database is newer than this
 * program; the database's own error, with the file's name before it, when a file fails.
 */
export async function migrate(
  url: string,
  { log, directory = DIRECTORY }: Options = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  return withClient(url, async (client) => {
    await requireVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS.migration]);
    await client.query(`create table if not exists schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const known = await appliedChecksums(client);
    requireSameHistory(migrations, known);
    const applied: string[] = [];
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      await apply(client, migration);
      log?.info(`migration ${migration.name} applied`);
      applied.push(migration.name);
    }
    await prepareJobQueue(url);
    return { applied };
  });
}

/**
 * The names of the files that the database at `url` has not seen, without changing anything. A database that is newer than
 * this program has none: old code keeps serving while new code is rolled out.
 */
export async function pendingMigrations(url: string, { directory = DIRECTORY }: Options = {}): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const known = await withClient(url, async (client) => {
    const { rows } = await client.query("select to_regclass('schema_migration') is not null as found");
    return rows[0].found ? appliedChecksums(client) : new Map<string, string>();
  });
  return migrations.map(({ name }) => name).filter((name) => !known.has(name));
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file)) throw new MigrationError(`${file} is not named NNNN_name.sql.`);
      const sql = await readFile(join(directory, file), 'utf8');
      return { name: file.slice(0, -4), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'addons-migrate' });
  // An `error` event without a listener would end the process; the current query fails anyway.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    // The end of the session releases the lock.
    await client.end();
  }
}

/** Applies the job queue's own migrations. */
async function prepareJobQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  // A server that cuts a connection which is just being closed would end the process: the pool listens no more by then.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as number");
  if (rows[0].number >= OLDEST_SERVER) return;
  const major = Math.floor(rows[0].number / 10_000);
  throw new MigrationError(`PostgreSQL ${major} is too old: version 15 or newer is needed.`);
}

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function requireSameHistory(migrations: Migration[], known: Map<string, string>): void {
  const changed = migrations.find(({ name, checksum }) => known.has(name) && known.get(name) !== checksum);
  if (changed) {
    throw new MigrationError(
      `Migration ${changed.name} has changed since it was applied. Restore the file; put changes into a new one.`,
    );
  }
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...known.keys()].filter((name) => !names.has(name)).sort();
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program, which does not have ${unknown.join(', ')}. Run the newer version.`,
    );
  }
}

/** A migration gives up after waiting 10 s for a lock, because requests queue behind it; it can be repeated. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query("begin; set local lock_timeout = '10s'");
    await client.query(sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (error instanceof Error) error.message = `Migration ${name}: ${error.message}`;
    throw error;
  }
}
