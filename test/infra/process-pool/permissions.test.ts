import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchNode } from '../../../src/infra/process-pool/launch-node.ts';
import { ProcessPool } from '../../../src/infra/process-pool/process-pool.ts';
import { ROOT, readSources } from '../../support/sources.ts';
import type { Attempt } from './attempts.ts';

const ENTRY = join(import.meta.dirname, 'attempts.ts');

let folder: string;
let inputs: string;
let pool: ProcessPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'permissions-test-'));
  await writeFile(join(folder, 'secret.key'), 'a secret');
  const launch = () => launchNode(ENTRY, 64, { inputs });
  inputs = join(folder, 'staging');
  pool = new ProcessPool({ launch, concurrency: 1, runsPerProcess: 100, wallMs: 30_000 });
  // The processes of a new installation start before its folders exist.
  await pool.warm();
  await mkdir(inputs);
  await writeFile(join(inputs, 'input'), 'an input');
});

afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

async function attempt(what: Attempt): Promise<unknown> {
  const outcome = await pool.run(() => what);
  return outcome.ok ? outcome.reply : outcome;
}

describe('a process that parses', () => {
  it('reads its inputs and its program', async () => {
    expect(await attempt({ read: join(inputs, 'input') })).toBe('done');
    expect(await attempt({ read: join(ROOT, 'src/config.ts') })).toBe('done');
  });

  it.each(['secret.key', '../../etc/passwd'])('does not read other files: %s', async (name) => {
    expect(await attempt({ read: join(folder, name) })).toBe('ERR_ACCESS_DENIED');
  });

  it('does not read the environment of its parent, nor settings and data next to its program', async () => {
    for (const path of [`/proc/${process.ppid}/environ`, join(ROOT, '.env'), join(ROOT, 'var/secret.key')])
      expect(await attempt({ read: path })).toBe('ERR_ACCESS_DENIED');
  });

  it('writes no file and starts no program', async () => {
    expect(await attempt({ write: join(inputs, 'output') })).toBe('ERR_ACCESS_DENIED');
    expect(await attempt({ start: '/bin/true' })).toBe('ERR_ACCESS_DENIED');
    expect(await readdir(inputs)).toEqual(['input']);
  });

  it('is always started with these rights', () => {
    const program = readSources('src');
    const users = program.filter(
      ({ text }) => /serveRequests\(/.test(text) && !/export function serveRequests/.test(text),
    );
    expect(users.length).toBeGreaterThan(3);
    const widened = program.filter(({ text }) =>
      /--allow-(?:fs-read=\*|fs-write|child-process|worker|wasi)/.test(text),
    );
    expect(widened.map(({ path }) => path)).toEqual([]);
  });
});
