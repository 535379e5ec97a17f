import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { findProgram } from '../support/find-program.ts';
import { PGBOUNCER, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { addons } from '../support/program.ts';

const isInstalled = (await findProgram(PGBOUNCER)) !== null;

let database: TestDatabase;
let other: TestDatabase;
let poolers: Pgbouncer[] = [];
/** The database through a pooler in transaction mode, and in session mode. */
let transactions: string;
let sessions: string;
let infra: typeof import('../../src/infra/db.ts');
let check: typeof import('../../src/infra/pooler.ts');
let config: typeof import('../../src/config.ts')['config'];

beforeAll(async () => {
  if (!isInstalled) return;
  [database, other] = [await createTestDatabase(), await createEmptyDatabase()];
  poolers = [
    await startPgbouncer(database.url, { default_pool_size: '1', query_wait_timeout: '1' }),
    await startPgbouncer(database.url, { pool_mode: 'session' }),
  ];
  [transactions = '', sessions = ''] = poolers.map(({ through }) => through(database.url));
  Object.assign(process.env, { DATABASE_URL: transactions, DATABASE_SESSION_URL: database.url });
  ({ config } = await import('../../src/config.ts'));
  infra = await import('../../src/infra/db.ts');
  check = await import('../../src/infra/pooler.ts');
});
afterAll(async () => {
  await infra?.closeDatabase();
  for (const pooler of poolers) await pooler.stop();
  await database?.drop();
  await other?.drop();
});

describe.skipIf(!isInstalled)('the URLs of the database', () => {
  const REFUSED =
    'DATABASE_URL leads to a connection pooler: set DATABASE_SESSION_URL to the same database at PostgreSQL itself.';

  it.each([
    ['PostgreSQL itself, without a second URL', () => [database.url, undefined]],
    ['a pooler, and PostgreSQL itself', () => [transactions, database.url]],
    ['a pooler, and one in session mode', () => [transactions, sessions]],
  ])('may be %s', async (_, urls) => {
    [config.DATABASE_URL, config.DATABASE_SESSION_URL] = urls();
    expect(await check.requireUsableConnections()).toBeNull();
  });

  it('cause a warning when both lead to PostgreSQL itself', async () => {
    [config.DATABASE_URL, config.DATABASE_SESSION_URL] = [database.url, database.url];
    expect(await check.requireUsableConnections()).toMatch(
      /^DATABASE_SESSION_URL is set, but DATABASE_URL does not lead through a connection pooler/,
    );
  });

  it.each([
    ['a pooler in transaction mode without a second one', () => [transactions, undefined], REFUSED],
    ['a pooler in session mode without a second one', () => [sessions, undefined], REFUSED],
    [
      'a pooler in transaction mode twice',
      () => [transactions, transactions],
      'DATABASE_SESSION_URL leads to a connection pooler that does not keep sessions: set it to PostgreSQL itself, or to a pooler in session mode.',
    ],
    [
      'different databases',
      () => [transactions, other.url],
      'DATABASE_SESSION_URL leads to another database than DATABASE_URL: set both to the same one.',
    ],
  ])('are refused when they lead to %s', async (_, urls, problem) => {
    [config.DATABASE_URL, config.DATABASE_SESSION_URL] = urls();
    await expect(check.requireUsableConnections()).rejects.toThrow(new check.PoolerError(problem));
  });

  it.each([
    ['serve', REFUSED],
    ['worker', REFUSED],
    ['migrate', 'MIGRATE_DATABASE_URL leads to a connection pooler that does not keep sessions'],
  ])('end `addons %s` with one sentence when they do not fit', async (command, problem) => {
    const urls = { DATABASE_URL: transactions, DATABASE_SESSION_URL: '', MIGRATE_DATABASE_URL: transactions };
    const { code, stderr } = await addons([command], urls);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^addons: [^\n]+\n$/);
    expect(stderr).toContain(problem);
  });
});

describe.skipIf(!isInstalled)('a pool of the service through a pooler', () => {
  const setting = async (on: Pick<pg.Pool, 'query'>, name: string): Promise<string> =>
    (await on.query(`SELECT current_setting('${name}') AS value`)).rows[0].value;

  it('has its settings in each statement and each transaction, and leaves none behind', async () => {
    const { pool, searchPool, lookupPool } = infra;
    expect(await setting(searchPool, 'enable_seqscan')).toBe('off');
    expect(await setting(lookupPool, 'enable_seqscan')).toBe('on');
    expect(await setting(lookupPool, 'transaction_read_only')).toBe('on');
    expect(await setting(pool, 'transaction_read_only')).toBe('off');
    expect(await setting(pool, 'gin_pending_list_limit')).toBe('64kB');
    for (const each of [pool, searchPool, lookupPool]) expect(await setting(each, 'statement_timeout')).toBe('5s');
    const [row] = await infra.db.$transaction(
      (tx) => tx.$queryRaw<{ value: string }[]>`SELECT current_setting('idle_in_transaction_session_timeout') AS value`,
    );
    expect(row?.value).toBe('10s');
  });

  it('refuses writes where it only reads, and reports the error of the statement', async () => {
    await expect(infra.lookupPool.query("UPDATE addon SET slug = 'written'")).rejects.toThrow('read-only transaction');
    await expect(infra.pool.query('SELECT 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    expect((await infra.pool.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
  });

  it('commits what it returned, and nothing of a transaction that was rolled back', async () => {
    await infra.pool.query('CREATE TABLE written (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    await infra.pool.query('INSERT INTO written VALUES ($1)', [1]);
    const client = await infra.pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO written VALUES (2)');
    await client.query('ROLLBACK');
    client.release();
    // Checked at the commit.
    await expect(infra.pool.query('INSERT INTO written VALUES (1)')).rejects.toMatchObject({ code: '23505' });
    expect((await infra.pool.query('SELECT n FROM written')).rows).toEqual([{ n: 1 }]);
  });

  it('runs named statements, with one session for all', async () => {
    const named = infra.prepared<{ n: number }>(infra.lookupPool, 'a-name', 'SELECT $1::int AS n');
    const numbers = await Promise.all(Array.from({ length: 20 }, (_, n) => named(n)));
    expect(numbers.flat()).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })));
  });

  it('reports a lost connection of the pooler as an outage', async () => {
    const { isDatabaseOutage } = await import('../../src/infra/database-errors.ts');
    const ended = () => infra.pool.query('SELECT pg_terminate_backend(pg_backend_pid())');
    const error = await ended().catch((reason: unknown) => reason);
    expect(isDatabaseOutage(error), String(error)).toBe(true);
    const byPrisma = await infra.db.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`.catch(
      (reason: unknown) => reason,
    );
    expect(isDatabaseOutage(byPrisma), String(byPrisma)).toBe(true);
    expect((await infra.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('reports a pooler without a free connection, and one that does not respond, as an outage', async () => {
    const { isDatabaseOutage } = await import('../../src/infra/database-errors.ts');
    const failure = async (sent: Promise<unknown>) => isDatabaseOutage(await sent.catch((reason: unknown) => reason));
    const holder = await infra.pool.connect();
    await holder.query('BEGIN');
    expect(await failure(infra.lookupPool.query('SELECT 1'))).toBe(true);
    expect(await failure(infra.db.$queryRaw`SELECT 1`)).toBe(true);
    await holder.query('COMMIT');
    holder.release();
    expect((await infra.lookupPool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await poolers[0]?.stop();
    expect(await failure(infra.pool.query('SELECT 1'))).toBe(true);
    expect(await failure(infra.db.$queryRaw`SELECT 1`)).toBe(true);
  });
});
