import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ParserPool } from '../../../src/infra/process-pool/parser-pool.ts';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../../support/database.ts';
import { ROOT, readSources } from '../../support/sources.ts';
import type { Attempt } from './attempts.ts';

const linkErrors: string[] = [];
vi.mock(import('node:fs/promises'), async (original) => {
  const fs = await original();
  const link: typeof fs.link = async (...paths) => {
    const code = linkErrors.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return fs.link(...paths);
  };
  return { ...fs, link };
});

let database: TestDatabase;
let dataDir: string;
let staging: typeof import('../../../src/infra/staging/staging.ts');
let pool: ParserPool;
let input: string;

const receive = (text: string) => staging.receiveFile(Readable.from([Buffer.from(text)]));
const staged = async (text: string) => (await receive(text)).path;
const inStaging = async () =>
  (await readdir(staging.stagingFolder())).map((name) => join(staging.stagingFolder(), name));

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = (await import('../../../src/config.ts')).config.DATA_DIR;
  staging = await import('../../../src/infra/staging/staging.ts');
  const { ParserPool } = await import('../../../src/infra/process-pool/parser-pool.ts');
  const limits = { concurrency: 1, runsPerProcess: 100, processorMs: 2_000, wallMs: 120_000 };
  pool = new ParserPool(join(import.meta.dirname, 'attempts.ts'), 64, limits);
  // The processes of a new installation start before its folders exist.
  await pool.warm(1);
  input = await staged('an input');
});

afterAll(async () => {
  const { closePermanentPools } = await import('../../../src/infra/process-pool/process-pool.ts');
  await closePermanentPools();
  const { closeDatabase } = await import('../../../src/infra/db.ts');
  await closeDatabase();
  await database.drop();
});

async function attempt(what: Attempt, path = input): Promise<unknown> {
  const outcome = await pool.run({ path, ...what });
  return outcome.ok ? outcome.reply : outcome;
}

describe('a process that parses', () => {
  it('reads the file of its request and its program', async () => {
    expect(await attempt({})).toBe('an input');
    expect(await attempt({}, await staged('another input'))).toBe('another input');
    expect(await attempt({ read: join(ROOT, 'package.json') })).toContain('"name"');
  });

  it('does not read other uploads, the store, or the secret key', async () => {
    const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
    const file = await receive('a stored package');
    await blobs.put(file);
    const stored = join(dataDir, 'blobs', file.sha256.slice(0, 2), file.sha256);
    const key = join(dataDir, 'secret.key');
    await writeFile(key, 'a secret');
    for (const path of [await staged('another upload'), input, stored, key, '/etc/passwd']) {
      await stat(path);
      expect(await attempt({ read: path }), path).toBe('ERR_ACCESS_DENIED');
    }
  });

  it('gets no copy of the file, and the staging area is as before after its request', async () => {
    const before = await inStaging();
    const request = attempt({ wait: 500 });
    await expect.poll(inStaging).toHaveLength(before.length + 1);
    const [given = ''] = (await inStaging()).filter((path) => !before.includes(path));
    expect((await stat(given)).ino).toBe((await stat(input)).ino);
    expect(await request).toBe('an input');
    expect(await inStaging()).toEqual(before);
  });

  it('is ended by its processor time, and may wait for longer', async () => {
    expect(await attempt({ wait: 3_000 })).toBe('an input');
    const detail = 'No reply within 2 seconds of processor time.';
    expect(await attempt({ work: 110_000 })).toMatchObject({ ok: false, reason: 'timeout', detail });
    expect(await attempt({})).toBe('an input');
  }, 120_000);

  it('gets a copy on a file system without hard links, and nothing when linking fails', async () => {
    linkErrors.push('ENOTSUP', 'EIO');
    expect(await attempt({})).toBe('an input');
    expect(await attempt({})).toMatchObject({ ok: false, reason: 'unavailable' });
    expect(await attempt({})).toBe('an input');
  });

  it('does not read the environment of its parent, nor settings and data next to its program', async () => {
    for (const path of [`/proc/${process.ppid}/environ`, join(ROOT, '.env'), join(ROOT, 'var/secret.key')])
      expect(await attempt({ read: path })).toBe('ERR_ACCESS_DENIED');
  });

  it('writes no file and starts no program', async () => {
    const before = await inStaging();
    expect(await attempt({ write: join(staging.stagingFolder(), 'output') })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ start: '/bin/true' })).toBe('ERR_ACCESS_DENIED');
    expect(await inStaging()).toEqual(before);
  });

  it('leaves nothing in the staging area for long when its parent is killed', async () => {
    const before = await inStaging();
    const env = { ...databaseSettings(database), DATA_DIR: process.env.DATA_DIR, LOG_LEVEL: 'silent' };
    const parent = spawn(process.execPath, [join(import.meta.dirname, 'parse-process.ts')], { env, stdio: 'inherit' });
    await expect.poll(inStaging, { timeout: 30_000 }).toHaveLength(before.length + 2);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const swept = async () => {
      await staging.sweepStaging({ ownerGoneMs: 0 });
      return inStaging();
    };
    await expect.poll(swept).toEqual(before);
  }, 60_000);

  it('is always started with these rights', () => {
    const program = readSources('src');
    const users = program.filter(
      ({ text }) => /serve(?:Requests|Parser)\(/.test(text) && !/export function serve/.test(text),
    );
    expect(users.length).toBeGreaterThan(3);
    const widened = program.filter(({ text }) =>
      /--allow-(?:fs-read=\*|fs-write|child-process|worker|wasi)/.test(text),
    );
    expect(widened.map(({ path }) => path)).toEqual([]);
    const readers = program.filter(({ text }) => /launchNode\(.*\binputs\b/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(['src/infra/process-pool/parser-pool.ts']);
  });
});
