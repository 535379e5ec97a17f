import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { importLines } from '../../support/catalogue/lines.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-imported-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Imports a public add-on, with a package for each version in the folder: `GUID-VERSION.xpi`. */
async function importAddon(guid: string, ...numbers: string[]): Promise<void> {
  const versions = numbers.map((version) => ({
    channel: 'listed',
    version,
    files: [{ status: 4, is_webextension: true, path: `${guid}-${version}.xpi` }],
  }));
  const line = { kind: 'addon', guid, slug: guid.replace('@', '-'), type: 'extension', default_locale: 'en-US' };
  await importLines([{ ...line, versions, status: 'public', name: { 'en-US': 'Clock' } }], { baseFolder: folder });
}

async function signPackagesOf(guid: string): Promise<void> {
  const { addonsToSign, queueImportedSigning } = await import('../../../src/domain/signing/sign-imported.ts');
  await queueImportedSigning(await addonsToSign([guid]));
  await app.runJobs();
  expect(await app.pendingJobs()).toEqual([]);
}

const filesOf = (guid: string) =>
  app.sql<{ id: number; version: string; original: string; isSigned: boolean }>(
    `SELECT f.id, v.version, f.original_sha256 AS original, f.signed_sha256 IS NOT NULL AS "isSigned"
     FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id WHERE a.guid = $1
     ORDER BY v.version`,
    [guid],
  );

it('neither serves nor signs a damaged package, lists it for doctor, and signs it once it is imported again', async () => {
  const guid = 'damaged@example';
  const bytes = await xpi({ guid, version: '1.0' });
  await writeFile(join(folder, `${guid}-1.0.xpi`), bytes);
  await importAddon(guid, '1.0');
  const [{ id, original } = { id: 0, original: '' }] = await filesOf(guid);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(blobFile(app.config.DATA_DIR, original), bytes);

  const client = await app.developer();
  const download = async (headers = {}) => (await client.get(`/api/v4/file/${id}/x.xpi`, headers)).status;
  expect([await download({ Range: 'bytes=0-9' }), await download()]).toEqual([404, 404]);
  await signPackagesOf(guid);
  expect(await filesOf(guid)).toMatchObject([{ isSigned: false }]);
  const { currentProblems } = await import('../../../src/domain/maintenance/stored-file-problems.ts');
  expect(await currentProblems()).toEqual([{ sha256: original, problem: 'damaged' }]);

  await importAddon(guid, '1.0');
  expect([await download({ Range: 'bytes=0-9' }), await download()]).toEqual([206, 200]);
  await signPackagesOf(guid);
  expect(await filesOf(guid)).toMatchObject([{ isSigned: true, original }]);
  expect(await currentProblems()).toEqual([]);
});

it('signs the other files of an imported add-on when one cannot carry a signature', async () => {
  const guid = 'partly-signable@example';
  const unsignable = { 'META-INF/addon.sf/x': 'x' };
  await writeFile(join(folder, `${guid}-1.0.xpi`), await xpi({ guid, version: '1.0', files: unsignable }));
  await writeFile(join(folder, `${guid}-2.0.xpi`), await xpi({ guid, version: '2.0' }));
  await importAddon(guid, '1.0', '2.0');
  await signPackagesOf(guid);
  expect(await filesOf(guid)).toMatchObject([
    { version: '1.0', isSigned: false },
    { version: '2.0', isSigned: true },
  ]);
});
