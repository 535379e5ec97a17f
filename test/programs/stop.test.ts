import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { xpi } from '../support/packages.ts';
import { addons, PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

let database: TestDatabase;
let client: pg.Client;
let program: RunningProgram;
let frozen: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  await program.end('SIGKILL');
  await client.end();
  await database.drop();
});

/** Freezes the backends of all connections to the database except that of this test. */
async function freezeBackends(): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  frozen = rows.map(({ pid }) => pid);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
}

/** Creates an account with an API key. */
async function createDeveloper(settings: Record<string, string>): Promise<ApiKey> {
  await addons(['user', 'create', '--username', 'dev', '--email', 'dev@example.org'], settings);
  return JSON.parse((await addons(['key', 'create', '--user', 'dev', '--json'], settings)).stdout) as ApiKey;
}

it('ends with status 0 after SIGTERM while the database hangs', async () => {
  const settings = { DATABASE_URL: database.url, SHUTDOWN_DELAY: '0', LOG_LEVEL: 'info' };
  const key = await createDeveloper(settings);
  program = startProgram(settings, { args: [PROGRAM, 'serve'] });
  const [, url = ''] = await program.printed(/"url":"(http[^"]+)".*The web process serves/);
  const { contentType, body } = uploadForm(await xpi({ guid: 'stop@example', version: '1.0' }));
  const { status } = await fetch(url + versionPath('stop@example', '1.0'), {
    method: 'PUT',
    headers: { authorization: authorization(key), 'content-type': contentType },
    body: new Uint8Array(body),
  });
  expect(status).toBe(201);
  await freezeBackends();
  expect(frozen).not.toEqual([]);
  // The status is 1 when a stop takes more than a minute.
  expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
