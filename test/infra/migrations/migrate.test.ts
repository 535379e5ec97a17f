import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrateBackup, pendingMigrations } from '../../../src/infra/migrations/migrate.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let directory: string;
let client: pg.Client;

const put = (name: string, sql: string): Promise<void> => writeFile(join(directory, name), sql);
const FILES = ['migration 0001_first', 'migration 0002_second'];

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = await mkdtemp(join(tmpdir(), 'addons-migrations-'));
  await mkdir(join(directory, 'migrations'));
  await mkdir(join(directory, 'definitions'));
  await put('migrations/0001_first.sql', 'create table first (id int); insert into first values (1);');
  await put('migrations/0002_second.sql', 'alter table first add column word text;');
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

describe('migrate', () => {
  it('applies each file once, in order of their numbers, and the migrations of the job queue', async () => {
    expect(await pendingMigrations(database.url, { directory })).toEqual(FILES);
    expect(await migrate(database.url, { directory })).toEqual({ applied: FILES });
    expect(await migrate(database.url, { directory })).toEqual({ applied: [] });
    expect(await pendingMigrations(database.url, { directory })).toEqual([]);
    expect((await client.query('select * from first')).rows).toEqual([{ id: 1, word: null }]);
    await client.query("select graphile_worker.add_job('anything')");
  });

  it('changes nothing when a file fails, and names it', async () => {
    await put('migrations/0002_second.sql', 'create table second (); insert into nowhere values (1);');
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      /^Migration 0002_second: relation "nowhere" does not exist/,
    );
    const tables = "select to_regclass('first') as first, to_regclass('second') as second";
    expect((await client.query(tables)).rows).toEqual([{ first: null, second: null }]);
    await put('migrations/0002_second.sql', 'create table second ();');
    expect(await migrate(database.url, { directory })).toEqual({ applied: FILES });
  });

  it('runs once when several processes start it', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { directory })));
    expect(results.flatMap((result) => result.applied).sort()).toEqual(FILES);
  });

  it('is safe to run again after a kill -9 during any file', async () => {
    await put(
      'migrations/0002_second.sql',
      "create table second (); select pg_sleep(120) from pg_settings where name = 'port';",
    );
    const script = join(import.meta.dirname, '../../support/migrate-process.ts');
    const child = spawn(process.execPath, [script, database.url, directory], { stdio: 'inherit' });
    const sleeping = "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    await expect.poll(async () => (await client.query(sleeping)).rowCount, { timeout: 60_000 }).toBe(1);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await put('migrations/0002_second.sql', 'create table second ();');
    expect(await migrate(database.url, { directory })).toEqual({ applied: FILES });
  });

  it('refuses to run if an applied migration has changed, and names it', async () => {
    await migrate(database.url, { directory });
    await put('migrations/0001_first.sql', 'create table first (id bigint);');
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      'Migration 0001_first has changed since it was applied. Restore the file; put changes into a new one.',
    );
  });

  it('refuses the database of a newer program, which may still be served', async () => {
    await migrate(database.url, { directory });
    await rename(join(directory, 'migrations/0002_second.sql'), join(directory, 'kept.txt'));
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      'The database is newer than this program, which does not have 0002_second. Run the newer version.',
    );
    expect(await pendingMigrations(database.url, { directory })).toEqual([]);
  });

  it('refuses the database of a version before 0.1.0, and names export and import', async () => {
    await client.query('create table schema_migration (name text primary key, checksum text not null)');
    await client.query("insert into schema_migration values ('0001_tables', 'a'), ('0002_rules', 'b')");
    const refusal =
      'A version before 0.1.0 made this database, which cannot be migrated. Export its catalogue with that version: ' +
      'npx addons export FILE --files FOLDER. Then import it into a new database with this one: npx addons import FILE.';
    await expect(migrate(database.url)).rejects.toThrow(refusal);
    await expect(pendingMigrations(database.url)).rejects.toThrow(refusal);
    expect((await client.query("select to_regclass('account') as oid")).rows).toEqual([{ oid: null }]);
  });

  it('refuses while a dump reads the database, unless nothing is pending', async () => {
    await client.query("set application_name = 'pg_dump'; begin; select 1");
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      /^A dump reads the database: process \d+ of \w+ \(pg_dump, .+\), since [\d:]+\. Migrate when it has ended\.$/,
    );
    await client.query('commit');
    expect(await migrate(database.url, { directory })).toEqual({ applied: FILES });
    await client.query('begin; select 1');
    expect(await migrate(database.url, { directory })).toEqual({ applied: [] });
  });

  it('gives up its locks between attempts, and names the transactions that hold them', async () => {
    await rename(join(directory, 'migrations/0002_second.sql'), join(directory, 'kept.txt'));
    await migrate(database.url, { directory });
    await rename(join(directory, 'kept.txt'), join(directory, 'migrations/0002_second.sql'));
    await client.query('begin; select from first');
    const locks = { timeoutMs: 100, pauseMs: 500, attempts: 3 };
    const refused = expect(migrate(database.url, { directory, locks })).rejects.toThrow(
      /^No attempt of 3 got its locks; nothing was changed\. Transactions .+: process \d+ of /,
    );
    // A request that came after the migration gets the table before the first transaction ends.
    const request = new pg.Client({ connectionString: database.url, query_timeout: 2_000 });
    await request.connect();
    await expect.poll(() => request.query('insert into first values (2)').then(({ rowCount }) => rowCount)).toBe(1);
    await request.end();
    await refused;
    await client.query('commit');
    expect(await migrate(database.url, { directory, locks })).toEqual({ applied: ['migration 0002_second'] });
  });

  it('succeeds when the locks become free between attempts', async () => {
    await put('migrations/0003_third.sql', 'alter table first drop column word;');
    await migrate(database.url, { directory });
    await put('migrations/0004_fourth.sql', 'alter table first add column count int;');
    await client.query('begin; select from first');
    const migration = migrate(database.url, { directory, locks: { timeoutMs: 100, pauseMs: 100 } });
    const waiting = `SELECT FROM pg_locks WHERE relation = 'first'::regclass AND NOT granted`;
    await expect.poll(async () => (await client.query(waiting)).rowCount, { interval: 10, timeout: 5_000 }).toBe(1);
    await expect.poll(async () => (await client.query(waiting)).rowCount, { interval: 10, timeout: 5_000 }).toBe(0);
    await client.query('commit');
    expect(await migration).toEqual({ applied: ['migration 0004_fourth'] });
  });

  it('refuses a file name without a number', async () => {
    await put('migrations/third.sql', 'select 1');
    await expect(migrate(database.url, { directory })).rejects.toThrow('third.sql is not named NNNN_name.sql.');
  });
});

