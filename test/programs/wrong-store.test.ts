/* A restored data folder and an empty database: the accident in which a worker removed the whole store. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addons } from '../support/program.ts';

const RESTORED = '0b1f7a7e-0000-4000-8000-000000000001';
const FILES = 154;

let database: TestDatabase;
let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'wrong-store-'));
  settings = { DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0', ALLOW_DEV_CA: 'true', LOG_LEVEL: 'info' };
  const before = new Date(Date.now() - 48 * 3_600_000);
  for (let file = 0; file < FILES; file++) {
    const sha256 = createHash('sha256').update(String(file)).digest('hex');
    await mkdir(join(folder, 'blobs', sha256.slice(0, 2)), { recursive: true });
    const path = join(folder, 'blobs', sha256.slice(0, 2), sha256);
    await writeFile(path, String(file));
    await utimes(path, before, before);
  }
  await writeFile(join(folder, 'blobs/installation'), `${RESTORED}\n`);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const stored = async () =>
  (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => /\/[0-9a-f]{64}$/.test(name)).length;

it('worker, serve and doctor refuse, collect needs a confirmation, and every removal is logged', async () => {
  for (const command of ['worker', 'serve']) {
    const { code, stderr } = await addons([command], settings);
    expect([command, code]).toEqual([command, 1]);
    expect(stderr).toMatch(
      new RegExp(`is of installation ${RESTORED}; the database is of installation [0-9a-f-]{36}\\.`),
    );
    expect(stderr).toContain('npx addons storage adopt');
  }
  const examined = await addons(['doctor', '--json'], { ...settings, LOG_LEVEL: 'silent' });
  const { findings } = JSON.parse(examined.stdout) as { findings: { check: string; ok: boolean; text: string }[] };
  expect(findings.find(({ check }) => check === 'installation')).toMatchObject({ ok: false });
  expect(await stored()).toBe(FILES);

  expect((await addons(['storage', 'adopt'], settings)).stdout).toContain('all but 154');
  expect((await addons(['storage', 'collect'], settings)).stdout).toContain('154 of 154 files');
  expect(await stored()).toBe(FILES);
  const removed = await addons(['storage', 'collect', '--confirm'], settings);
  expect([removed.code, await stored()]).toEqual([0, 0]);
  expect(removed.stdout.match(/no row references was removed/g)).toHaveLength(FILES);
  const audited = (await addons(['audit', 'list'], settings)).stdout;
  expect(audited).toMatch(/storage-adopted[\s\S]*storage-collected/);
});
