import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { globalId } from '../../support/global-ids.ts';
import { xpi } from '../../support/packages.ts';
import { type Status, status, upload as uploadAtOnce } from '../../support/signing-steps.ts';
import {
  listingInput,
  submissionSnapshot,
  submit,
  tryCreateUpload,
  uploadOf,
  validUpload,
  versionRows,
} from '../../support/uploads.ts';

const app = setUpApp();
let developer: Client;
let stranger: Client;
let listing: Record<string, unknown>;
beforeAll(async () => {
  [developer, stranger] = [await app.developer(), await app.developer()];
  listing = await listingInput(app);
});

let serial = 0;
const newGuid = () => `submitted-${++serial}@example`;
const valid = (options: Parameters<typeof xpi>[0], channel?: string, client = developer) =>
  validUpload(app, client, options, channel);
const rows = (guid: string) => versionRows(app, guid);
const snapshot = () => submissionSnapshot(app);

describe('the same submission again', () => {
  it('returns the same version and applies its changes', async () => {
    const guid = newGuid();
    const upload = await valid({ guid });
    const first = await submit(developer, 'submitAddon', { upload });
    await app.runJobs();
    for (const to of [{ guid }, { addon: globalId('Addon', first.addon?.databaseId) }]) {
      const again = await submit(developer, 'submitVersion', { ...to, upload, approvalNotes: 'Again.' });
      expect(again).toMatchObject({
        ...{ isNewAddon: false, isNewVersion: false, upload: { stage: 'SIGNED' } },
        version: { databaseId: first.version?.databaseId, approvalNotes: 'Again.' },
      });
    }
    expect(await submit(developer, 'submitAddon', { upload, slug: `again-${serial}` })).toMatchObject({
      addon: { slug: `again-${serial}` },
    });
    expect(await submit(developer, 'submitAddon', { upload, slug: '1' })).toMatchObject({ path: ['slug'] });
    expect(await rows(guid)).toHaveLength(1);
    expect(await submit(stranger, 'submitVersion', { guid, upload })).toMatchObject({ path: ['upload'] });
  });

  it('does not wait for a signing job, which locks the add-on before the upload', async () => {
    const guid = newGuid();
    const upload = await valid({ guid });
    await submit(developer, 'submitAddon', { upload });
    const { db } = await import('../../../src/infra/db.ts');
    const again = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM upload WHERE pk = ${upload} FOR UPDATE`;
      return submit(developer, 'submitAddon', { upload, slug: `unlocked-${serial}` });
    });
    expect(again).toMatchObject({ isNewVersion: false, addon: { slug: `unlocked-${serial}` } });
    await app.runJobs();
  });

  it('is refused for another add-on', async () => {
    const [one, other] = [newGuid(), newGuid()];
    const unnamed = await valid({ guid: null });
    const { addon } = await submit(developer, 'submitAddon', { upload: await valid({ guid: one }) });
    await submit(developer, 'submitAddon', { upload: await valid({ guid: other }) });
    const first = { addon: globalId('Addon', addon?.databaseId) };
    await app.sql("UPDATE version SET stage = 'error' FROM addon WHERE addon.id = addon_id AND guid = $1", [one]);
    expect(await submit(developer, 'submitVersion', { ...first, upload: unnamed })).toMatchObject({
      isNewVersion: true,
    });
    for (const again of [{ guid: other }, { guid: 'unknown@example' }]) {
      expect(await submit(developer, 'submitVersion', { ...again, upload: unnamed })).toMatchObject({
        fields: [{ name: 'upload', messages: [beginningWith('This upload has already been submitted.')] }],
      });
    }
    expect(await submit(developer, 'submitAddon', { upload: unnamed })).toMatchObject({ path: ['upload'] });
    await app.runJobs();
  });

  it('twice at once makes one version', async () => {
    const guid = newGuid();
    const upload = await valid({ guid });
    const results = await Promise.all([1, 2, 3].map(() => submit(developer, 'submitAddon', { upload })));
    expect(results.map(({ isNewVersion }) => isNewVersion).sort()).toEqual([false, false, true]);
    expect(new Set(results.map(({ version }) => version?.databaseId)).size).toBe(1);
    expect(await rows(guid)).toHaveLength(1);
    await app.runJobs();
  });

  it('is refused when its version was deleted, whose number stays taken, or has failed', async () => {
    const guid = newGuid();
    const upload = await valid({ guid });
    await submit(developer, 'submitAddon', { upload });
    await app.runJobs();
    await app.sql("UPDATE version SET stage = 'error' FROM addon WHERE addon.id = addon_id AND guid = $1", [guid]);
    expect(await submit(developer, 'submitVersion', { guid, upload })).toMatchObject({ path: ['upload'] });
    await app.sql(
      "UPDATE version SET stage = 'signed', deleted_at = now() FROM addon WHERE addon.id = addon_id AND guid = $1",
      [guid],
    );
    expect(await submit(developer, 'submitVersion', { guid, upload })).toMatchObject({ code: 'VERSION_EXISTS' });
  });
});

describe('one number sent at once', () => {
  it('as an upload that is submitted and by PUT is taken once', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid }) });
    await app.runJobs();
    const upload = await valid({ guid, version: '2.0' });
    const [submitted, put] = await Promise.all([
      submit(developer, 'submitVersion', { guid, upload }),
      uploadAtOnce(developer, guid, '2.0'),
    ]);
    const isPut = put.status === 202;
    expect([put.status, submitted.code ?? 'done']).toEqual(isPut ? [202, 'VERSION_EXISTS'] : [409, 'done']);
    expect(await rows(guid)).toHaveLength(2);
    await app.runJobs();
    if (isPut) expect(await uploadOf(developer, upload)).toMatchObject({ stage: 'VALID', isSubmitted: false });
  });
});

describe('a file with changes', () => {
  it('is one transaction', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid }) });
    await app.runJobs();
    const { sendFile } = await import('../../support/send-file.ts');
    const send = async (input: object) =>
      sendFile(
        developer,
        `mutation($input: SubmitVersionInput!) { result: submitVersion(input: $input) { __typename
          ... on UserError { message path } ... on SubmitVersionPayload { version { version } } } }`,
        input,
        await xpi({ guid, version: '3.0' }),
        { fileName: 'a.xpi' },
      );
    const before = await snapshot();
    const listed = { guid, version: '3.0', channel: 'LISTED' };
    expect(await send({ ...listed, slug: '1' })).toMatchObject({ path: ['slug'] });
    expect(await send({ ...listed, tags: ['clock'] })).toMatchObject({
      message: expect.stringMatching(/missing metadata/),
    });
    expect(await send({ guid, version: '4.0' })).toMatchObject({ __typename: 'PackageError' });
    expect(await snapshot()).toEqual(before);
    const [row] = await app.sql('SELECT id FROM addon WHERE guid = $1', [guid]);
    const { guid: _guid, ...others } = listed;
    expect(await send({ ...others, addon: globalId('Addon', 2 ** 31 - 1) })).toMatchObject({ message: 'Not found.' });
    expect(await send({ ...others, addon: globalId('Addon', row?.id), ...listing })).toMatchObject({
      version: { version: '3.0' },
    });
    await app.runJobs();
    expect((await rows(guid))[1]).toMatchObject({ stage: 'awaiting_review', status: 'nominated' });
    expect(((await status(developer, guid, '3.0')) as Status).valid).toBe(true);
  });
});

describe('uploadChanged', () => {
  afterEach(() => app.runJobs());

  it('follows an upload across its submission until it is signed', async () => {
    const { openEventStream } = await import('../../graphql/sse-reader.ts');
    const { upload } = await tryCreateUpload(developer, await xpi({ guid: newGuid() }));
    const { pk } = upload as { pk: string };
    const stream = await openEventStream(
      app.url,
      'subscription($id: ID!) { uploadChanged(id: $id) { stage isSubmitted } }',
      { id: globalId('Upload', pk) },
    );
    const next = async () => ((await stream.next()) as { data: { uploadChanged: object } } | null)?.data.uploadChanged;
    expect(await next()).toEqual({ stage: 'RECEIVED', isSubmitted: false });
    await app.runJobs();
    expect(await next()).toEqual({ stage: 'VALIDATING', isSubmitted: false });
    expect(await next()).toEqual({ stage: 'VALID', isSubmitted: false });
    await submit(developer, 'submitAddon', { upload: pk });
    expect(await next()).toEqual({ stage: 'SIGNING', isSubmitted: true });
    await app.runJobs();
    expect(await next()).toEqual({ stage: 'SIGNED', isSubmitted: true });
    expect(await next()).toBeUndefined();
    stream.close();
  });
});

describe('the status of a version number', () => {
  it('is that of the version that was submitted last, even if its package was uploaded first', async () => {
    const guid = newGuid();
    const waiting = await valid({ guid });
    await uploadAtOnce(developer, guid);
    await app.runJobs();
    await app.sql("UPDATE version SET stage = 'invalid' FROM addon WHERE addon.id = addon_id AND guid = $1", [guid]);
    expect(await status(developer, guid)).toMatchObject({ valid: false });
    expect(await submit(developer, 'submitVersion', { guid, upload: waiting })).toMatchObject({ isNewVersion: true });
    await app.runJobs();
    expect(await status(developer, guid)).toMatchObject({ pk: waiting, valid: true, active: true });
  });
});
