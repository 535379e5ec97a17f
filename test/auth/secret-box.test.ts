import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSecret, sealSecret } from '../../src/auth/secret-box.ts';
import { childEnvironment, config } from '../../src/config.ts';

const folders: string[] = [];

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'addons-key-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

afterEach(() => {
  config.SECRET_KEY = undefined;
});

const boxModule = join(import.meta.dirname, '../../src/auth/secret-box.ts');

/** Runs a program that uses sealSecret and openSecret in another process. */
async function runInProcess(program: string, environment: Record<string, string>): Promise<string> {
  const script = `import { openSecret, sealSecret } from ${JSON.stringify(boxModule)}; ${program}`;
  const args = ['--input-type=module', '-e', script];
  return (await promisify(execFile)(process.execPath, args, { env: childEnvironment(environment) })).stdout;
}

const SEAL = "process.stdout.write(Buffer.from(sealSecret('the secret')).toString('hex'))";
const open = (sealed: string) => `process.stdout.write(openSecret(Buffer.from('${sealed}', 'hex')))`;

describe('a sealed secret', () => {
  it.each(['', 'x', 'addons_secret_0123', '\u{1f511} schl\u00fcssel', 'x'.repeat(100_000)])(
    'opens to the original text',
    (text) => {
      expect(openSecret(sealSecret(text))).toBe(text);
    },
  );

  it('differs each time, and never contains the text', () => {
    const seals = Array.from({ length: 50 }, () => Buffer.from(sealSecret('the secret')));
    expect(new Set(seals.map((seal) => seal.toString('hex'))).size).toBe(50);
    expect(seals.some((seal) => seal.includes('secret'))).toBe(false);
  });

  it('does not open with any byte changed, removed or added', () => {
    const sealed = sealSecret('the secret');
    const changed = Array.from(sealed, (byte, position) => sealed.with(position, byte ^ 1));
    const broken = [
      ...changed,
      sealed.slice(0, -1),
      new Uint8Array([...sealed, 0]),
      sealed.slice(0, 20),
      new Uint8Array(),
    ];
    for (const bytes of broken) expect(() => openSecret(bytes)).toThrow('A sealed secret does not open');
  });

  it('opens only with the SECRET_KEY that sealed it', () => {
    config.SECRET_KEY = 'a'.repeat(32);
    const sealed = sealSecret('the secret');
    config.SECRET_KEY = 'b'.repeat(32);
    expect(() => openSecret(sealed)).toThrow('restore the SECRET_KEY or secret.key');
    config.SECRET_KEY = 'a'.repeat(32);
    expect(openSecret(sealed)).toBe('the secret');
  });
});

describe('the key file', () => {
  it('is created if missing, readable by its owner only, and used after a restart', async () => {
    const folder = join(emptyFolder(), 'var');
    const sealed = await runInProcess(SEAL, { DATA_DIR: folder });
    expect(readdirSync(folder)).toEqual(['secret.key']);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await runInProcess(open(sealed), { DATA_DIR: folder })).toBe('the secret');
  });

  it('is not created if SECRET_KEY is set', async () => {
    const folder = emptyFolder();
    await runInProcess(SEAL, { DATA_DIR: folder, SECRET_KEY: 'c'.repeat(40) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is created once by concurrent processes', async () => {
    const folder = emptyFolder();
    // All wait until the same moment, so that each looks for the file before another has created it.
    const start = Date.now() + 1500;
    const program = `while (Date.now() < ${start}); ${SEAL}`;
    const sealed = await Promise.all(Array.from({ length: 4 }, () => runInProcess(program, { DATA_DIR: folder })));
    expect(readdirSync(folder)).toEqual(['secret.key']);
    config.SECRET_KEY = readFileSync(join(folder, 'secret.key'), 'utf8').trim();
    for (const text of sealed) expect(openSecret(Buffer.from(text, 'hex'))).toBe('the secret');
  });
});
