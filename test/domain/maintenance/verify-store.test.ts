import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();
let verify: typeof import('../../../src/domain/maintenance/verify-store.ts');
beforeAll(async () => {
  verify = await import('../../../src/domain/maintenance/verify-store.ts');
});

const pathOf = (sha256: string) => blobFile(app.config.DATA_DIR, sha256);

async function storeFiles(count: number): Promise<string[]> {
  const before = new Date(Date.now() - 48 * 3_600_000);
  const names: string[] = [];
  for (let file = 0; file < count; file++) {
    const bytes = randomBytes(100);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await mkdir(dirname(pathOf(sha256)), { recursive: true });
    await writeFile(pathOf(sha256), bytes);
    await utimes(pathOf(sha256), before, before);
    names.push(sha256);
  }
  return names;
}

it('finds 20 damaged, 20 lost and 5 unreferenced files among 1,000, also when it is interrupted', async () => {
  const [names, unreferenced] = [await storeFiles(1_000), (await storeFiles(5)).sort()];
  await addon({ versions: [{ files: names.map((sha256) => ({ sha256, originalSha256: sha256, isStored: true })) }] });
  const [damaged, lost] = [names.slice(0, 20).sort(), names.slice(20, 40).sort()];
  for (const sha256 of damaged) await writeFile(pathOf(sha256), randomBytes(100));
  for (const sha256 of lost) await rm(pathOf(sha256));

  const { db } = await import('../../../src/infra/db.ts');
  const { upsert } = db.serviceState;
  let saves = 0;
  const interrupted = vi.spyOn(db.serviceState, 'upsert').mockImplementation((row) => {
    saves += 1;
    if (saves === 20) throw new Error('killed');
    return upsert.call(db.serviceState, row);
  });
  await expect(verify.verifyStore()).rejects.toThrow('killed');
  interrupted.mockRestore();

  const report = await verify.verifyStore();
  expect(report).toMatchObject({ checked: 1_000, lost, damaged });
  expect([...report.unreferenced].sort()).toEqual(unreferenced);
  expect(report.resumed).toBeGreaterThan(0);
  const { currentProblems } = await import('../../../src/domain/maintenance/stored-file-problems.ts');
  expect(await currentProblems()).toHaveLength(40);
  const sample = await verify.verifySample(10_000);
  expect([sample.checked, sample.lost.length, sample.damaged.length]).toEqual([1_000, 20, 20]);
});
