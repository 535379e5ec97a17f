import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meterLine } from '../../src/commands/import.ts';
import { killImports } from '../crash/kill-import.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { addon as makeAddon } from '../support/factories.ts';
import { png, xpi } from '../support/packages.ts';
import { addons, type Outcome, PROGRAM } from '../support/program.ts';

const HASH = `sha256:${'cd'.repeat(32)}`;

let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'catalogue-commands-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const settings = () => ({ DATABASE_URL: app.config.DATABASE_URL ?? '', DATA_DIR: app.config.DATA_DIR });
const run = (...words: string[]) => addons(words, settings());

async function runWith(input: string | Buffer, ...words: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: { ...process.env, ...settings() }, stdio: 'pipe' });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (printed.stdout += chunk));
  child.stderr.on('data', (chunk) => (printed.stderr += chunk));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}

const account = (username: string) => ({ kind: 'account', username });
const addon = (name: string, facts: object = {}) => ({
  ...{ kind: 'addon', guid: `${name}@cli.example`, slug: name, type: 'extension', status: 'public' },
  ...{ name: { 'en-US': name }, authors: [{ username: `${name}-author`, role: 'owner' }] },
  ...facts,
});
const text = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const written = async (name: string, content: string | Buffer) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

describe('addons statistics import', () => {
  it('exits with 2 for invalid lines, with and without --skip-bad', async () => {
    const known = await makeAddon({ guid: 'counted@cli.example' });
    const line = (guid: string, users: number) => ({ guid, date: '2018-10-25', users, downloads: 1 });
    const file = await written(
      'days.jsonl',
      `\uFEFF${text(line('counted@cli.example', 7), line('counted@cli.example', -1))}\r\n`,
    );
    const stored = () => app.sql('SELECT users FROM daily_statistics WHERE addon_id = $1', [known.id]);
    const wrong = 'line 2: users: expected a whole number from 0 to 2147483647';
    expect(await run('statistics', 'import', file)).toEqual({
      code: 2,
      stdout: '',
      stderr: `addons: ${wrong}\naddons: Nothing was stored.\n`,
    });
    expect(await stored()).toEqual([]);
    const skipped = await run('statistics', 'import', file, '--skip-bad', '--json');
    expect([skipped.code, JSON.parse(skipped.stdout)]).toEqual([2, { rows: 1, addons: 1, skipped: [wrong] }]);
    expect(await stored()).toEqual([{ users: 7 }]);
    const good = await written('day.jsonl', text(line('counted@cli.example', 8)));
    expect(await run('statistics', 'import', good)).toMatchObject({ code: 0, stderr: '' });
    const cut = await written('days.csv.gz', gzipSync('guid,date,users,downloads\n').subarray(0, 30));
    expect(await run('statistics', 'import', cut)).toMatchObject({
      code: 1,
      stderr: `addons: ${cut} cannot be read: unexpected end of file\n`,
    });
    expect(await run('statistics', 'import', join(folder, 'none.csv'))).toMatchObject({ code: 1 });
  });
});

