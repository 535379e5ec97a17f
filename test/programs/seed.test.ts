import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

const SEED = join(import.meta.dirname, '../../prisma/seed.ts');

let database: TestDatabase;
let client: pg.Client;
let program: RunningProgram | undefined;
let worker: RunningProgram | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await Promise.all([program, worker].map((each) => each?.end('SIGKILL')));
  await client.end();
  await database.drop();
});

const seed = (DEMO: string) => startProgram({ DATABASE_URL: database.url, DEMO, LOG_LEVEL: 'info' }, { args: [SEED] });

describe('npm run seed', () => {
  it('changes no database that is not a demo', async () => {
    program = seed('false');
    await program.printed(/This installation is not a demo/);
    await program.end('SIGKILL');
    expect((await client.query('SELECT FROM account WHERE id > 0')).rows).toEqual([]);
  });

  it('imports the demo catalogue into an empty database', async () => {
    // The decision of the run before.
    await client.query(`DELETE FROM service_state WHERE name = 'demo'`);
    program = seed('true');
    const [, count = ''] = await program.printed(/The demo catalogue is imported: (\d+) add-ons/);
    const { rows } = await client.query('SELECT count(*)::int AS count FROM addon');
    expect(rows[0].count).toBeGreaterThanOrEqual(Number(count));
  });

  it('completes the demo while a worker runs, without waiting for rate limits', async () => {
    worker = startProgram({ DATABASE_URL: database.url }, { args: [PROGRAM, 'worker'] });
    await program?.printed(/The demo is complete/);
  });
});
