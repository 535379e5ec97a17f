import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { addons, type Outcome, PROGRAM } from '../support/program.ts';

let settings: Record<string, string>;
let server: EmbeddedPostgres | undefined;

const run = (...words: string[]): Promise<Outcome> => addons(words, settings);

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'operator-test-'));
  await chmod(dataDir, 0o711);
  settings = { DATA_DIR: dataDir };
});

afterAll(async () => {
  await server?.stop();
  await rm(settings.DATA_DIR ?? '', { recursive: true, force: true });
});

describe('operators’ commands', () => {
  it('create the embedded database if it does not run, and stop it again', async () => {
    const created = await run('user', 'create', '--username', 'one', '--email', 'one@example.org', '--json');

    expect(created).toEqual({
      code: 0,
      stdout: '{"id":1,"username":"one","email":"one@example.org"}\n',
      stderr: '',
    });
    server = await startEmbeddedPostgres({
      dataDir: settings.DATA_DIR ?? '',
      durable: false,
      log: { info: () => {}, warn: () => {} },
    });
    expect(server).toMatchObject({ isNew: false, owner: true });
  });

  it('print exactly the documented JSON while the database runs', async () => {
    const [key, token, grant] = await Promise.all([
      run('key', 'create', '--user', 'one', '--json'),
      run('token', 'create', '--user', 'one', '--expires', '5m', '--json'),
      run('group', 'grant', 'Reviewers', '--rule', 'Addons:Review', '--rule', 'Addons:ThemeReview', '--user', 'one'),
    ]);

    expect(key).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(JSON.parse(key.stdout))).toEqual(['key', 'secret']);
    expect(token).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(JSON.parse(token.stdout))).toEqual(['token']);
    expect(grant).toMatchObject({ code: 0, stderr: '' });
    const { key: name } = JSON.parse(key.stdout) as { key: string };
    const [member, revoked, disabled] = await Promise.all([
      run('user', 'create', '--username', 'two', '--email', 'two@example.org', '--group', 'Reviewers', '--json'),
      run('key', 'revoke', name),
      run('user', 'disable', 'ONE', '--reason', 'left'),
    ]);
    expect(member.stdout).toMatch(/^{"id":\d+,"username":"two","email":"two@example.org"}\n$/);
    expect([member.code, revoked.code, disabled.code]).toEqual([0, 0, 0]);
  });

  it('have one name in the audit log, that of read-only mode too', async () => {
    for (const state of ['on', 'off']) await run('read-only', state);
    const lines = (await run('audit', 'list', '--json')).stdout.trimEnd().split('\n');
    const [last] = lines.slice(-1).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(last).toMatchObject({ actor: 'command line', action: 'read-only-switched' });
  });

  it('say when read-only mode continues for another cause', async () => {
    const stdout = 'The switch is off. Read-only mode continues: a disk is nearly full, or READ_ONLY is set.\n';
    const outcome = await addons(['read-only', 'off'], { ...settings, READ_ONLY: 'true' });
    expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('end without an error of JavaScript when the reader has closed the pipe', async () => {
    const command = [process.execPath, PROGRAM, 'audit', 'list'];
    const child = spawn('sh', ['-c', '"$@" | true', 'sh', ...command], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect(await text(child.stderr)).toBe('');
  });

  it('export the audit log in parts that continue each other', async () => {
    const exported = async (...options: string[]) => {
      const { code, stdout } = await run('audit', 'export', ...options);
      const lines = stdout.trimEnd().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
      return { code, next: entries.pop()?.next ?? '', entries };
    };
    const first = await exported();
    await run('read-only', 'on');
    await run('read-only', 'off');
    const second = await exported('--after', first.next);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.entries.map(({ action }) => action)).toEqual(['read-only-switched', 'read-only-switched']);
    expect((await exported('--after', second.next)).entries).toEqual([]);
    let previous = '0'.repeat(64);
    for (const { hash, previousHash, hashInput = '' } of [...first.entries, ...second.entries]) {
      expect(previousHash).toBe(previous);
      expect(JSON.parse(hashInput)).toEqual(expect.arrayContaining([previous]));
      expect(createHash('sha256').update(hashInput).digest('hex')).toBe(hash);
      previous = hash ?? '';
    }
    expect(second.next).toBe(`${second.entries.at(-1)?.index}:${previous}`);
    const other = await run('audit', 'export', '--after', `1:${'f'.repeat(64)}`);
    expect([other.code, other.stdout, other.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('has no entry 1 with hash'),
    ]);
    const invalid = await run('audit', 'export', '--after', '99999999999999999999:x');
    expect([invalid.code, invalid.stderr]).toEqual([1, expect.stringContaining('Invalid cursor')]);
  });

  it('end memberships, and print and verify the audit log', async () => {
    const before = JSON.parse((await run('audit', 'verify', '--json')).stdout) as { entries: number };
    const [first, second] = [
      await run('group', 'revoke', 'Reviewers', '--user', 'two'),
      await run('group', 'revoke', 'Reviewers', '--user', 'two', '--json'),
    ];
    expect([first.code, first.stdout]).toEqual([0, 'two is no longer a member of Reviewers.\n']);
    expect([second.code, second.stdout]).toEqual([0, '{"group":"Reviewers","user":"two","wasMember":false}\n']);
    const [list, verified, json] = await Promise.all([
      run('audit', 'list', '--json'),
      run('audit', 'verify'),
      run('audit', 'verify', '--json'),
    ]);
    const entries = before.entries + 1;
    const last = JSON.parse(list.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(last).toMatchObject({ actor: 'command line', action: 'group-member-removed', hash: expect.any(String) });
    expect(list.stdout.trimEnd().split('\n')).toHaveLength(entries);
    expect(verified).toEqual({ code: 0, stdout: `${entries} entries, the chain holds\n`, stderr: '' });
    expect(json.stdout).toBe(`${JSON.stringify({ entries, intact: true, broken: null })}\n`);
  });

  it.each([
    [
      ['user', 'create', '--username', 'One', '--email', 'x@example.org'],
      'Someone with this username already exists in the system.',
    ],
    [['user', 'create', '--username', 'x', '--email', 'nowhere'], 'Enter a valid email address.'],
    [
      ['user', 'create', '--username', 'x', '--email', 'x@example.org', '--group', 'nope'],
      'There is no group named "nope".',
    ],
    [['token', 'create', '--user', 'automatic-review'], 'The service itself uses this account.'],
    [['user', 'disable', 'automatic-review'], 'The service itself uses this account.'],
    [['key', 'create', '--user', 'nobody'], 'There is no user named "nobody".'],
    [
      ['token', 'create', '--user', 'one', '--expires', 'soon'],
      "--expires: 'soon' is neither a length of time like 90d nor a date",
    ],
    [
      ['group', 'grant', 'G', '--rule', 'all', '--user', 'one'],
      '"all" is not a permission rule. It has the form app:action, either part of which may be *.',
    ],
  ])('refuse %j with one line', async (words, message) => {
    expect(await run(...words)).toEqual({ code: 1, stdout: '', stderr: `addons: ${message}\n` });
  });

  it('grant no rule if one of several is invalid', async () => {
    const granted = await run('group', 'grant', 'Partial', '--rule', '*:*', '--rule', 'bad', '--user', 'one');
    expect(granted).toMatchObject({ code: 1, stderr: expect.stringContaining('"bad" is not a permission rule.') });
    const three = ['--username', 'three', '--email', 'three@example.org', '--group', 'Partial'];
    const stderr = 'addons: There is no group named "Partial".\n';
    expect(await run('user', 'create', ...three)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('migrate, and find no problem with doctor', async () => {
    const [migrated, examined] = [await run('migrate'), await run('doctor', '--json')];

    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toContain('The database is up to date.\n');
    expect(examined.stderr).toBe('');
    const { ok, findings } = JSON.parse(examined.stdout) as { ok: boolean; findings: { check: string; ok: boolean }[] };
    expect(findings.filter((finding) => !finding.ok)).toEqual([]);
    expect({ ok, code: examined.code }).toEqual({ ok: true, code: 0 });
    expect(findings.map(({ check }) => check)).toEqual([
      'node',
      'settings',
      'storage',
      'disk',
      'signing key',
      'validator',
      'pictures',
      'database',
      'migrations',
      'clock',
      'shared keys',
      'installation',
      'stored files',
      'collection',
      'sizes',
      'signature log',
      'audit log',
      'log rights',
      'workers',
      'jobs',
      'mail',
      'proxies',
    ]);
  });

  it('find problems with doctor', async () => {
    const wrong = {
      ...settings,
      ENVIRONMENT: 'production',
      LOW_DISK_MB: '1000000000',
      DATABASE_URL: 'postgresql://127.0.0.1:1/x',
    };

    const examined = await addons(['doctor'], wrong);

    expect(examined.code).toBe(1);
    expect(examined.stderr).toBe('addons: to be fixed: disk, signing key, database\n');
    expect(examined.stdout).toMatch(/^WRONG {2}disk .*LOW_DISK_MB/m);
    expect(examined.stdout).toMatch(/^WRONG {2}signing key .*SIGNING_KEY_FILE/m);
  });

  it('warn with doctor about a proxy that is not trusted, for a day', async () => {
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    await client.query(`INSERT INTO service_state (name, value) VALUES ('untrusted_proxy', '"192.0.2.7"')`);
    const proxies = async (env = settings) => {
      const { code, stdout } = await addons(['doctor', '--json'], env);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; warning: boolean; text: string }[] };
      const { warning, text } = findings.find(({ check }) => check === 'proxies') ?? {};
      return { code, warning, text };
    };
    const text = expect.stringMatching(/^192\.0\.2\.7 sent it in the last day: .*TRUSTED_PROXIES/);
    expect(await proxies()).toEqual({ code: 0, warning: true, text });
    expect(await proxies({ ...settings, TRUSTED_PROXIES: '192.0.2.0/24' })).toMatchObject({ code: 0, warning: false });
    await client.query(
      `UPDATE service_state SET modified = now() - interval '25 hours' WHERE name = 'untrusted_proxy'`,
    );
    await client.end();
    expect(await proxies()).toMatchObject({ code: 0, warning: false });
  });

  it('name the first broken entry of the audit log, with status 1', async () => {
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    await client.query('GRANT UPDATE ON audit_entry TO CURRENT_USER');
    await client.query('ALTER TABLE audit_entry DISABLE TRIGGER append_only');
    await client.query(`UPDATE audit_entry SET actor = 'x' WHERE id IN (2, 3)`);
    await client.end();
    const [text, json] = await Promise.all([run('audit', 'verify'), run('audit', 'verify', '--json')]);
    expect([text.code, text.stdout]).toEqual([1, '']);
    expect(text.stderr).toMatch(/^addons: \d+ entries, the chain is broken at entry 2\n$/);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { intact: false, broken: 2 }]);
  });
});