describe('addons import', () => {
  it('reads a file, a compressed file and standard input', async () => {
    const plain = await written('plain.jsonl', text(account('one-author'), addon('one')));
    const packed = await written('packed.jsonl.gz', gzipSync(`\uFEFF${text(account('two-author'), addon('two'))}\r\n`));
    const said = { code: 0, stdout: 'Imported 1 account, 1 addon.\n', stderr: '' };
    expect(await run('import', plain)).toEqual(said);
    expect(await run('import', packed)).toEqual(said);
    const { stdout, ...end } = await runWith(text(account('three-author'), addon('three')), 'import', '-', '--json');
    expect(end).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ imported: { account: 1, addon: 1, featured: 0 }, skipped: [] });
    for (const name of ['one', 'two', 'three']) {
      expect((await app.anonymous.get(`/api/v4/addons/addon/${name}/`)).status).toBe(200);
    }
    expect(await app.sql(`SELECT action FROM audit_entry WHERE action = 'catalogue-imported'`)).toHaveLength(3);
  });

  it('exits with 2 and changes nothing for an invalid line, and with 1 for an unreadable file', async () => {
    const four = addon('four', { versions: [{ version: '1', channel: 'x' }] });
    const bad = await written('bad.jsonl', text(account('four-author'), four));
    expect(await run('import', bad)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'addons: line 2: addon.versions[0].channel: expected "listed" or "unlisted"\naddons: Nothing was imported.\n',
    });
    expect(await app.sql(`SELECT FROM account WHERE username = 'four-author'`)).toEqual([]);
    const skipped = await run('import', bad, '--skip-bad', '--json');
    expect([skipped.code, JSON.parse(skipped.stdout)]).toMatchObject([
      2,
      { imported: { account: 1, addon: 0 }, skipped: [{ line: 2, key: 'addon.versions[0].channel' }] },
    ]);
    const none = await run('import', join(folder, 'none.jsonl'));
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file') });
    const ofFolder = await run('import', folder);
    expect(ofFolder).toEqual({ code: 1, stdout: '', stderr: `addons: ${folder} is a folder\n` });
  });

  it.each([
    ['cut', gzipSync(text(account('five-author'))).subarray(0, 40), 'unexpected end of file'],
    ['empty', Buffer.alloc(0), 'unexpected end of file'],
    ['unpacked', Buffer.from(text(account('five-author'))), 'incorrect header check'],
    [
      'followed',
      Buffer.concat([gzipSync(text(account('five-author'))), Buffer.from('more')]),
      'incorrect header check',
    ],
  ])('names a damaged compressed file: %s', async (name, bytes, reason) => {
    const damaged = await written(`${name}.jsonl.gz`, bytes);
    const stderr = `addons: ${damaged} cannot be read: ${reason}\n`;
    expect(await run('import', damaged, '--skip-bad')).toEqual({ code: 1, stdout: '', stderr });
    expect(await app.sql(`SELECT FROM account WHERE username = 'five-author'`)).toEqual([]);
  });

  it('names lines that are not UTF-8 or too long', async () => {
    const long = Buffer.alloc(16 * 1024 * 1024 + 1, 'x');
    const input = Buffer.concat([
      Buffer.from([0x22, 0xff, 0x0a]),
      long,
      Buffer.from(`\n${text(account('six-author'))}`),
    ]);
    const { code, stdout } = await runWith(input, 'import', '-', '--skip-bad', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      {
        imported: { account: 1 },
        skipped: [
          { line: 1, key: '', message: 'not UTF-8' },
          { line: 2, key: '', message: 'longer than 16 MB' },
        ],
      },
    ]);
  });

  it('creates groups without permissions with --create-groups', async () => {
    const input = text({ ...account('seven-author'), groups: ['Gardeners'] });
    const refused = await runWith(input, 'import', '-');
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'addons: line 1: account.groups: there is no group "Gardeners"\n' +
        'addons: Groups that do not exist are made, without permissions, when --create-groups is given.\n' +
        'addons: Nothing was imported.\n',
    });
    expect(await runWith(input, 'import', '-', '--create-groups')).toMatchObject({ code: 0 });
    const groups = await app.sql(`SELECT name::text, rules FROM permission_group WHERE name = 'gardeners'`);
    expect(groups).toEqual([{ name: 'Gardeners', rules: [] }]);
  });

  it('stores packages and pictures from next to the file, and returns 404 for downloads without one', async () => {
    await mkdir(join(folder, 'files'), { recursive: true });
    const bytes = await xpi({ guid: 'eight@cli.example', version: '1.0' });
    await writeFile(join(folder, 'files/eight.xpi'), bytes);
    await writeFile(join(folder, 'files/eight.png'), png(128, 128));
    const of = (version: string, file: object) => ({
      ...{ version, channel: 'listed' },
      files: [{ status: 4, is_webextension: true, ...file }],
    });
    const eight = addon('eight', {
      icon_path: 'files/eight.png',
      previews: [{ path: 'files/eight.png', caption: null }],
      versions: [of('2.0', { hash: HASH }), of('1.0', { path: 'files/eight.xpi' })],
    });
    const name = await written('eight.jsonl', text(account('eight-author'), eight));
    expect(await run('import', name)).toEqual({ code: 0, stdout: 'Imported 1 account, 1 addon.\n', stderr: '' });
    const { json } = await app.anonymous.get('/api/v4/addons/addon/eight/versions/');
    const { results } = json as { results: { version: string; files: { url: string; size: number }[] }[] };
    const fileOf = (number: string) => results.find(({ version }) => version === number)?.files[0];
    const download = (number: string) => app.anonymous.get(new URL(fileOf(number)?.url ?? '').pathname);
    expect(fileOf('1.0')?.size).toBe(bytes.length);
    expect((await download('1.0')).bytes.equals(bytes)).toBe(true);
    expect((await download('2.0')).status).toBe(404);
    const [preview] = await app.sql('SELECT image_width, image_sha256 IS NOT NULL AS kept FROM preview');
    expect(preview).toEqual({ image_width: 128, kept: true });
    const wrong = addon('eight', { versions: [of('1.0', { path: 'files/eight.xpi', hash: HASH })] });
    const refused = await run('import', await written('wrong.jsonl', text(wrong)));
    expect(refused.stderr).toContain('line 1: addon.versions[0].files[0].hash: the file "files/eight.xpi" has sha256:');
  });

  it('leaves no rows after a kill, and the next import succeeds', async () => {
    const size = 1_000;
    Object.assign(process.env, settings());
    const { kills, rows } = await killImports((query) => app.sql(query), { size, kills: 2 });
    expect(kills).toHaveLength(2);
    for (const { left } of kills) expect(new Set(Object.values(left))).toEqual(new Set([0]));
    expect(rows.addon).toBeGreaterThanOrEqual(size);
    expect(rows.addon_document).toBe(rows.addon);
  });
});

