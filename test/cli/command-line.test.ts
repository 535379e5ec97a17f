import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsonwebtoken from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHelp, programHelp, readInvocation, UsageError } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/commands.ts';
import { readExpiry } from '../../src/commands/credentials.ts';
import { addons } from '../support/program.ts';

const command = (name: string) => {
  const found = commands.find((one) => one.name === name);
  if (!found) throw new Error(`there is no command ${name}`);
  return found;
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-line-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('the table of commands', () => {
  it('has each command once, with a summary and an implementation', async () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const name of ['serve', 'worker', 'migrate', 'user create', 'user disable', 'key create', 'key revoke']) {
      expect(command(name).summary).not.toBe('');
    }
    for (const name of ['token create', 'group grant', 'verify', 'doctor', 'read-only']) {
      expect(command(name).summary).not.toBe('');
    }
    for (const { name, load } of commands) expect(await load(), name).toBeTypeOf('function');
  });

  it('is printed by the help', () => {
    const width = Math.max(...commands.map(({ name }) => name.length));
    for (const { name, summary } of commands) {
      expect(programHelp(commands)).toContain(`  ${name.padEnd(width)}  ${summary}\n`);
    }
    expect(commandHelp(command('group grant'))).toBe(
      [
        'Usage: addons group grant NAME --rule app:action … --user U [--json]',
        '',
        'Grants a user permission rules through a group; creates group and membership when missing.',
        '',
        '  --rule app:action  A rule; either part may be *.',
        '  --user U           Username of the account.',
        '  --json             Print one line of JSON.',
        '',
      ].join('\n'),
    );
  });
});

describe('reading a command line', () => {
  it('distinguishes arguments, values, repeated values and flags', () => {
    const invocation = readInvocation(command('group grant'), ['Team', '--rule', 'a:b', '--rule=c:*', '--user', 'u']);

    expect(invocation.argument('NAME')).toBe('Team');
    expect(invocation.list('rule')).toEqual(['a:b', 'c:*']);
    expect(invocation.text('user')).toBe('u');
    expect(invocation.flag('json')).toBe(false);
  });

  it.each([
    ['user create', ['--username', 'u'], 'user create: --email is missing'],
    ['user create', ['--username', 'u', '--email'], "user create: Option '--email <value>' argument missing"],
    ['user create', ['--username', 'u', '--email', 'e', 'more'], "user create: unexpected argument 'more'"],
    ['user create', ['--nickname', 'u'], "user create: Unknown option '--nickname'"],
    ['verify', [], 'verify: FILE is missing'],
    [
      'category set',
      ['desktop_browser', 'extension', 'tabs', '--weight', '-1'],
      "category set: Option '--weight' argument is ambiguous; write '--weight=-…'",
    ],
  ])('refuses %s %j', (name, words, message) => {
    expect(() => readInvocation(command(name), words)).toThrow(new UsageError(message));
  });

  it.each([
    ['90d', '2026-04-01T00:00:00.000Z'],
    ['12h', '2026-01-01T12:00:00.000Z'],
    ['5m', '2026-01-01T00:05:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
  ])('reads %s as an expiry date', (text, date) => {
    expect(readExpiry(text, Date.parse('2026-01-01'))?.toISOString()).toBe(date);
  });

  it.each(['soon', '90', 'd', '2030-13-01', '2030-02-31', '2030-02-31T00:00:00Z', '1y'])(
    'refuses %s as an expiry date',
    (text) => {
      expect(() => readExpiry(text)).toThrow(`'${text}' is neither`);
    },
  );
});

describe('the program', () => {
  it('prints its help, exits with 2 for an invalid command line and with 1 for invalid settings', async () => {
    const [help, group, unknown, half, settings] = await Promise.all([
      addons(['--help']),
      addons(['help', 'user']),
      addons(['frobnicate']),
      addons(['user']),
      addons(['doctor'], { PORT: 'many', ENVIRONMENT: 'moon' }),
    ]);

    expect(help).toEqual({ code: 0, stdout: programHelp(commands), stderr: '' });
    const ofUsers = commands.filter(({ name }) => name.startsWith('user '));
    expect(group).toEqual({ code: 0, stdout: programHelp(ofUsers), stderr: '' });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toBe("addons: there is no command 'frobnicate'. See: npx addons --help\n");
    expect(half).toMatchObject({ code: 2, stdout: '' });
    expect(settings).toMatchObject({ code: 1, stdout: '' });
    expect(settings.stderr).toMatch(/^addons: PORT: .+; ENVIRONMENT: .+\n$/);
  });

  it('refuses to return to rows of a search in PostgreSQL, which are replaced at once', async () => {
    const stderr = 'addons: reindex: --rows has no --roll-back. See: npx addons --help\n';
    expect(await addons(['reindex', '--rows', '--roll-back'])).toEqual({ code: 2, stdout: '', stderr });
  });

  it('packs a folder without hidden files, and refuses to verify without a root certificate', async () => {
    const source = join(folder, 'source');
    await mkdir(join(source, 'icons'), { recursive: true });
    for (const name of ['manifest.json', 'icons/one.txt', '.hidden']) await writeFile(join(source, name), '{}');
    const file = join(folder, 'packed.xpi');
    const root = join(folder, 'root.pem');
    await writeFile(root, 'no certificate');

    const packed = await addons(['pack', source, file, '--json']);
    const [again, verified] = await Promise.all([
      addons(['pack', source, file]),
      addons(['verify', file, '--root', root]),
    ]);

    expect(packed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(packed.stdout)).toMatchObject({ file, size: (await readFile(file)).length });
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(verified).toMatchObject({ code: 1, stdout: '' });
    expect(verified.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('at least one root certificate')]);
  });

  it('creates a new one-time token on each run from the output of "key create --json"', async () => {
    const file = join(folder, 'key.json');
    await writeFile(file, JSON.stringify({ key: 'a-key', secret: 'a-secret' }));

    const [one, other, neither] = await Promise.all([
      addons(['jwt', '--key-file', file]),
      addons(['jwt', '--key', 'a-key', '--secret', 'a-secret']),
      addons(['jwt', '--key', 'a-key']),
    ]);

    const read = [one, other].map(
      ({ stdout }) => jsonwebtoken.verify(stdout.trim(), 'a-secret') as jsonwebtoken.JwtPayload,
    );
    for (const { iss, iat = 0, exp } of read) expect([iss, exp]).toEqual(['a-key', iat + 300]);
    expect(new Set(read.map(({ jti }) => jti)).size).toBe(2);
    expect(neither).toMatchObject({ code: 2, stdout: '' });
  });

  it('names the file that is no output of "key create --json", and refuses an empty secret', async () => {
    for (const [place, text] of ['null', '{"key":', '{"key":"a-key"}'].entries()) {
      const file = join(folder, `no-key-${place}.json`);
      await writeFile(file, text);
      const stderr = `addons: ${file} does not hold what "addons key create --json" prints\n`;
      expect(await addons(['jwt', '--key-file', file])).toEqual({ code: 1, stdout: '', stderr });
    }
    expect(await addons(['jwt', '--key', 'a-key', '--secret', ''])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give either --key and --secret, or --key-file'),
    });
  });
});
