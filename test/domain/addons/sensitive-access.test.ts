import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requiresSensitiveAccess } from '../../../src/domain/addons/sensitive-access.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';

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

  it('keeps its imported value until the current version changes', async () => {
    const made = await addon({ requiresSensitiveDataAccess: true, versions: [{}, { files: [{ status: 1 }] }] });
    expect(await refresh(made)).toBe(true);
    await app.sql('UPDATE file SET status = 4 WHERE id = $1', [made.versions[1]?.files[0]?.id]);
    expect(await refresh(made)).toBe(false);
  });
});
