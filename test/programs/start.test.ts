import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CATALOGUE } from '../../src/demo/catalogue.ts';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { addons, type ServiceProcess, startProgram, startService } from '../support/program.ts';

const silent = { info: () => {}, warn: () => {} };

let dataDir: string;
let settings: Record<string, string>;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'start-test-'));
  await chmod(dataDir, 0o711);
  settings = { DATA_DIR: dataDir, PORT: '0', DEMO: '', RATE_LIMITS: '', LOG_LEVEL: 'info' };
});

afterAll(async () => {
  await service?.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** The running service. Each test continues with the state that the previous one left. */
function running(): ServiceProcess {
  if (!service) throw new Error('the service was not started');
  return service;
}

/** The rows of a statement. With `atLeast`, runs it again until it returns that many. */
async function query<Row extends pg.QueryResultRow>(sql: string, { atLeast = 0 } = {}): Promise<Row[]> {
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<Row>(sql);
      if (rows.length >= atLeast) return rows;
      await sleep(50);
    }
  } finally {
    await client.end();
    await database.stop();
  }
}

// Versions that passed through the pipeline. The rest of the demo is imported and has other guids.
const VERSIONS = `select guid::text, version, stage from version v join addon a on a.id = v.addon_id
  where guid like '%demo.example' order by v.id`;
/** Sessions that are importing a catalogue. */
const IMPORTING = "select from pg_stat_activity where application_name = 'addons-import' and xact_start is not null";
const ADDONS = "select from addon where guid not like '%demo.example'";

/** Process ids of the supervised workers of a process. */
async function workersOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const isWorker = async (child: string) =>
    (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes('--supervised');
  const found = children.split(' ').filter(Boolean);
  const workers = await Promise.all(found.map(isWorker));
  return found.filter((_child, index) => workers[index]).map(Number);
}

