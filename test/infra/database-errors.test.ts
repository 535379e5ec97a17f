import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputError, NotFoundError, UnavailableError } from '../../src/errors.ts';
import { againAfterConflict, explainDatabaseError, isDatabaseOutage } from '../../src/infra/database-errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let infra: typeof import('../../src/infra/db.ts');
beforeAll(async () => {
  database = await createTestDatabase();
  infra = await import('../../src/infra/db.ts');
  infra.useDatabase(database.url);
});
afterAll(async () => {
  infra.useDatabase(database.url);
  await infra.closeDatabase();
  await database.drop();
});

const failure = (work: () => Promise<unknown>) =>
  work().then(
    () => null,
    (error: unknown) => error,
  );

describe('againAfterConflict', () => {
  /** How often work is run that fails as often as it is asked to. */
  async function timesOf(fail: () => Promise<unknown>, failures: number): Promise<number> {
    let times = 0;
    const work = async () => {
      times += 1;
      if (times <= failures) await fail();
    };
    await failure(() => againAfterConflict(work));
    return times;
  }

  it('runs again for a row that was there before, whoever wrote the statement, and for a deadlock', async () => {
    const first = { name: 'first', value: true };
    await infra.db.serviceState.create({ data: first });
    const conflicts = [
      () => infra.db.serviceState.create({ data: first }),
      () => infra.db.$executeRaw`INSERT INTO service_state (name, value, modified) VALUES ('first', 'true', now())`,
      () => infra.db.$executeRaw`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`,
    ];
    for (const conflict of conflicts) expect(await timesOf(conflict, 1)).toBe(2);
  });

  it('gives up after the third time, and at once for another mistake', async () => {
    const deadlock = () => infra.db.$executeRaw`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`;
    expect(await timesOf(deadlock, 9)).toBe(3);
    expect(await timesOf(() => infra.db.$executeRaw`SELECT 1 / 0`, 9)).toBe(1);
    expect(await timesOf(() => Promise.reject(new UnavailableError()), 9)).toBe(1);
  });
});

describe('isDatabaseOutage', () => {
  it('knows a statement that took too long, and one whose connection was ended', async () => {
    const slow = () =>
      infra.db.$transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 20`;
        await tx.$executeRaw`SELECT pg_sleep(1)`;
      });
    expect(isDatabaseOutage(await failure(slow))).toBe(true);
    const ended = () => infra.db.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
    expect(isDatabaseOutage(await failure(ended))).toBe(true);
  });

  it('does not take a mistake for one', async () => {
    expect(isDatabaseOutage(await failure(() => infra.db.$executeRaw`SELECT 1 / 0`))).toBe(false);
    const twice = () =>
      infra.db.category.create({ data: { app: 'desktop_browser', type: 'extension', slug: 'other' } });
    expect(isDatabaseOutage(await failure(twice))).toBe(false);
    for (const value of [null, undefined, 'text', 7, new Error('Not found.')])
      expect(isDatabaseOutage(value)).toBe(false);
  });

  it('knows a server that is not there', async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(isDatabaseOutage(await failure(() => client.connect()))).toBe(true);
  });
});

describe('explainDatabaseError', () => {
  it('puts texts that cannot be stored and outages into words, and leaves the rest alone', async () => {
    const nul = await failure(() => infra.db.addon.findFirst({ where: { slug: 'a\0b' } }));
    expect(explainDatabaseError(nul)).toBeInstanceOf(InvalidInputError);
    const json = await failure(() => infra.db.serviceState.create({ data: { name: 'x', value: { a: '\0' } } }));
    expect(explainDatabaseError(json)).toBeInstanceOf(InvalidInputError);
    expect(explainDatabaseError({ code: '57P01' })).toBeInstanceOf(UnavailableError);
    const [known, unknown] = [new NotFoundError('Connection terminated'), new Error('a mistake')];
    expect([explainDatabaseError(known), explainDatabaseError(unknown)]).toEqual([known, unknown]);
  });
});
