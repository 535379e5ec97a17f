import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputError, NotFoundError, UnavailableError } from '../../src/errors.ts';
import {
  explainDatabaseError,
  isDatabaseOutage,
  outageReason,
  retryAfterConflict,
} from '../../src/infra/database-errors.ts';
import { createTestDatabase, type TestDatabase, useTestDatabase } from '../support/database.ts';
import { addon } from '../support/factories.ts';
import { hasPooler } from '../support/has-pooler.ts';
import { statementsDuring } from '../support/statements.ts';

let database: TestDatabase;
let infra: typeof import('../../src/infra/db.ts');
beforeAll(async () => {
  database = await createTestDatabase();
  infra = await import('../../src/infra/db.ts');
});
afterAll(async () => {
  await useTestDatabase(database);
  await infra.closeDatabase();
  await database.drop();
});

const failure = (work: () => Promise<unknown>) =>
  work().then(
    () => null,
    (error: unknown) => error,
  );

describe('retryAfterConflict', () => {
  /** Returns how often work runs that fails the given number of times. */
  async function timesOf(fail: () => Promise<unknown>, failures: number): Promise<number> {
    let times = 0;
    const work = async () => {
      times += 1;
      if (times <= failures) await fail();
    };
    await failure(() => retryAfterConflict(work));
    return times;
  }

  it('retries after a unique violation of Prisma or SQL, and after a deadlock', async () => {
    const first = { name: 'first', value: true };
    await infra.db.serviceState.create({ data: first });
    const conflicts = [
      () => infra.db.serviceState.create({ data: first }),
      () => infra.db.$executeRaw`INSERT INTO service_state (name, value, modified) VALUES ('first', 'true', now())`,
      () => infra.db.$executeRaw`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`,
    ];
    for (const conflict of conflicts) expect(await timesOf(conflict, 1)).toBe(2);
  });

  it('gives up after three attempts, and at once for other errors', async () => {
    const deadlock = () => infra.db.$executeRaw`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`;
    expect(await timesOf(deadlock, 9)).toBe(3);
    expect(await timesOf(() => infra.db.$executeRaw`SELECT 1 / 0`, 9)).toBe(1);
    expect(await timesOf(() => Promise.reject(new UnavailableError()), 9)).toBe(1);
  });
});

describe('isDatabaseOutage', () => {
  it('is true for a statement timeout and for an ended connection', async () => {
    const slow = () =>
      infra.db.$transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 20`;
        await tx.$executeRaw`SELECT pg_sleep(1)`;
      });
    expect(isDatabaseOutage(await failure(slow))).toBe(true);
    const ended = () => infra.db.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
    expect(isDatabaseOutage(await failure(ended))).toBe(true);
  });

  it('is false for other errors', async () => {
    expect(isDatabaseOutage(await failure(() => infra.db.$executeRaw`SELECT 1 / 0`))).toBe(false);
    const twice = () =>
      infra.db.category.create({ data: { app: 'desktop_browser', type: 'extension', slug: 'other' } });
    expect(isDatabaseOutage(await failure(twice))).toBe(false);
    for (const value of [null, undefined, 'text', 7, new Error('Not found.')])
      expect(isDatabaseOutage(value)).toBe(false);
  });

  it('is true for a server that is down', async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(isDatabaseOutage(await failure(() => client.connect()))).toBe(true);
  });
});

describe('outageReason', () => {
  it('is what PostgreSQL or a pooler reported of an outage, and null for other errors', async () => {
    const ended = () => infra.db.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
    const reason = hasPooler ? 'server conn crashed?' : 'terminating connection due to administrator command';
    expect(outageReason(await failure(ended))).toBe(reason);
    expect(outageReason(await failure(() => infra.db.$executeRaw`SELECT 1 / 0`))).toBeNull();
    expect(outageReason(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBeNull();
  });
});

describe('explainDatabaseError', () => {
  it('turns the deletion of a row during a request into NotFoundError', async () => {
    const { db } = infra;
    const work = [
      () => db.account.findUniqueOrThrow({ where: { id: 12_345 } }),
      () => db.account.update({ where: { id: 12_345 }, data: { location: 'x' } }),
    ];
    for (const each of work) expect(explainDatabaseError(await failure(each))).toBeInstanceOf(NotFoundError);
  });

  it('turns outages and texts that cannot be stored into domain errors, and returns other errors unchanged', async () => {
    const nul = await failure(() => infra.db.addon.findFirst({ where: { slug: 'a\0b' } }));
    expect(explainDatabaseError(nul)).toBeInstanceOf(InvalidInputError);
    const json = await failure(() => infra.db.serviceState.create({ data: { name: 'x', value: { a: '\0' } } }));
    expect(explainDatabaseError(json)).toBeInstanceOf(InvalidInputError);
    expect(explainDatabaseError({ code: '57P01' })).toBeInstanceOf(UnavailableError);
    const [known, unknown] = [new NotFoundError(), new Error('a mistake')];
    expect([explainDatabaseError(known), explainDatabaseError(unknown)]).toEqual([known, unknown]);
  });
});

describe('a transaction that times out during a write of several statements', () => {
  it('sends no statement after its end, when another request may use the connection', async () => {
    const { id: addonId } = await addon({});
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE version IN SHARE ROW EXCLUSIVE MODE');
    const create = [{ app: 'desktop_browser', min: '57.0', max: '*', minCode: 1n, maxCode: 2n }];
    const data = { addonId, version: '9.9', channel: 'listed', stage: 'signed', compatibility: { create } };
    let outcome: unknown;
    const sent = await statementsDuring(async () => {
      const write = failure(() => infra.db.$transaction((tx) => tx.version.create({ data }), { timeout: 100 }));
      const waiting = "SELECT FROM pg_locks WHERE relation = 'version'::regclass AND NOT granted";
      await expect.poll(async () => (await locker.query(waiting)).rowCount).toBe(1);
      await sleep(300);
      await locker.query('COMMIT');
      outcome = await write;
    });
    await locker.end();
    expect(isDatabaseOutage(outcome)).toBe(true);
    expect(sent.filter((statement) => statement.includes('version_compatibility'))).toEqual([]);
  });
});
