/* Imported versions keep the limits of their packages, which developers cannot widen afterwards. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { importLines } from '../../support/catalogue/lines.ts';
import type { Client } from '../../support/client.ts';
import { xpi } from '../../support/packages.ts';
import { patchJson } from '../../support/submission.ts';

const app = setUpApp();
let folder: string;
let owner: Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imported-limits-'));
  owner = await app.developer();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const REFUSED = {
  compatibility: [
    'Can not override compatibility information set in the manifest for this application (desktop_browser)',
  ],
};

async function importVersion(guid: string, hasPackage: boolean): Promise<void> {
  const [author] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [owner.accountId]);
  const file = { status: 4, is_webextension: true, ...(hasPackage ? { path: `${guid}.xpi` } : {}) };
  const version = {
    ...{ version: '1.0', channel: 'listed', compatibility: { desktop_browser: { min: '58.0', max: '60.*' } } },
    files: [{ ...file, hash: hasPackage ? null : `sha256:${'ab'.repeat(32)}` }],
  };
  const line = { kind: 'addon', guid, slug: guid.replace('@', '-'), type: 'extension', default_locale: 'en-US' };
  const authors = [{ username: author?.username, role: 'owner', listed: true }];
  const lines = [{ ...line, authors, versions: [version], status: 'public', name: { 'en-US': 'Clock' } }];
  await importLines(lines, { baseFolder: folder });
}

async function widen(guid: string) {
  const [row] = await app.sql<{ id: number }>(
    'SELECT v.id FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1',
    [guid],
  );
  return patchJson(owner, `${guid}/versions/${row?.id}/`, { compatibility: { firefox: { min: '58.0', max: '*' } } });
}

it('an import with the package sets the limits of its manifest, and one without it keeps them', async () => {
  const guid = 'limited@import';
  const gecko = { id: guid, strict_min_version: '58.0', strict_max_version: '60.*' };
  const manifest = { browser_specific_settings: { gecko } };
  await writeFile(join(folder, `${guid}.xpi`), await xpi({ guid, version: '1.0', manifest }));

  await importVersion(guid, false);
  expect((await widen(guid)).status).toBe(200);
  await importVersion(guid, true);
  expect(await widen(guid)).toMatchObject({ status: 400, json: REFUSED });
  await importVersion(guid, false);
  expect(await widen(guid)).toMatchObject({ status: 400, json: REFUSED });
});
