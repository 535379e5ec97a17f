import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

let database: TestDatabase;
let client: pg.Client;
let worker: RunningProgram;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  worker = startProgram({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }, { args: [PROGRAM, 'worker'] });
  await worker.printed(/The worker takes jobs/);
});

afterAll(async () => {
  await allowConnections(true);
  await worker.end('SIGKILL');
  await client.end();
  await database.drop();
});

/** When no connections are allowed, the sessions of the worker end as well. */
async function allowConnections(allowed: boolean): Promise<void> {
  const limit = allowed ? -1 : 0;
  await client.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT ${limit}', current_database()); END $$`,
  );
  if (!allowed) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }
}

/** Waits until the worker has done a job that is enqueued now. */
async function expectJobDone(): Promise<void> {
  await client.query(`SELECT graphile_worker.add_job('deliver-mails', '{}')`);
  const waiting = 'SELECT FROM graphile_worker.jobs WHERE attempts < max_attempts';
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 30_000 }).toBe(0);
}

it('takes jobs again in the same process when the database is back', async () => {
  await expectJobDone();
  for (let loss = 1; loss <= 3; loss++) {
    await allowConnections(false);
    await worker.printed(new RegExp(`(It starts again when the database responds[\\s\\S]*){${loss}}`));
    await allowConnections(true);
    await worker.printed(new RegExp(`(The worker takes jobs[\\s\\S]*){${loss + 1}}`));
    await expectJobDone();
  }
  expect(worker.output()).not.toContain('The worker ends');
});

it('ends with status 0 after SIGTERM while the database is lost', async () => {
  await allowConnections(false);
  await worker.printed(/(It starts again when the database responds[\s\S]*){4}/);
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
