/* `storage verify` as operators and their timers run it: what it prints, its exit status, and a run that is killed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blobFile } from '../support/blob-file.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addons, PROGRAM } from '../support/program.ts';

const FILES = 200;

let database: TestDatabase;
let client: pg.Client;
let folder: string;
let settings: Record<string, string>;
let names: string[];

const pathOf = (sha256: string) => blobFile(folder, sha256);

/** Stores a file that is old enough to be collected. Returns its hash. */
async function storeFile(content: string): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  await mkdir(dirname(pathOf(sha256)), { recursive: true });
  await writeFile(pathOf(sha256), content);
  const before = new Date(Date.now() - 48 * 3_600_000);
  await utimes(pathOf(sha256), before, before);
  return sha256;
}

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'verify-storage-'));
  settings = { DATABASE_URL: database.url, DATA_DIR: folder };
  names = await Promise.all(Array.from({ length: FILES }, (_, file) => storeFile(String(file))));
  await client.query(
    `INSERT INTO picture_rendition (source_sha256, name, sha256) SELECT name, 'x', name FROM unnest($1::text[]) AS name`,
    [names],
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const verify = (...words: string[]) => addons(['storage', 'verify', ...words], settings);

it('ends with 0 on a whole store, with 1 while a file is damaged, lost or unreferenced, and names it', async () => {
  const whole = { code: 0, stdout: `${FILES} files were read.\n`, stderr: '' };
  expect(await verify()).toEqual(whole);

  const [name = ''] = names;
  await writeFile(pathOf(name), 'other bytes');
  expect(await verify()).toEqual({
    code: 1,
    stdout: `damaged       ${name}\n${FILES} files were read.\n`,
    stderr: 'addons: 0 lost, 1 damaged, 0 unreferenced files\n',
  });
  expect((await verify('--sample', String(FILES))).code).toBe(1);

  await rm(pathOf(name));
  expect(await verify()).toMatchObject({ code: 1, stderr: 'addons: 1 lost, 0 damaged, 0 unreferenced files\n' });

  await storeFile('0');
  const unreferenced = await storeFile('unreferenced');
  const found = await verify('--json');
  expect([found.code, JSON.parse(found.stdout)]).toEqual([
    1,
    { checked: FILES, lost: [], damaged: [], unreferenced: [unreferenced], resumed: 0 },
  ]);
  await rm(pathOf(unreferenced));
  expect(await verify()).toEqual(whole);
});

it('continues a run that was killed', async () => {
  await client.query(`CREATE FUNCTION wait_in_the_middle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.value->>'position' > '8' THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$`);
  await client.query(`CREATE TRIGGER wait_in_the_middle BEFORE INSERT OR UPDATE ON service_state
    FOR EACH ROW WHEN (NEW.name = 'storage-verification') EXECUTE FUNCTION wait_in_the_middle()`);
  const run = spawn(process.execPath, [PROGRAM, 'storage', 'verify'], { env: { ...process.env, ...settings } });
  const ended = once(run, 'exit');
  const waiting = () =>
    client.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`);
  while ((await waiting()).rowCount === 0 && run.exitCode === null) await sleep(20);
  run.kill('SIGKILL');
  await ended;
  await client.query('DROP FUNCTION wait_in_the_middle CASCADE');

  const { code, stdout } = await verify('--json');
  const report = JSON.parse(stdout) as { checked: number; resumed: number };
  expect([code, report.checked]).toEqual([0, FILES]);
  expect(report.resumed).toBeGreaterThan(0);
  expect(report.resumed).toBeLessThan(FILES);
});
