import { writeFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { xpi } from '../../support/packages.ts';
import { APPROVE, completeListing, path, upload, versionId } from '../../support/signing-steps.ts';

const GUID = 'replaced@example';
const REASON = { code: 'package.replaced', params: {} };

const app = setUpApp();

it('signs nothing when the package of a waiting version was replaced in the store by another one of the same version', async () => {
  const { log } = await import('../../../src/infra/log.ts');
  const alert = vi.spyOn(log, 'alert');
  const [author, reviewer] = [await app.developer(), await app.reviewer()];
  await upload(author, GUID);
  await app.runJobs();
  await completeListing(author, GUID);
  await upload(author, GUID, '2.0', { channel: 'listed' });
  await app.runJobs();
  const id = await versionId(author, GUID, '2.0');
  const [stored] = await app.sql<{ sha256: string; stage: string }>(
    `SELECT f.original_sha256 AS sha256, v.stage FROM version v JOIN file f ON f.version_id = v.id WHERE v.version = '2.0'`,
  );
  expect(stored?.stage).toBe('awaiting_review');
  const sha256 = stored?.sha256 ?? '';
  const other = await xpi({
    guid: GUID,
    version: '2.0',
    files: { 'background.js': 'fetch("https://evil.example");\n' },
  });
  await writeFile(blobFile(app.config.DATA_DIR, sha256), other);

  await reviewer.graphql(APPROVE, { id });
  await app.runJobs();

  expect(
    await app.sql(
      `SELECT v.stage, v.reason_message AS reason, f.signed_sha256 AS signed, f.certificate_serial AS serial
       FROM version v JOIN file f ON f.version_id = v.id WHERE v.version = '2.0'`,
    ),
  ).toEqual([{ stage: 'error', reason: REASON, signed: null, serial: null }]);
  expect(await app.sql(`SELECT version FROM signing_certificate`)).toEqual([{ version: '1.0' }]);
  expect((await author.get(path(GUID, '2.0'))).json).toMatchObject({ processed: true, valid: false, active: false });
  expect(alert).toHaveBeenCalledExactlyOnceWith({ sha256, problem: 'damaged' }, 'A stored file is lost or damaged.');

  const { currentProblems } = await import('../../../src/domain/maintenance/stored-file-problems.ts');
  expect(await currentProblems()).toEqual([{ sha256, problem: 'damaged' }]);
  // The upload of the same bytes puts the file back.
  expect((await upload(author, GUID, '2.0', { channel: 'listed' })).status).toBe(202);
  expect(await currentProblems()).toEqual([]);
  await app.runJobs();
  await reviewer.graphql(APPROVE, { id: await versionId(author, GUID, '2.0') });
  await app.runJobs();
  expect((await author.get(path(GUID, '2.0'))).json).toMatchObject({ valid: true, active: true });
  // The signature log names the hash of the bytes that were signed.
  expect(await app.sql('SELECT input_sha256 AS input FROM signing_certificate ORDER BY id DESC LIMIT 1')).toEqual([
    { input: sha256 },
  ]);
});
