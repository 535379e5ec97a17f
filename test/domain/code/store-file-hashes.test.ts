/* The hashes of files of packages, also of those that cannot be read at first. */
import { rename } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { addon } from '../../support/factories.ts';
import { xpi } from '../../support/packages.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();

async function stored(bytes: Buffer) {
  const file = await storePackage(bytes);
  const { versions } = await addon({ versions: [{ version: '1.0', files: [file] }] });
  const { config } = await import('../../../src/config.ts');
  return { versionId: versions[0]?.id, path: blobFile(config.DATA_DIR, file.sha256) };
}

/** Whether nothing is left to read, and how many files of the package are known. */
const stateOf = async (versionId: number | undefined) =>
  (
    await app.sql<{ isDone: boolean; files: number }>(
      `SELECT f.are_files_hashed AS "isDone", (SELECT count(*)::int FROM package_file p WHERE p.file_id = f.id) AS files
       FROM file f WHERE f.version_id = $1`,
      [versionId],
    )
  )[0];

const jobs = () =>
  app.sql<{ attempts: number; error: string | null }>(
    `SELECT attempts, last_error AS error FROM graphile_worker.jobs WHERE task_identifier = 'hash-package'`,
  );

const scan = async () => (await import('../../../src/domain/code/store-file-hashes.ts')).storeFileHashes();

it('leaves a package that is lost to a job, which is retried until the package is there again', async () => {
  const { versionId, path } = await stored(await xpi({ files: { 'a.js': 'a();\n'.repeat(100) } }));
  await rename(path, `${path}-aside`);
  await scan();
  expect(await jobs()).toEqual([{ attempts: 0, error: null }]);
  await app.runJobs();
  expect(await jobs()).toEqual([{ attempts: 1, error: expect.stringContaining('file') }]);
  expect(await stateOf(versionId)).toEqual({ isDone: true, files: 0 });
  await scan();
  expect(await jobs()).toHaveLength(1);
  await rename(`${path}-aside`, path);
  await app.sql('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await app.runJobs();
  expect(await jobs()).toEqual([]);
  expect((await stateOf(versionId))?.files).toBeGreaterThan(0);
});

it('reads a package that is no valid archive once', async () => {
  const { versionId } = await stored(Buffer.from('no archive'));
  await scan();
  expect(await stateOf(versionId)).toEqual({ isDone: true, files: 0 });
  expect(await jobs()).toEqual([]);
});
