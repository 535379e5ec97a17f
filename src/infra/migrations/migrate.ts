import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { LOCK_KEYS } from '../lock-keys.ts';
import { withClient } from '../with-client.ts';
import {
  applyDefinitions,
  CREATE_DEFINITION_TABLE,
  MigrationError,
  readDefinitions,
  type SqlDefinition,
  unknownDefinitions,
} from './definitions.ts';
import { inLockedTransaction, type LockLimits, requireNoDump } from './wait-for-locks.ts';

/** Receives log lines; a pino logger is one. */
interface Log {
  info(text: string): void;
}

interface Options {
  log?: Log;
  /** Folder with the folders `migrations` and `definitions`. */
  directory?: string;
  locks?: LockLimits;
}

interface Migration {
  /** File name without `.sql`; the order of names is the order of application. */
  name: string;
  sql: string;
  checksum: string;
}

interface Files {
  migrations: Migration[];
  definitions: SqlDefinition[];
}

const DIRECTORY = join(import.meta.dirname, '../../../prisma');
const OLDEST_SERVER = 150_000;

/** The first migration of versions before 0.1.0, whose databases are not migrated. */
const BEFORE_RELEASES = '0001_tables';

/**
 * Applies the pending files of `prisma/migrations` and then those of `prisma/definitions`, in one transaction; then the job queue's own
 * migrations. One process migrates at a time, and it can be repeated after a crash.
 * @returns the names of the files applied now.
 * @throws {MigrationError} when PostgreSQL is older than 15, an applied migration has changed, the database is newer than this
 * program or older than version 0.1.0, a dump reads it, or locks cannot be taken; the database's own error, with the file's name before
 * it, when a file fails.
 */
export async function migrate(
  url: string,
  { log, directory = DIRECTORY, locks }: Options = {},
): Promise<{ applied: string[] }> {
  const files = await readFiles(directory);
  return withMigrationClient(url, async (client) => {
    await requireVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS.migration]);
    if ((await pendingFiles(client, files)).length > 0) await requireNoDump(client);
    const applied = await inLockedTransaction(client, () => applyPending(client, files), locks);
    for (const name of applied) log?.info(`${name} applied`);
    await prepareJobQueue(url);
    return { applied };
  });
}

/** A backup of a database. */
interface Backup {
  /** Those that its database had. */
  migrations: { name: string; checksum: string }[];
  /** Fills the tables that these migrations make. */
  load(client: pg.Client): Promise<void>;
}

/**
 * Makes the tables that a backup had, loads them, and applies all other migrations and the definitions, in one transaction: the database
 * stays empty when anything fails.
 * @throws {MigrationError} when the database is not empty, or this program does not have the migrations of the backup; as `migrate` does.
 */
export async function migrateBackup(
  url: string,
  { migrations, load }: Backup,
  directory = DIRECTORY,
): Promise<{ applied: string[] }> {
  const files = await readFiles(directory);
  const ofBackup = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  requireSameHistory(files.migrations, ofBackup);
  return withMigrationClient(url, async (client) => {
    await requireVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS.migration]);
    await requireEmpty(client);
    await prepareJobQueue(url);
    const applied = await inLockedTransaction(client, async () => {
      await applyPending(client, {
        migrations: files.migrations.filter(({ name }) => ofBackup.has(name)),
        definitions: [],
      });
      await load(client);
      return applyPending(client, files);
    });
    await client.query('analyze');
    return { applied };
  });
}

/** @throws {MigrationError} when the database has tables. */
export async function requireEmptyDatabase(url: string): Promise<void> {
  await withMigrationClient(url, requireEmpty);
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const [{ count = 0 } = {}] = rows;
  if (count > 0) throw new MigrationError(`The database is not empty: it has ${count} tables. Name an empty one.`);
}

/**
 * The names of the files that the database at `url` has not seen, without changing anything. A database that is newer than
 * this program has none: old code keeps serving while new code is rolled out.
 * @throws {MigrationError} when the database is older than version 0.1.0.
 */
export async function pendingMigrations(url: string, { directory = DIRECTORY }: Options = {}): Promise<string[]> {
  const files = await readFiles(directory);
  return withMigrationClient(url, (client) => pendingFiles(client, files));
}

async function pendingFiles(client: pg.Client, { migrations, definitions }: Files): Promise<string[]> {
  const { rows } = await client.query("select to_regclass('schema_migration') is not null as found");
  const known = rows[0].found ? await appliedChecksums(client) : new Map<string, string>();
  requireRelease(known);
  const pending = migrations.filter(({ name }) => !known.has(name));
  return [...pending.map(migrationName), ...(await unknownDefinitions(client, definitions)).map(definitionName)];
}

const migrationName = ({ name }: { name: string }): string => `migration ${name}`;
const definitionName = ({ name }: { name: string }): string => `definition ${name}`;

async function readFiles(directory: string): Promise<Files> {
  const [migrations, definitions] = await Promise.all([
    readMigrations(join(directory, 'migrations')),
    readDefinitions(join(directory, 'definitions')),
  ]);
  return { migrations, definitions };
}

/** Applies what is pending. Returns the names of the files. */
async function applyPending(client: pg.Client, { migrations, definitions }: Files): Promise<string[]> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await client.query(CREATE_DEFINITION_TABLE);
  const known = await appliedChecksums(client);
  requireRelease(known);
  requireSameHistory(migrations, known);
  const pending = migrations.filter(({ name }) => !known.has(name));
  for (const migration of pending) await apply(client, migration);
  return [...pending.map(migrationName), ...(await applyDefinitions(client, definitions)).map(definitionName)];
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

/** Runs `work` on a connection of its own, named after migrations. */
export const withMigrationClient = <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => withClient({ connectionString: url, application_name: 'addons-migrate' }, work);

/** Applies the job queue's own migrations. */
async function prepareJobQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  // A server that cuts a connection which is just being closed would end the process: the pool listens no more by then.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    await indexJobs(pool);
  } finally {
    await pool.end();
  }
}

/** Our indexes of the job queue, by their conditions: few jobs meet one. Queries of operators repeat them (src/domain/operation/find-jobs.ts). */
const JOB_INDEXES = {
  addons_failed_jobs: 'locked_at IS NULL AND attempts >= max_attempts',
  addons_retried_jobs: 'is_available AND last_error IS NOT NULL',
  addons_locked_jobs: 'locked_at IS NOT NULL',
};

/**
 * Operators see on every page how many jobs have failed, and list those that run or are retried. The queue has indexes of the jobs that may
 * run, so these are ours. One is made when it is missing, because a migration of the queue that replaces a column drops it.
 */
async function indexJobs(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT indexname AS name FROM pg_indexes WHERE indexname = ANY($1)',
    [Object.keys(JOB_INDEXES)],
  );
  for (const [name, condition] of Object.entries(JOB_INDEXES)) {
    if (rows.some((row) => row.name === name)) continue;
    await pool.query(`CREATE INDEX IF NOT EXISTS ${name} ON graphile_worker._private_jobs (id) WHERE ${condition}`);
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

function requireRelease(known: Map<string, string>): void {
  if (!known.has(BEFORE_RELEASES)) return;
  throw new MigrationError(
    'A version before 0.1.0 made this database, which cannot be migrated. Export its catalogue with that version: ' +
      'npx addons export FILE --files FOLDER. Then import it into a new database with this one: npx addons import FILE.',
  );
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

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    if (error instanceof Error) error.message = `Migration ${name}: ${error.message}`;
    throw error;
  }
  await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
}
