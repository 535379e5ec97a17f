import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { mutate } from '../../support/mutate.ts';
import { changeDuringSigning, flags, status, upload } from '../../support/signing-steps.ts';
import { uploadOf } from '../../support/uploads.ts';

const app = setUpApp();
let admin: Client;
let developer: Client;
let reconcileJobs: () => Promise<number>;
beforeAll(async () => {
  [admin, developer] = [await app.admin(), await app.developer()];
  ({ reconcileJobs } = await import('../../../src/domain/signing/reconcile-jobs.ts'));
});

async function rowsOf(guid: string): Promise<{ addonId: number; versionId: number; pk: string }> {
  const [row] = await app.sql<{ addonId: number; versionId: number; pk: string }>(
    `SELECT a.id AS "addonId", v.id AS "versionId", u.pk FROM addon a JOIN version v ON v.addon_id = a.id
     JOIN upload u ON u.version_id = v.id WHERE a.guid = $1 ORDER BY v.id LIMIT 1`,
    [guid],
  );
  if (row === undefined) throw new Error(`there is no upload of ${guid}`);
  return row;
}

const OF_ADDON = 'The add-on is deleted. Only the operator can restore this version.';
const OF_VERSION = 'The version is deleted. Its number stays taken: upload the package with another number.';

describe('an upload whose add-on is deleted', () => {
  it('names what restores it, and is signed once it is restored', async () => {
    const guid = 'deleted-and-restored@example';
    await upload(developer, guid);
    const { addonId, pk } = await rowsOf(guid);
    await changeDuringSigning(app, () => mutate(developer, 'deleteAddon', { id: addonId }));
    expect(await uploadOf(developer, pk)).toMatchObject({
      stage: 'SIGNING',
      reason: 'The add-on is deleted.',
      nextStep: OF_ADDON,
    });
    expect(await mutate(admin, 'reviveAddon', { id: addonId })).toMatchObject({ __typename: 'ReviveAddonPayload' });
    expect(await uploadOf(developer, pk)).toMatchObject({
      reason: null,
      nextStep: expect.stringMatching(/being signed/),
    });
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(await uploadOf(developer, pk)).toMatchObject({
      stage: 'SIGNED',
      nextStep: 'The signed file can be downloaded.',
    });
  });

  it('stays deleted when another version restores the add-on', async () => {
    const guid = 'deleted-and-uploaded-again@example';
    await upload(developer, guid);
    await app.runJobs();
    const { addonId, pk } = await rowsOf(guid);
    await mutate(developer, 'deleteAddon', { id: addonId });
    expect(await uploadOf(developer, pk)).toMatchObject({ stage: 'SIGNED', nextStep: OF_ADDON });
    await upload(developer, guid, '2.0');
    await app.runJobs();
    expect(await uploadOf(developer, pk)).toMatchObject({ stage: 'SIGNED', nextStep: OF_VERSION });
    expect(flags(await status(developer, guid))).toMatchObject({ active: false, passed_review: true });
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject({ active: true });
  });

  it('can be sent again after it failed', async () => {
    const guid = 'deleted-after-failure@example';
    await upload(developer, guid);
    await app.runJobs();
    const { addonId, versionId, pk } = await rowsOf(guid);
    await app.sql("UPDATE version SET stage = 'invalid' WHERE id = $1", [versionId]);
    await mutate(developer, 'deleteAddon', { id: addonId });
    const nextStep = 'Fix the errors in the validation messages and upload the same version number again.';
    expect(await uploadOf(developer, pk)).toMatchObject({ stage: 'INVALID', nextStep });
    expect((await upload(developer, guid)).status).toBe(202);
  });
});

describe('an upload whose version is deleted', () => {
  it('is not active, and its file is not downloaded', async () => {
    const guid = 'deleted-version@example';
    await upload(developer, guid);
    await app.runJobs();
    const { versionId, pk } = await rowsOf(guid);
    const before = await status(developer, guid);
    expect(flags(before)).toMatchObject({ active: true, signed: [true] });
    await mutate(developer, 'deleteVersion', { id: versionId });
    expect(flags(await status(developer, guid))).toMatchObject({ active: false, reviewed: true });
    expect(await uploadOf(developer, pk)).toMatchObject({ stage: 'SIGNED', nextStep: OF_VERSION });
    expect((await developer.get(new URL(before.files[0]?.download_url ?? '').pathname)).status).toBe(404);
    expect((await upload(developer, guid)).status).toBe(409);
  });
});
