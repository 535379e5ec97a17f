import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  clusterDataFolder,
  findClusterLocation,
  makeFolder,
} from '../../src/infra/embedded-postgres/cluster-location.ts';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { runPostgresProgram } from '../../src/infra/embedded-postgres/run.ts';
import { createAuthorities } from '../../src/package/signing/authorities.ts';
import { freePort } from '../crash/support/installation.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { xpi } from '../support/packages.ts';
import { addons, PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';
import { makeTlsFiles } from '../support/signers.ts';

const silent = { info: () => {}, warn: () => {} };
const ROLES = [
  "create role serving login password 'serving'",
  "create role migrating login password 'migrating' in role serving",
  "create role signer login password 'signer'",
  'create database two_roles owner migrating',
];

let folder: string;
let stopServer: () => Promise<void>;
let settings: Record<string, string>;
let owner: pg.Client;
let serving: pg.Client;
/** Settings of the process that holds the signing key, and of its workers. */
let remote: { signer: Record<string, string>; worker: Record<string, string> };
const programs: RunningProgram[] = [];

/** Creates an embedded cluster with two more roles and their database. Returns its address without a role. */
async function createCluster(): Promise<URL> {
  folder = await mkdtemp(join(tmpdir(), 'two-roles-test-'));
  await chmod(folder, 0o711);
  const first = await startEmbeddedPostgres({ dataDir: folder, log: silent, durable: false });
  await first.stop();
  const location = await findClusterLocation(await makeFolder(folder));
  const data = clusterDataFolder(location);
  const single = ['--single', '-D', data, '-c', 'exit_on_error=on', 'postgres'];
  const made = await runPostgresProgram(
    join(location.programs, 'bin/postgres'),
    single,
    location.account,
    `${ROLES.join('\n')}\n`,
  );
  expect(made.code, made.output).toBe(0);
  const rules = join(data, 'pg_hba.conf');
  const known = await readFile(rules, 'utf8');
  await writeFile(rules, `${known}host two_roles serving,migrating,signer 127.0.0.1/32 scram-sha-256\n`);
  const server = await startEmbeddedPostgres({ dataDir: folder, log: silent, durable: false });
  stopServer = () => server.stop();
  const url = new URL(server.url);
  url.pathname = '/two_roles';
  return url;
}

const asRole = (url: URL, role: string): string => Object.assign(new URL(url), { username: role, password: role }).href;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  const url = await createCluster();
  settings = {
    DATABASE_URL: asRole(url, 'serving'),
    MIGRATE_DATABASE_URL: asRole(url, 'migrating'),
    DATA_DIR: join(folder, 'var'),
    LOG_LEVEL: 'info',
  };
  expect(await addons(['migrate'], settings)).toMatchObject({ code: 0, stderr: '' });
  [owner, serving] = [
    await connect(settings['MIGRATE_DATABASE_URL'] ?? ''),
    await connect(settings['DATABASE_URL'] ?? ''),
  ];
  remote = await placeKey(url);
});

/** Gives the role of the signer the documented rights. Returns settings for a signing key in another process. */
async function placeKey(url: URL): Promise<typeof remote> {
  const keys = await readFile(join(import.meta.dirname, '../../docs/keys.md'), 'utf8');
  const grants = keys.match(/^GRANT .+ TO signer;$/gm) ?? [];
  expect(grants).toHaveLength(6);
  for (const grant of grants) await owner.query(grant);
  const authorities = await createAuthorities();
  const [keyFile, chainFile] = [join(folder, 'signing.key'), join(folder, 'chain.pem')];
  await writeFile(keyFile, authorities.intermediateKey, { mode: 0o600 });
  await writeFile(chainFile, authorities.intermediateCertificate + authorities.rootCertificate);
  const tls = await makeTlsFiles(folder, 'signer');
  const port = String(await freePort());
  const shared = { SIGNING_CHAIN_FILE: chainFile };
  return {
    signer: {
      ...{ ...shared, ...tls.signer, SIGNING_KEY_FILE: keyFile, SIGNER_PORT: port, LOG_LEVEL: 'info' },
      ...{ DATABASE_URL: asRole(url, 'signer'), DATA_DIR: join(folder, 'signer') },
    },
    worker: { ...shared, ...tls.worker, SIGNING_REMOTE_URL: `https://127.0.0.1:${port}` },
  };
}

afterAll(async () => {
  for (const program of programs) await program.end('SIGKILL');
  for (const client of [owner, serving]) await client.end();
  await stopServer();
  await rm(folder, { recursive: true });
});

/** Settings without the migrating role and without the signing key: those of web processes and workers. */
const servingSettings = (): Record<string, string> => ({ ...settings, ...remote.worker, MIGRATE_DATABASE_URL: '' });

const command = (...words: string[]) => addons(words, servingSettings());

