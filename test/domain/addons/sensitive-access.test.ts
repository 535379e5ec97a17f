import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requiresSensitiveAccess } from '../../../src/domain/addons/addon-status.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { xpi } from '../../support/packages.ts';
import { APPROVE, completeListing, path, upload, versionId } from '../../support/signing-steps.ts';

describe('requiresSensitiveAccess', () => {
  it.each([
    'tabs',
    'webRequest',
    'nativeMessaging',
    '<all_urls>',
    '*://*/*',
    'https://*/*',
    'http://*/',
    '*://*:8080/*',
    'wss://*/socket',
  ])('is true with %s', (permission) => {
    expect(requiresSensitiveAccess(['storage', permission])).toBe(true);
  });

  it.each([
    'storage',
    'activeTab',
    'theme',
    'https://*.example.org/*',
    'https://example.org/*',
    'file:///*',
    'Tabs',
    '*',
  ])('is false with %s', (permission) => {
    expect(requiresSensitiveAccess([permission])).toBe(false);
  });
});

describe('requires_sensitive_data_access', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** Recomputes status and document as a change of a version does. Returns `requires_sensitive_data_access`. */
  async function refresh({ id }: MadeAddon): Promise<unknown> {
    const { db } = await import('../../../src/infra/db.ts');
    const { refreshAddonStatus } = await import('../../../src/domain/addons/addon-status.ts');
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    await db.$transaction(async (tx) => {
      await refreshAddonStatus(tx, id);
      await publishAddons(tx, [id]);
    });
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${id}/`);
    return (json as Record<string, unknown>).requires_sensitive_data_access;
  }

  it('follows the permissions of the current version', async () => {
    const made = await addon({
      versions: [{ files: [{ permissions: ['tabs'] }] }, { files: [{ permissions: ['storage'], status: 1 }] }],
      currentVersionId: null,
    });
    await app.sql('UPDATE addon SET current_version_id = NULL WHERE id = $1', [made.id]);
    expect(await refresh(made)).toBe(true);
    await app.sql('UPDATE file SET status = 4 WHERE id = $1', [made.versions[1]?.files[0]?.id]);
    expect(await refresh(made)).toBe(false);
  });

  it('follows the packages of uploads that reviewers approve', async () => {
    const [developer, reviewer] = [await app.developer(), await app.reviewer()];
    const guid = 'sensitive@example.org';
    const flag = async () => {
      const { json } = await developer.get(`/api/v4/addons/addon/${guid}/`);
      return (json as Record<string, unknown>).requires_sensitive_data_access;
    };
    const publish = async (version: string, permissions: string[]) => {
      const file = await xpi({ guid, version, manifest: { permissions } });
      expect((await developer.put(path(guid, version), { upload: file, channel: 'listed' })).status).toBe(202);
      await app.runJobs();
      const decision = await reviewer.graphql(APPROVE, { id: await versionId(developer, guid, version) });
      expect(decision).toMatchObject({ approveVersion: { __typename: 'ApproveVersionPayload' } });
      await app.runJobs();
    };
    await upload(developer, guid);
    await app.runJobs();
    await completeListing(developer, guid);
    await publish('1.1', ['storage']);
    expect(await flag()).toBe(false);
    await publish('1.2', ['tabs']);
    expect(await flag()).toBe(true);
    await publish('1.3', ['https://example.org/*']);
    expect(await flag()).toBe(false);
  });

  it('keeps its imported value until the current version changes', async () => {
    const made = await addon({ requiresSensitiveDataAccess: true, versions: [{}, { files: [{ status: 1 }] }] });
    expect(await refresh(made)).toBe(true);
    await app.sql('UPDATE file SET status = 4 WHERE id = $1', [made.versions[1]?.files[0]?.id]);
    expect(await refresh(made)).toBe(false);
  });
});
