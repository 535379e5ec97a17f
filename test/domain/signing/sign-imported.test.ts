import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { importLines } from '../../support/catalogue/lines.ts';
import { xpi } from '../../support/packages.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'sign-imported-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await app.close();
});

it('signs the other files of an imported add-on when one cannot carry a signature', async () => {
  const guid = 'partly-signable@example';
  const unsignable = { 'META-INF/addon.sf/x': 'x' };
  await writeFile(join(folder, '1.0.xpi'), await xpi({ guid, version: '1.0', files: unsignable }));
  await writeFile(join(folder, '2.0.xpi'), await xpi({ guid, version: '2.0' }));
  const versions = ['1.0', '2.0'].map((version) => ({
    channel: 'listed',
    version,
    files: [{ status: 4, is_webextension: true, path: `${version}.xpi` }],
  }));
  const line = { kind: 'addon', guid, slug: 'partly-signable', type: 'extension', default_locale: 'en-US', versions };
  await importLines([{ ...line, status: 'public', name: { 'en-US': 'Clock' } }], { baseFolder: folder });
  const { addonsToSign, queueImportedSigning } = await import('../../../src/domain/signing/sign-imported.ts');
  await queueImportedSigning(await addonsToSign([guid]));
  await app.runJobs();
  expect(await app.pendingJobs()).toEqual([]);
  expect(
    await app.sql(
      `SELECT v.version, f.signed_sha256 IS NOT NULL AS "isSigned" FROM version v JOIN file f ON f.version_id = v.id
       ORDER BY v.version`,
    ),
  ).toEqual([
    { version: '1.0', isSigned: false },
    { version: '2.0', isSigned: true },
  ]);
});