describe('migrateBackup', () => {
  const backupOf = async (names: string[]) => {
    const sql = await Promise.all(names.map((name) => readFile(join(directory, 'migrations', `${name}.sql`))));
    return names.map((name, index) => ({ name, checksum: hash('sha256', sql[index] ?? '') }));
  };

  it('loads the tables of an older release, then migrates them', async () => {
    const migrations = await backupOf(['0001_first']);
    await put('migrations/0002_second.sql', "alter table first add column word text; update first set word = 'new';");
    const load = async (on: pg.Client) => void (await on.query('insert into first values (2)'));
    expect(await migrateBackup(database.url, { migrations, load }, directory)).toEqual({
      applied: ['migration 0002_second'],
    });
    expect((await client.query('select * from first order by id')).rows).toEqual([
      { id: 1, word: 'new' },
      { id: 2, word: 'new' },
    ]);
    expect(await pendingMigrations(database.url, { directory })).toEqual([]);
    await expect(migrateBackup(database.url, { migrations, load }, directory)).rejects.toThrow('is not empty');
  });

  it('leaves the database empty when loading fails, and can be repeated', async () => {
    const migrations = await backupOf(['0001_first', '0002_second']);
    const load = async () => Promise.reject(new Error('the disk is full'));
    await expect(migrateBackup(database.url, { migrations, load }, directory)).rejects.toThrow('the disk is full');
    expect((await client.query("select to_regclass('first') as first")).rows).toEqual([{ first: null }]);
    await migrateBackup(database.url, { migrations, load: async () => {} }, directory);
    expect((await client.query('select id from first')).rows).toEqual([{ id: 1 }]);
  });
});

describe('a test database', () => {
  const clones: TestDatabase[] = [];
  afterAll(() => Promise.all(clones.map((clone) => clone.drop())));

  it('has every migration and is separate from others', async () => {
    clones.push(await createTestDatabase(), await createTestDatabase());
    const [one, other] = clones.map(({ url }) => url) as [string, string];
    expect(process.env.DATABASE_URL).toBe(clones[1]?.serviceUrl ?? other);
    expect(one).not.toBe(other);
    expect(await pendingMigrations(one)).toEqual([]);
    expect(await migrate(one)).toEqual({ applied: [] });
  });
});