/** Starts a signer, a web process and a worker, signs a package, and returns the address of the service. */
async function signPackage(): Promise<string> {
  const signer = startProgram(remote.signer, { args: [PROGRAM, 'signer'] });
  programs.push(signer);
  await signer.printed(/The signer listens/);
  const web = startProgram(servingSettings(), { args: [PROGRAM, 'serve'] });
  const worker = startProgram(servingSettings(), { args: [PROGRAM, 'worker'] });
  programs.push(web, worker);
  const [, url = ''] = await web.printed(/"url":"(http[^"]+)".*The web process serves/);
  await command('user', 'create', '--username', 'dev', '--email', 'dev@example.org');
  const key = JSON.parse((await command('key', 'create', '--user', 'dev', '--json')).stdout) as ApiKey;
  const { contentType, body } = uploadForm(await xpi({ guid: 'roles@example', version: '1.0' }));
  const target = url + versionPath('roles@example', '1.0');
  const headers = { 'content-type': contentType };
  const sent = await fetch(target, {
    method: 'PUT',
    headers: { ...headers, authorization: authorization(key) },
    body: new Uint8Array(body),
  });
  expect(sent.status, `${await sent.text()}\n${web.output()}`).toBe(201);
  const isSigned = async () =>
    ((await (await fetch(target, { headers: { authorization: authorization(key) } })).json()) as { files: unknown[] })
      .files;
  await vi.waitFor(async () => expect(await isSigned()).toMatchObject([{ signed: true }]), {
    timeout: 120_000,
    interval: 500,
  });
  expect(`${web.output()}${worker.output()}${signer.output()}`).not.toMatch(/permission denied|must be owner/);
  return url;
}

describe('a serving role that does not own the logs', () => {
  it('serves, signs and maintains the search rows', async () => {
    await signPackage();
    expect(await command('reindex', '--rows')).toMatchObject({ code: 0 });
    for (let index = 1; index <= 4; index++) {
      await command('read-only', 'on');
      await command('read-only', 'off');
    }
    expect(await command('log', 'checkpoint')).toMatchObject({ code: 0, stdout: expect.stringContaining('\n\n— ') });
    for (const log of ['audit', 'log']) expect(await command(log, 'verify')).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await command('doctor');
    expect(stdout).toMatch(/^ok {5}log rights/m);
  });

  it.each([
    'DELETE FROM audit_entry',
    'UPDATE signing_certificate SET guid = guid',
    'TRUNCATE log_checkpoint',
    'UPDATE log_head SET size = 0',
    'DELETE FROM schema_migration',
    'ALTER TABLE audit_entry DISABLE TRIGGER USER',
    'DROP TABLE signing_certificate',
    'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$',
    'DROP FUNCTION advance_log_head() CASCADE',
    'DROP SCHEMA public CASCADE',
    'GRANT DELETE ON audit_entry TO serving',
    'SET ROLE migrating',
  ])('may not: %s', async (statement) => {
    const refused = await serving.query(statement).then(
      () => 'done',
      (error: Error) => error.message,
    );
    // A GRANT of rights that a role does not have is a warning.
    if (statement.startsWith('GRANT'))
      await expect(serving.query('DELETE FROM audit_entry')).rejects.toThrow('permission denied');
    else expect(refused).toMatch(/^(?:permission denied|must be owner)/);
  });

  it('is separated again by a repeated migration', async () => {
    expect(await addons(['migrate'], settings)).toMatchObject({ code: 0, stderr: '' });
    expect((await owner.query('SELECT count(*)::int AS entries FROM audit_entry')).rows[0].entries).toBeGreaterThan(8);
  });
});

describe('the role of a signer', () => {
  it.each([
    'SELECT email FROM account',
    'SELECT * FROM account',
    'SELECT * FROM upload',
    'SELECT FROM api_key',
    'SELECT FROM audit_entry',
    `UPDATE version SET stage = 'signing'`,
    'INSERT INTO signing_certificate (serial) VALUES ($$1$$)',
    'DELETE FROM service_state',
  ])('may not: %s', async (statement) => {
    const signer = await connect(remote.signer['DATABASE_URL'] ?? '');
    await expect(signer.query(statement)).rejects.toThrow('permission denied');
    await signer.end();
  });
});

describe('rows that the owner of the logs deletes', () => {
  it('are missed by the commands that verify, by the doctor, and by the next checkpoint', async () => {
    for (const [table, count] of [
      ['audit_entry', 8],
      ['signing_certificate', 1],
    ] as const) {
      await owner.query(`GRANT DELETE ON ${table} TO CURRENT_USER`);
      await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await owner.query(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id DESC LIMIT ${count})`);
      await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    for (const log of ['audit', 'log']) {
      const { code, stderr } = await command(log, 'verify');
      expect(code).toBe(1);
      expect(stderr).toMatch(/^addons: \d+ entries, but the head of the log names entry \d+ with hash/);
    }
    const { stdout } = await command('doctor');
    expect(stdout).toMatch(/^WRONG {2}signature log +0 entries, but/m);
    expect(stdout).toMatch(/^WRONG {2}audit log +\d+ entries, but/m);
    expect(await command('log', 'checkpoint')).toMatchObject({ code: 1, stdout: '' });
  });
});
