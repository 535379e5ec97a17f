import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addons, type Outcome, PROGRAM, startProgram } from '../support/program.ts';

let database: TestDatabase;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'shared-keys-test-'));
  for (const host of ['first', 'second', 'third']) await mkdir(join(folder, host));
});

afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const keyFile = (host: string): string => join(folder, host, 'secret.key');

/** Runs a command on a host: hosts share the database, and each has a DATA_DIR of its own. */
const on = (host: string, ...words: string[]): Promise<Outcome> => addons(words, settingsOf(host));

const settingsOf = (host: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, host),
  LOG_LEVEL: 'info',
});

/** Starts a worker and stops it when it takes jobs. */
async function startWorker(host: string): Promise<void> {
  const worker = startProgram(settingsOf(host), { args: [PROGRAM, 'worker'] });
  await worker.printed(/The worker takes jobs/);
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
}

const NO_KEY =
  /^addons: This host has no secret key: \S+second\/secret\.key is missing\. Set SECRET_KEY, or copy DATA_DIR\/secret\.key/;
const OTHER_KEY = /^addons: The secret key of this host \(\S+second\/secret\.key\) is not that of the installation\./;
const COMMANDS = [['serve'], ['worker'], ['key', 'create', '--user', 'dev'], ['mail', 'list']];

describe('a host', () => {
  it('makes the secret key if it is the first of the installation', async () => {
    expect(await on('first', 'user', 'create', '--username', 'dev', '--email', 'dev@example.org')).toMatchObject({
      code: 0,
    });
    expect(await on('first', 'key', 'create', '--user', 'dev')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(keyFile('first'))).toBe(true);
  });

  it('without a secret key refuses to run, and makes none', async () => {
    for (const words of COMMANDS) {
      const { code, stdout, stderr } = await on('second', ...words);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(NO_KEY);
    }
    expect(existsSync(keyFile('second'))).toBe(false);
  });

  it('with another secret key refuses to run, and the doctor names it', async () => {
    await writeFile(keyFile('second'), 'f'.repeat(64));
    for (const words of COMMANDS)
      expect(await on('second', ...words)).toMatchObject({ code: 1, stderr: expect.stringMatching(OTHER_KEY) });
    const { code, stdout } = await on('second', 'doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^WRONG {2}shared keys +The secret key of this host/m);
  });

  it('with another secret key refuses to run on a database of an earlier release, which has API keys alone', async () => {
    await client.query("DELETE FROM service_state WHERE name = 'shared-key secret-key'");
    expect(await on('second', 'mail', 'list')).toMatchObject({ code: 1, stderr: expect.stringMatching(OTHER_KEY) });
    expect(await on('first', 'mail', 'list')).toMatchObject({ code: 0, stderr: '' });
  });

  it('with the secret key of the installation runs', async () => {
    await copyFile(keyFile('first'), keyFile('second'));
    expect(await on('second', 'key', 'create', '--user', 'dev')).toMatchObject({ code: 0, stderr: '' });
  });

  it('runs with a new secret key after an operator has accepted it', async () => {
    await writeFile(keyFile('third'), 'e'.repeat(64));
    expect(await on('third', 'shared-key', 'accept', 'secret-key')).toMatchObject({ code: 0, stderr: '' });
    expect(await on('third', 'mail', 'list')).toMatchObject({ code: 0, stderr: '' });
    expect(await on('first', 'mail', 'list')).toMatchObject({ code: 1 });
    const { stdout } = await on('third', 'audit', 'list');
    expect(stdout).toMatch(/command line {2}shared-key-accepted {2}\{"key":"secret-key"\}\n$/);
  });

  it('does not sign with another root certificate', async () => {
    await copyFile(keyFile('third'), keyFile('first'));
    await startWorker('first');

    const refused = await on('third', 'worker');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^addons: The root certificate of this host \(\S+third\/ca\) is not that of the installation/,
    );
    expect(await on('third', 'serve')).toMatchObject({ code: 1, stderr: refused.stderr });
    expect((await on('third', 'doctor')).stdout).toMatch(/^WRONG {2}shared keys +The root certificate of this host/m);

    await on('third', 'shared-key', 'accept', 'signing-root');
    await startWorker('third');
  });
});
