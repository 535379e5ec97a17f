import { cp, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { blobFile } from '../support/blob-file.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { addons } from '../support/program.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
let home: string;
let settings: Record<string, string>;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'backup-test-'));
  const { DATABASE_URL = '', DATA_DIR } = app.config;
  settings = { DATABASE_URL, DATA_DIR, PORT: '0', SECRET_KEY: '', LOG_LEVEL: 'silent' };
  const developer = await app.developer();
  for (const version of ['1.0', '2.0', '3.0']) {
    const upload = await xpi({ guid: 'kept@example.org', version });
    expect(
      (await developer.put(`/api/v4/addons/kept@example.org/versions/${version}/`, { upload })).status,
    ).toBeLessThan(300);
  }
  const features = { categories: [{ app: 'desktop_browser', slug: 'kept' }], tags: ['one', 'two'] };
  for (let count = 0; count < 20; count++) {
    const stored = await storePackage(await xpi({ guid: `listed-${count}@example.org`, version: '1.0' }));
    await addon({ ...features, name: { 'en-US': 'Tab\tand\nline \\N', de: 'Ü' }, versions: [{ files: [stored] }, {}] });
  }
  expect(await run(['user', 'create', '--username', 'keeper', '--email', 'keeper@example.org'])).toMatchObject({
    code: 0,
  });
  expect(await run(['log', 'checkpoint'])).toMatchObject({ code: 0 });
  expect(await run(['backup', at('first')])).toMatchObject({ code: 0, stderr: '' });
}, 180_000);
afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(home, { recursive: true });
});

const at = (...names: string[]): string => join(home, ...names);
const run = (words: string[], other: Record<string, string> = {}) => addons(words, { ...settings, ...other });

/** An empty database and a data folder of its own. */
async function emptyTarget(name: string): Promise<Record<string, string>> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return { DATABASE_URL: database.url, DATA_DIR: at(name) };
}