describe('addons start', () => {
  it('prints no credentials when it is interrupted while its worker starts', async () => {
    const program = startProgram(settings);
    while ((await workersOf(program.pid)).length === 0) await sleep(5);

    expect(await program.end('SIGINT')).toEqual({ code: 0, signal: null });

    expect(program.output()).not.toMatch(/is ready at|addons_secret_|Bearer /);
  });

  it('serves, and prints accounts, keys and the next command', async () => {
    service = await startService(settings);

    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
    const root = await fetch(`${service.url}/signing/root.pem`);
    expect(await root.text()).toBe(await readFile(join(dataDir, 'ca/root.pem'), 'utf8'));
    const [, token = ''] = await service.printed(/demo-admin +Authorization: Bearer (\S+)/);
    const viewer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ viewer { username } }' }),
    });
    expect(await viewer.json()).toEqual({ data: { viewer: { username: 'demo-admin' } } });
    expect(service.output()).toMatch(/npx addons jwt --key addons_key_\w+ --secret addons_secret_\w+/);
  });

  it('imports the whole demo catalogue on the next start after a kill during the import', async () => {
    await running().printed(/Importing the demo catalogue/);
    await query(IMPORTING, { atLeast: 1 });
    await running().end('SIGKILL');
    expect(await query(ADDONS)).toEqual([]);

    service = await startService(settings);

    const [, count = ''] = await service.printed(/The demo catalogue is imported: (\d+) add-ons/);
    expect(Number(count)).toBeGreaterThanOrEqual(300);
    expect(await query(ADDONS)).toHaveLength(Number(count));
  });

  it('continues the demo on the next start after a kill', async () => {
    await query(VERSIONS, { atLeast: 3 });
    await running().end('SIGKILL');

    service = await startService(settings);

    expect(service.output()).toContain('its keys were shown at the first start');
    await service.printed(/The demo is complete/);
    const expected = CATALOGUE.flatMap(({ guid, versions }) =>
      versions.map(({ version, end }) => `${guid} ${version} ${end}`),
    );
    const found = await query<{ guid: string; version: string; stage: string }>(VERSIONS);
    expect(found.map(({ guid, version, stage }) => `${guid} ${version} ${stage}`).sort()).toEqual(expected.sort());
    expect(service.output()).not.toContain('The world of the demo');
    const accounts = await query<{ username: string }>(
      "select username::text from account where username like 'demo-%' order by id",
    );
    expect(accounts.map(({ username }) => username)).toEqual([
      'demo-admin',
      'demo-reviewer',
      'demo-developer',
      'demo-developer-2',
      'demo-moderator',
      'demo-user',
    ]);
    const thread = await query<{ action: string }>(
      `select action from activity c join version v on v.id = c.version_id join addon a on a.id = v.addon_id
        where a.guid = 'tab-notes@demo.example' and v.version = '1.2' and action ~ 'note|information' order by c.id`,
    );
    expect(thread.map(({ action }) => action)).toEqual([
      'more-information-requested',
      'review-note',
      'more-information-requested',
    ]);
    const shown = "select guid::text from addon where status = 'public' and icon_sha256 is not null";
    expect(await query(`${shown} and guid like '%demo.example'`)).toHaveLength(6);
  });

  it('allows commands while it runs, and refuses a second service on its port', async () => {
    const { port } = new URL(running().url);

    const [created, second] = await Promise.all([
      addons(['user', 'create', '--username', 'me', '--email', 'me@example.org', '--json'], settings),
      addons(['start'], { ...settings, PORT: port, LOG_LEVEL: 'silent' }),
    ]);

    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(second).toEqual({
      code: 1,
      stdout: '',
      stderr: `addons: 127.0.0.1:${port} is in use; set PORT to another port, or to 0 for any.\n`,
    });
  });

  it('signs files that verify for their id only, and not after a change of one byte', async () => {
    const [signed] = await query<{ sha256: string; guid: string }>(
      `select f.signed_sha256 as sha256, a.guid::text from file f join version v on v.id = f.version_id
         join addon a on a.id = v.addon_id where f.signed_sha256 is not null limit 1`,
    );
    const { sha256 = '', guid = '' } = signed ?? {};
    const path = join(dataDir, 'blobs', sha256.slice(0, 2), sha256);
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
    const changed = join(dataDir, 'changed.xpi');
    await writeFile(changed, bytes);

    const [valid, otherId, damaged] = await Promise.all([
      addons(['verify', path, '--id', guid, '--json'], settings),
      addons(['verify', path, '--id', 'other@example.org'], settings),
      addons(['verify', changed], settings),
    ]);

    expect(valid).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(valid.stdout)).toMatchObject({ ok: true, problems: [], id: guid, sha256 });
    expect(otherId.code).toBe(1);
    expect(otherId.stdout).toContain(`  - the file is signed for "${guid}", not for "other@example.org"`);
    expect(damaged).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT VALID') });
    expect(damaged.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('switches read-only mode on and off by command', async () => {
    const header = async (): Promise<string | null> =>
      (await fetch(`${running().url}/api/v4/nothing/`)).headers.get('X-SVC-Read-Only');

    await addons(['read-only', 'on'], settings);
    await vi.waitFor(async () => expect(await header()).toBe('true'), { timeout: 5000 });
    await addons(['read-only', 'off'], settings);
    await vi.waitFor(async () => expect(await header()).toBe('false'), { timeout: 5000 });
  });

  it('restarts its worker after a kill', async () => {
    const { output, printed, pid } = running();
    const before = output().length;
    for (const worker of await workersOf(pid)) process.kill(worker, 'SIGKILL');

    await printed(/The worker process ended; it is restarted/);
    await vi.waitFor(() => expect(output().slice(before)).toContain('The worker takes jobs.'), { timeout: 60_000 });
  });

  it('exits with status 0 on SIGTERM, and leaves nothing running', async () => {
    expect(await running().end('SIGTERM')).toEqual({ code: 0, signal: null });
    service = undefined;

    await expect(access(join(dataDir, 'postgres/data/postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('refuses to sign with a development CA in production, with a message in one line', async () => {
    const started = await addons(['start'], { ...settings, ENVIRONMENT: 'production', LOG_LEVEL: 'silent' });

    expect(started).toMatchObject({ code: 1, stdout: '' });
    expect(started.stderr).toMatch(/^addons: ENVIRONMENT=production .*SIGNING_KEY_FILE and SIGNING_CHAIN_FILE\.\n$/);
  });
});
