import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LinterPool } from '../../../src/package/validation/linter-pool.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'linter-pool-test-'));
});
afterAll(() => rm(parent, { recursive: true }));

it('a pool that could not create its folder creates it for the next package', async () => {
  const folder = join(parent, 'later');
  const pool = new LinterPool({ concurrency: 1, folder });
  const outcome = await pool.run(join(parent, 'package.zip'), { selfHosted: true, messageLimit: 10 });
  expect(outcome).toMatchObject({ ok: false, reason: 'unavailable' });
  await mkdir(folder);
  expect((await pool.isolation()).network).toMatch(/none|shared/);
  await pool.close();
});