describe('addons export', () => {
  it('writes what import reads, to a file, a compressed file and standard output', async () => {
    const [plain, packed] = [join(folder, 'out.jsonl'), join(folder, 'out.jsonl.gz')];
    expect((await run('export', plain)).stdout).toMatch(/^Wrote \d+ lines to /);
    expect(JSON.parse((await run('export', packed, '--json')).stdout)).toEqual({ exported: expect.any(Number) });
    const lines = await readFile(plain, 'utf8');
    expect(gunzipSync(await readFile(packed)).toString()).toBe(lines);
    const output = await run('export', '-');
    expect([output.code, output.stdout === lines, output.stderr]).toEqual([0, true, '']);
    const before = await app.sql('SELECT max(row_version) FROM addon_document');
    expect(await run('import', plain)).toMatchObject({ code: 0, stderr: '' });
    expect(await app.sql('SELECT max(row_version) FROM addon_document')).toEqual(before);
  });
});

describe('the progress line', () => {
  it('shows lines, speed and remaining time', () => {
    const reading = { phase: 'reading', done: 3_000, total: null } as const;
    expect(meterLine(reading, 2, 0.25)).toBe('reading lines 3000, 1500 a second, 6 s left in this step');
    expect(meterLine(reading, 2, null)).toBe('reading lines 3000, 1500 a second');
    const publishing = { phase: 'publishing', done: 400, total: 800 } as const;
    expect(meterLine(publishing, 200, 0.5)).toBe('publishing add-ons 400 of 800, 2 a second, 4 min left in this step');
    expect(meterLine({ phase: 'loading', done: 2, total: 8 }, 1, 0.25)).toBe('loading, step 2 of 8');
  });
});
