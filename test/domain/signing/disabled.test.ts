import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { openSearch } from '../../support/packages.ts';
import {
  APPROVE,
  changeDuringSigning,
  completeListing,
  flags,
  path,
  status,
  upload,
  versionId,
} from '../../support/signing-steps.ts';

const app = setUpApp();
let admin: Client;
let reconcileJobs: () => Promise<number>;
beforeAll(async () => {
  admin = await app.admin();
  ({ reconcileJobs } = await import('../../../src/domain/signing/reconcile-jobs.ts'));
});

const UNSIGNED = {
  processed: true,
  valid: true,
  active: false,
  reviewed: false,
  passed_review: false,
  signed: [false],
};
const SIGNED = { active: true, reviewed: true, passed_review: true, signed: [true] };

async function setAddonDisabled(guid: string, disabled: boolean): Promise<void> {
  const [addon] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [guid]);
  const id = Buffer.from(`Addon:${addon?.id}`).toString('base64');
  await admin.graphql(
    'mutation($id: ID!, $disabled: Boolean!) { setAddonDisabled(input: {id: $id, by: OPERATOR, isDisabled: $disabled}) { __typename } }',
    { id, disabled },
  );
}

async function setAccountDisabled({ accountId }: Client, disabled: boolean): Promise<void> {
  await app.sql('UPDATE account SET disabled_at = CASE WHEN $2::bool THEN now() END WHERE id = $1', [
    accountId,
    disabled,
  ]);
}

async function progress(guid: string, version = '1.0') {
  const { upload: found } = await admin.graphql<{ upload: { stage: string; reason: string | null; nextStep: string } }>(
    'query($guid: String!, $version: String!) { upload(by: { addonVersion: { guid: $guid, version: $version } }) { stage reason nextStep } }',
    { guid, version },
  );
  return found;
}

const certificates = async (guid: string) =>
  (await app.sql('SELECT FROM signing_certificate WHERE guid = $1', [guid])).length;

describe('an upload whose add-on the operator disabled', () => {
  it('is not published if its type has no signature', async () => {
    const developer = await app.developer();
    const guid = 'disabled-search@example';
    await developer.put(path(guid), { upload: { bytes: openSearch(), fileName: 'search.xml' } });
    await setAddonDisabled(guid, true);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject(UNSIGNED);
    await setAddonDisabled(guid, false);
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject({ ...SIGNED, signed: [false] });
  });

  it('is not signed after approval until the add-on is enabled', async () => {
    const developer = await app.developer();
    const guid = 'disabled-listed@example';
    await upload(developer, guid);
    await app.runJobs();
    await completeListing(developer, guid);
    await upload(developer, guid, '2.0', { channel: 'listed' });
    await app.runJobs();
    const id = await versionId(developer, guid, '2.0');
    await setAddonDisabled(guid, true);
    expect(await (await app.reviewer()).graphql(APPROVE, { id })).toMatchObject({
      approveVersion: { __typename: 'ApproveVersionPayload' },
    });
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject(UNSIGNED);
    expect(await certificates(guid)).toBe(1);
    await setAddonDisabled(guid, false);
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject(SIGNED);
  });
});

describe.each([
  [
    'add-on',
    'The operator disabled the add-on.',
    (guid: string, _: Client, disabled: boolean) => setAddonDisabled(guid, disabled),
  ],
  [
    'account',
    'The account that uploaded it is disabled.',
    (_: string, account: Client, disabled: boolean) => setAccountDisabled(account, disabled),
  ],
])('an upload whose %s is disabled', (what, reason, setDisabled) => {
  it('before validation is validated but not signed until it is enabled, and reports the reason', async () => {
    const developer = await app.developer();
    const guid = `${what}-disabled@example`;
    await upload(developer, guid);
    await setDisabled(guid, developer, true);
    await app.runJobs();
    expect(await certificates(guid)).toBe(0);
    expect(await progress(guid)).toEqual({
      stage: 'VALID',
      reason,
      nextStep: 'Signing continues when the operator enables the add-on or the account again.',
    });
    expect(await reconcileJobs()).toBe(0);
    await setDisabled(guid, developer, false);
    expect(flags(await status(developer, guid))).toMatchObject(UNSIGNED);
    expect(await progress(guid)).toMatchObject({ stage: 'VALID', reason: null });
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject(SIGNED);
  });

  it('during signing is not published until it is enabled', async () => {
    const developer = await app.developer();
    const guid = `${what}-disabled-while-signing@example`;
    await upload(developer, guid);
    await changeDuringSigning(app, () => setDisabled(guid, developer, true));
    expect(await progress(guid)).toMatchObject({ stage: 'SIGNING', reason });
    expect(await app.sql('SELECT FROM file WHERE signed_sha256 IS NOT NULL AND name LIKE $1', [`${what}%`])).toEqual(
      [],
    );
    expect(await reconcileJobs()).toBe(0);
    await setDisabled(guid, developer, false);
    expect(flags(await status(developer, guid))).toMatchObject(UNSIGNED);
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject(SIGNED);
  });
});