async function query<Row extends pg.QueryResultRow>(url: string | undefined, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Tables in which a restoration writes itself, or that `migrate` writes. */
const OWN = "('audit_entry', 'log_head', 'schema_migration', 'schema_definition', 'migrations')";
const TABLES = `SELECT schemaname || '.' || tablename AS name FROM pg_tables
  WHERE schemaname IN ('public', 'search_next', 'graphile_worker') AND tablename NOT IN ${OWN} ORDER BY 1`;
const DEFINITIONS = `
  SELECT indexdef AS definition FROM pg_indexes WHERE schemaname IN ('public', 'search_next')
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
  UNION ALL SELECT sequencename || ' ' || last_value FROM pg_sequences
    WHERE schemaname = 'public' AND sequencename NOT LIKE 'audit%'
  ORDER BY 1`;

/** Number of rows and a hash of the contents of every table, and the definitions of everything else. */
async function contentOf(url: string | undefined): Promise<unknown> {
  const tables = await query<{ name: string }>(url, TABLES);
  const sums = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS rows, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM ${name} t`,
  );
  return { rows: await query(url, sums.join(' UNION ALL ')), definitions: await query(url, DEFINITIONS) };
}

describe('a restored backup', () => {
  it('has every row, index, constraint, trigger, sequence, file and key of the original', async () => {
    const target = await emptyTarget('restored');
    const { code, stdout, stderr } = await run(['restore', at('first')], target);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Restored the state of \S+Z with (\d+) files, of which \1 were not in the store\.\n$/);
    expect(await contentOf(target['DATABASE_URL'])).toEqual(await contentOf(app.config.DATABASE_URL));
    expect((await run(['storage', 'verify'], target)).code).toBe(0);
    for (const log of ['audit', 'log']) {
      expect(await run([log, 'verify', '--checkpoint', at('first/log.checkpoint')], target)).toMatchObject({ code: 0 });
    }
    expect((await run(['audit', 'list'], target)).stdout).toMatch(/backup-restored .*\n$/);
    for (const key of ['secret.key', 'log.key']) {
      expect(await readFile(at('restored', key), 'utf8')).toBe(await readFile(join(app.config.DATA_DIR, key), 'utf8'));
      expect((await stat(at('restored', key))).mode & 0o777).toBe(0o600);
    }
  });

  it('puts only those files into a store that it lacks, whole', async () => {
    const target = await emptyTarget('partial');
    await cp(join(app.config.DATA_DIR, 'blobs'), at('partial/blobs'), { recursive: true });
    const [lost = '', damaged = ''] = await listed('first');
    await unlink(blobFile(at('partial'), lost));
    await writeFile(blobFile(at('partial'), damaged), 'other bytes');
    expect((await run(['restore', at('first'), '--json'], target)).stdout).toContain('"stored":2,');
    expect((await run(['storage', 'verify'], target)).code).toBe(0);
  });
});

/** Hashes of the files of a backup. */
async function listed(name: string): Promise<string[]> {
  return (await readdir(at(name, 'files'), { recursive: true }))
    .map((path) => path.slice(3))
    .filter(Boolean)
    .sort();
}

describe('restore', () => {
  it.each([
    [
      'a database that is not empty',
      {},
      () => ({ DATABASE_URL: app.config.DATABASE_URL ?? '' }),
      /The database is not empty: it has \d+ tables/,
    ],
    ['another key in DATA_DIR', { 'secret.key': 'another' }, undefined, /secret\.key differs from that of the backup/],
    [
      'the store of another installation',
      { 'blobs/installation': 'another' },
      undefined,
      /store is of installation another/,
    ],
  ])('refuses %s, and changes nothing', async (name, files, given, message) => {
    const target = { ...(await emptyTarget(name)), ...given?.() };
    for (const [file, text] of Object.entries(files)) {
      await cp(join(app.config.DATA_DIR, 'secret.key'), at(name, file), { recursive: true });
      await writeFile(at(name, file), text);
    }
    const before = await query(target['DATABASE_URL'], TABLES);
    const { code, stderr } = await run(['restore', at('first')], target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await query(target['DATABASE_URL'], TABLES)).toEqual(before);
  });

  it('refuses a newer format, migrations of a newer release, damage, and a folder that is no backup', async () => {
    const target = await emptyTarget('refused');
    const manifest = JSON.parse(await readFile(at('first/backup.json'), 'utf8')) as { migrations: object[] };
    const newer = { ...manifest, migrations: [...manifest.migrations, { name: '9999_later', checksum: 'a' }] };
    const changes: [string, string, RegExp][] = [
      ['backup.json', JSON.stringify({ ...manifest, format: 2 }), /has format 2, which a newer release wrote/],
      ['backup.json', JSON.stringify(newer), /The database is newer than this program, which does not have 9999_later/],
      ['backup.json', '{"format": 1', /backup\.json is damaged/],
      ['database/public.addon.copy.zst', 'other', /public\.addon\.copy\.zst is lost or damaged/],
      ['files.list', '', /files\.list is lost or damaged/],
    ];
    for (const [file, text, message] of changes) {
      const original = await readFile(at('first', file));
      await writeFile(at('first', file), text);
      const { code, stderr } = await run(['restore', at('first')], target);
      await writeFile(at('first', file), original);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    }
    const none = await run(['restore', home], target);
    expect(none.stderr).toMatch(/is no complete backup: backup\.json cannot be read \(ENOENT\)/);
    expect(await query(target['DATABASE_URL'], TABLES)).toEqual([]);
  });

  it('--check names each lost or damaged file, and an interrupted restore goes on when they are whole', async () => {
    await cp(at('first'), at('broken'), { recursive: true });
    const [lost = '', damaged = ''] = await listed('broken');
    await unlink(at('broken/files', lost.slice(0, 2), lost));
    await writeFile(at('broken/files', damaged.slice(0, 2), damaged), 'other bytes');
    expect((await run(['restore', at('first'), '--check'])).code).toBe(0);
    const checked = await run(['restore', at('broken'), '--check', '--json']);
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({ damaged: [lost, damaged].sort() });
    const target = await emptyTarget('from-broken');
    const failed = await run(['restore', at('broken')], target);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/other bytes than its name|lacks \d files/),
    ]);
    const command = await run(['user', 'create', '--username', 'early', '--email', 'early@example.org'], target);
    expect([command.code, command.stderr]).toEqual([1, expect.stringContaining('Run again: npx addons restore')]);
    for (const role of ['serve', 'worker']) {
      const started = await run([role], { ...target, LOG_LEVEL: 'info' });
      expect([role, started.code, started.stdout + started.stderr]).toEqual([
        role,
        1,
        expect.stringContaining('The database lacks files of the backup'),
      ]);
    }
    for (const sha256 of [lost, damaged]) {
      await cp(at('first/files', sha256.slice(0, 2), sha256), at('broken/files', sha256.slice(0, 2), sha256));
    }
    expect(await run(['restore', at('broken')], target)).toMatchObject({ code: 0, stderr: '' });
    expect(await contentOf(target['DATABASE_URL'])).toEqual(await contentOf(app.config.DATABASE_URL));
    expect((await run(['storage', 'verify'], target)).code).toBe(0);
    await rm(at('broken'), { recursive: true });
  });
});

describe('backup', () => {
  it('refuses a folder that exists', async () => {
    expect(await run(['backup', at('first')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
  });

  it('links the files of the newest backup next to it, keeps those of an interrupted run, and copies all with --full', async () => {
    const [one = '', ...others] = await listed('first');
    await cp(at('first/files', one.slice(0, 2)), at('second.part/files', one.slice(0, 2)), { recursive: true });
    const kept = (await readdir(at('second.part/files', one.slice(0, 2)))).length;
    const second = JSON.parse((await run(['backup', at('second'), '--json'])).stdout) as object;
    expect(second).toMatchObject({ copied: kept, linked: others.length + 1 - kept, missing: [] });
    const full = JSON.parse((await run(['backup', at('full'), '--full', '--without-keys', '--json'])).stdout) as object;
    expect(full).toMatchObject({ copied: others.length + 1, linked: 0, keys: [] });
    expect(full).toMatchObject({ absent: expect.arrayContaining(['DATA_DIR/secret.key: --without-keys was given']) });
    const other = others.at(-1) ?? '';
    const nodes = await Promise.all(
      ['first', 'second', 'full'].map(async (name) => (await stat(at(name, 'files', other.slice(0, 2), other))).ino),
    );
    expect([nodes[1] === nodes[0], nodes[2] === nodes[0]]).toEqual([true, false]);
  });

  it('names the files that the store has lost, with status 2, and a restored database has the rest', async () => {
    const [sha256 = ''] = await listed('first');
    const path = blobFile(app.config.DATA_DIR, sha256);
    const bytes = await readFile(path);
    await unlink(path);
    const { code, stderr } = await run(['backup', at('incomplete'), '--full']);
    await writeFile(path, bytes);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`1 files of the store are lost or damaged: ${sha256} (lost)`),
    ]);
    const target = await emptyTarget('from-incomplete');
    const restored = await run(['restore', at('incomplete')], target);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`${sha256} was lost when`) });
  });

  it('says which keys are set elsewhere, and runs once at a time', async () => {
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    const { LOCK_KEYS } = await import('../../src/infra/lock-keys.ts');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEYS.backup]);
    const refused = await run(['backup', at('parallel')]);
    await client.end();
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another backup of this database runs.'),
    });
    const secret = await readFile(join(app.config.DATA_DIR, 'secret.key'), 'utf8');
    const { stdout } = await run(['backup', at('set')], { SECRET_KEY: secret.trim(), SMTP_URL: 'smtp://localhost' });
    expect(stdout).toContain('  the secret key: the setting SECRET_KEY replaces it\n');
    expect(stdout).toMatch(/ {2}the settings SMTP_URL, SECRET_KEY|SECRET_KEY, SMTP_URL/);
  });
});
