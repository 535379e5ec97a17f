import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/infra/migrations/migrate.ts';
import { hasPooler } from './has-pooler.ts';
import { ignored } from './ignored.ts';
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts';

/** A database of one test file. */
export interface TestDatabase {
  /** Of PostgreSQL itself. */
  url: string;
  /** The one for the service when it differs: through a pooler. */
  serviceUrl?: string;
  /** Closes its connections and drops it. */
  drop(): Promise<void>;
}

const silent = { info: () => {}, warn: () => {} };
/** Key of the advisory lock under which one test file creates the template; an arbitrary number. */
const TEMPLATE_LOCK = 4_150_323;

/**
 * Creates a migrated database for one test file, a copy of a template, and sets DATABASE_URL to it, or with TEST_POOLER=1
 * DATABASE_URL to a pooler and DATABASE_SESSION_URL to it. Call it before importing anything that reads `src/config.ts`:
 *
 * ```ts
 * const database = await createTestDatabase();
 * const { db } = await import('../../src/infra/db.ts');
 * afterAll(async () => { await closeDatabase(); await database.drop(); });
 * ```
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  kept.testTemplate ??= findTemplate();
  return createDatabase(await kept.testTemplate);
}

/** The settings of processes that use a database. */
export const databaseSettings = ({ url, serviceUrl = url }: Omit<TestDatabase, 'drop'>): Record<string, string> => ({
  DATABASE_URL: serviceUrl,
  ...(hasPooler ? { DATABASE_SESSION_URL: url } : {}),
});

/** Lets the service of this process use a database, also when a module has read the settings before the database existed. */
export async function useTestDatabase(database: Omit<TestDatabase, 'drop'>): Promise<void> {
  const { config } = await import('../../src/config.ts');
  const { useDatabase } = await import('../../src/infra/db.ts');
  const settings = databaseSettings(database);
  Object.assign(config, settings);
  useDatabase(settings['DATABASE_URL'] ?? '');
}

/** The pooler of this process, if TEST_POOLER is 1. */
async function testPooler(): Promise<Pgbouncer | null> {
  if (!hasPooler) return null;
  kept.testPooler ??= serverUrl().then((url) => startPgbouncer(url, {}, inject('runFolder')));
  return kept.testPooler;
}

/** Creates a database without tables, and leaves DATABASE_URL unchanged. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1', false);
}

async function createDatabase(template: string, announce = true): Promise<TestDatabase> {
  const name = `addons_test_${randomBytes(6).toString('hex')}`;
  await (await administration()).query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  const pooler = announce ? await testPooler() : null;
  const serviceUrl = pooler?.through(url.href) ?? url.href;
  const database = { url: url.href, serviceUrl, drop: () => dropDatabase(name) };
  if (announce) Object.assign(process.env, databaseSettings(database));
  return database;
}

/** Drops a database. Retries while autovacuum uses it: only a superuser may end that process, and it soon ends itself. */
async function dropDatabase(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await (await administration()).query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '42501' || attempt === 50) throw error;
      await setTimeout(100);
    }
  }
}

/** State that survives `vi.resetModules` between the test files of a process. */
const kept = globalThis as typeof globalThis & {
  testServer?: Promise<string>;
  testTemplate?: Promise<string>;
  testPooler?: Promise<Pgbouncer>;
  testAdministration?: Promise<pg.Pool>;
};

/**
 * URL of the server of the whole run: TEST_DATABASE_URL (its role must be allowed to create databases), else an embedded server. The
 * first test file starts it and global-setup.ts stops it. Each process starts using it once, because each use holds a connection.
 */
function serverUrl(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  kept.testServer ??= given
    ? Promise.resolve(given)
    : startEmbeddedPostgres({ dataDir: inject('runFolder'), log: silent, durable: false }).then(({ url }) => url);
  return kept.testServer;
}

/** One connection for the databases of all test files of a process: a new one takes the server longer than the statement. */
function administration(): Promise<pg.Pool> {
  kept.testAdministration ??= serverUrl().then((connectionString) =>
    new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true }).on('error', ignored),
  );
  return kept.testAdministration;
}

async function withClient(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A hash of the names and texts of all migrations and definitions. */
function migrationsDigest(): string {
  const folder = join(import.meta.dirname, '../../prisma');
  const texts = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`);
  return hash('sha256', texts.join('\n'));
}

/** Name of the migrated template database, which is created once per server and set of migrations. */
async function findTemplate(): Promise<string> {
  const template = `addons_template_${migrationsDigest().slice(0, 16)}`;
  await withClient(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    const url = new URL(await serverUrl());
    url.pathname = `/${draft}`;
    await migrate(url.href);
    // Renamed when complete, so that an interrupted attempt is repeated.
    await client.query(`alter database ${draft} rename to ${template}`);
  });
  return template;
}
