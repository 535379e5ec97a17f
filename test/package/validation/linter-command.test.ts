import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linterCommand, probeIsolation } from '../../../src/package/validation/linter-pool.ts';
import { makePoolFolder, warmUpFolder } from '../../../src/package/validation/pool-folder.ts';
import { writeExtension } from './sample-packages.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'validation-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Starts a linter process that may read `readable`, lints `path` and resolves to the first response. */
async function lintWith(readable: string, path: string): Promise<unknown> {
  const warmUp = warmUpFolder((await makePoolFolder(folder)).path);
  const { program, args } = linterCommand((await probeIsolation()).prefix, 1024, readable, warmUp);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    expect((await once(child, 'message'))[0]).toEqual({ kind: 'ready' });
    child.send({ id: 1, request: { path, settings: { selfHosted: true, messageLimit: 10 } } });
    return (await once(child, 'message'))[0];
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

describe('a linter process', () => {
  it('can read its own folder only', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const inside = await writeExtension(join(own, 'package.zip'), '');
    const outside = await writeExtension(join(folder, 'package.zip'), '');
    await writeFile(join(folder, 'signing-key.pem'), 'secret');

    expect(await lintWith(own, inside)).toMatchObject({ reply: { kind: 'report', report: { errors: 0 } } });
    expect(await lintWith(own, outside)).toMatchObject({
      reply: { kind: 'refused', reason: expect.stringMatching(/restricted/) },
    });
  });
});
