import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { importLines } from '../../support/catalogue/lines.ts';
import type { Client } from '../../support/client.ts';
import { xpi } from '../../support/packages.ts';
import { APPROVE, REJECT } from '../../support/signing-steps.ts';

const app = setUpApp();
let reviewer: Client;
let folder: string;
beforeAll(async () => {
  reviewer = await app.reviewer();
  folder = await mkdtemp(join(tmpdir(), 'imported-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Imports an add-on whose only version waits for review. Returns the version's global id. */
async function importWaitingVersion(guid: string, file: Record<string, unknown>): Promise<string> {
  const addon = {
    kind: 'addon',
    guid,
    slug: guid.split('@')[0],
    type: 'extension',
    status: 'nominated',
    name: { 'en-US': guid },
    default_locale: 'en-US',
    versions: [{ channel: 'listed', version: '1.0', files: [{ status: 1, is_webextension: true, ...file }] }],
  };
  expect((await importLines([addon], { baseFolder: folder })).imported.addon).toBe(1);
  const { addon: found } = await reviewer.graphql<{ addon: { versions: { edges: { node: { id: string } }[] } } }>(
    'query($guid: String!) { addon(by: { guid: $guid }) { versions(filter: ALL_WITH_UNLISTED) { edges { node { id } } } } }',
    { guid },
  );
  return found.versions.edges[0]?.node.id ?? '';
}

async function stages(guid: string) {
  return app.sql('SELECT stage FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1', [guid]);
}

describe('an imported version in review', () => {
  it('is signed when it is approved', async () => {
    await writeFile(join(folder, 'clock.xpi'), await xpi({ guid: 'clock@example', version: '1.0' }));
    const id = await importWaitingVersion('clock@example', { path: 'clock.xpi' });
    const { approveVersion } = await reviewer.graphql<{ approveVersion: object }>(APPROVE, { id });
    expect(approveVersion).toMatchObject({ __typename: 'ApproveVersionPayload' });
    await app.runJobs();
    expect(await stages('clock@example')).toEqual([{ stage: 'signed' }]);
    const { current_version: current } = (await app.anonymous.get('/api/v4/addons/addon/clock@example/')).json as {
      current_version: { files: { url: string; status: string }[] };
    };
    expect((await app.anonymous.get(current.files[0]?.url ?? '')).status).toBe(200);
  });

  it('can be rejected but not approved without its package', async () => {
    const id = await importWaitingVersion('without-package@example', { hash: `sha256:${'0'.repeat(64)}`, size: 5 });
    const { approveVersion } = await reviewer.graphql<{ approveVersion: object }>(APPROVE, { id });
    expect(approveVersion).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'The package of this version is missing: it was imported without it.',
    });
    expect(await stages('without-package@example')).toEqual([{ stage: 'awaiting_review' }]);
    const { rejectVersion } = await reviewer.graphql<{ rejectVersion: object }>(REJECT, { id });
    expect(rejectVersion).toMatchObject({ __typename: 'RejectVersionPayload' });
    expect(await stages('without-package@example')).toEqual([{ stage: 'rejected' }]);
  });
});
