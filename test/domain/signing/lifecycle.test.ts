import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { brokenPackage, legacyExtension, openSearch, xpi } from '../../support/packages.ts';
import {
  APPROVE,
  completeListing,
  flags,
  path,
  REJECT,
  type Status,
  status,
  upload,
  versionId,
} from '../../support/signing-steps.ts';

const app = setUpApp();
afterEach(async () => expect(await app.pendingJobs()).toEqual([]));

let serial = 0;
const newGuid = () => `lifecycle-${++serial}@example`;
describe('an unlisted upload', () => {
  it('is validated, signed and downloadable, with the documented flags at each step', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    const reply = await upload(developer, guid);
    expect(reply.status).toBe(201);
    expect(flags(reply.json as Status)).toEqual({
      processed: false,
      valid: false,
      active: false,
      reviewed: false,
      passed_review: false,
      automated_signing: true,
      signed: [],
    });
    await app.runJobs();
    const done = await status(developer, guid);
    expect(flags(done)).toEqual({
      processed: true,
      valid: true,
      active: true,
      reviewed: true,
      passed_review: true,
      automated_signing: true,
      signed: [true],
    });
    const [file] = done.files;
    const download = await developer.get(file?.download_url ?? '');
    expect(download.status).toBe(200);
    expect(`sha256:${createHash('sha256').update(download.bytes).digest('hex')}`).toBe(file?.hash);
  });

  it('writes an activity row for each step and one signature log entry', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    await upload(developer, guid);
    await app.runJobs();
    const actions = await app.sql<{ action: string }>(
      'SELECT action FROM activity JOIN addon ON addon.id = addon_id WHERE guid = $1 ORDER BY activity.id',
      [guid],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'addon-created',
      'upload-received',
      'validation-started',
      'validation-passed',
      'signing-started',
      'published',
    ]);
    const { verifySignatureLog } = await import('../../../src/domain/signature-log/signature-log.ts');
    expect(await verifySignatureLog()).toMatchObject({ broken: [], problems: [] });
    const log = await app.anonymous.graphql<{ signatureLog: { edges: { node: { guid: string; serial: string } }[] } }>(
      '{ signatureLog(first: 100) { edges { node { guid serial previousHash hash } } } }',
    );
    expect(log.signatureLog.edges.filter(({ node }) => node.guid === guid)).toHaveLength(1);
  });

  it('frees its number when validation fails, and keeps both uploads readable', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    const first = await developer.put(path(guid), { upload: await brokenPackage({ guid, version: '1.0' }) });
    expect(first.status).toBe(201);
    await app.runJobs();
    const failed = await status(developer, guid);
    expect(flags(failed)).toMatchObject({ processed: true, valid: false, active: false, signed: [] });
    expect(failed.validation_results?.messages[0]).toMatchObject({
      file: expect.any(String),
      line: expect.any(Number),
      column: expect.any(Number),
    });
    const second = await upload(developer, guid);
    expect(second.status).toBe(202);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject({ active: true, signed: [true] });
    const { pk } = first.json as Status;
    const older = (await developer.get(`${path(guid)}uploads/${pk}/`)).json as Status;
    expect(older.pk).toBe(pk);
    expect(flags(older)).toMatchObject({ processed: true, valid: false });
  });

  it('may be repeated by POST without an id when all earlier uploads failed', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    await developer.post('/api/v4/addons/', { upload: await brokenPackage({ guid, version: '1.0' }), version: '1.0' });
    await app.runJobs();
    const second = await developer.post('/api/v4/addons/', {
      upload: await xpi({ guid, version: '1.0' }),
      version: '1.0',
    });
    expect(second.status).toBe(202);
    await app.runJobs();
    const third = await developer.post('/api/v4/addons/', {
      upload: await xpi({ guid, version: '2.0' }),
      version: '2.0',
    });
    expectRefusal(third, signingRefusal(400, beginningWith('Duplicate add-on ID found.')));
  });

  it('returns 409 with the latest version for a number that is already signed', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    await upload(developer, guid);
    await upload(developer, guid, '2.0');
    await app.runJobs();
    const reply = await upload(developer, guid);
    expectRefusal(reply, signingRefusal(409, 'Version already exists. Latest version is: 2.0.'));
  });

  it('gets a generated id when neither the manifest nor the address has one', async () => {
    const developer = await app.developer();
    const reply = await developer.post('/api/v4/addons/', {
      upload: await xpi({ guid: null, version: '1.0' }),
      version: '1.0',
    });
    expect(reply.status).toBe(201);
    const { guid } = reply.json as { guid: string };
    expect(guid).toMatch(/^\{[0-9a-f-]{36}\}$/);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject({ active: true, signed: [true] });
  });
});

describe('a listed upload', () => {
  it('requires metadata, waits for review and is signed after approval', async () => {
    const developer = await app.developer();
    const reviewer = await app.reviewer();
    const guid = newGuid();
    await upload(developer, guid);
    await app.runJobs();
    const refused = await upload(developer, guid, '2.0', { channel: 'listed' });
    const missing = beginningWith(
      'You cannot add a listed version to this addon via the API due to missing metadata. Please submit via the website',
    );
    expectRefusal(refused, signingRefusal(400, missing));
    await completeListing(developer, guid);
    expect((await upload(developer, guid, '2.0', { channel: 'listed' })).status).toBe(202);
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toEqual({
      processed: true,
      valid: true,
      active: false,
      reviewed: false,
      passed_review: false,
      automated_signing: false,
      signed: [false],
    });
    const id = await versionId(developer, guid, '2.0');
    expect(await developer.graphql(APPROVE, { id })).toMatchObject({ approveVersion: { code: 'NOT_PERMITTED' } });
    expect(await reviewer.graphql(APPROVE, { id })).toMatchObject({
      approveVersion: { __typename: 'ApproveVersionPayload' },
    });
    expect(await reviewer.graphql(REJECT, { id })).toMatchObject({ rejectVersion: { code: 'BAD_USER_INPUT' } });
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject({ active: true, reviewed: true, signed: [true] });
    expect((await app.sql('SELECT status FROM addon WHERE guid = $1', [guid]))[0]).toEqual({ status: 'public' });
  });

  it('frees its number when rejected, and the next upload stays listed', async () => {
    const developer = await app.developer();
    const reviewer = await app.reviewer();
    const guid = newGuid();
    await upload(developer, guid);
    await app.runJobs();
    await completeListing(developer, guid);
    await upload(developer, guid, '2.0', { channel: 'listed' });
    await app.runJobs();
    const id = await versionId(developer, guid, '2.0');
    expect(await reviewer.graphql(REJECT, { id })).toMatchObject({
      rejectVersion: { __typename: 'RejectVersionPayload' },
    });
    expect(flags(await status(developer, guid, '2.0'))).toEqual({
      processed: true,
      valid: true,
      active: false,
      reviewed: true,
      passed_review: false,
      automated_signing: false,
      signed: [false],
    });
    expect((await upload(developer, guid, '2.0')).status).toBe(202);
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject({ valid: true, automated_signing: false });
    const versions = await reviewer.graphql<{ addon: { versions: { edges: { node: { version: string } }[] } } }>(
      'query($ref: String!) { addon(by: { guid: $ref }) { versions(filter: ALL_WITH_UNLISTED) { edges { node { version channel } } } } }',
      { ref: guid },
    );
    expect(versions.addon.versions.edges.length).toBeGreaterThanOrEqual(2);
  });
});

describe('legacy packages', () => {
  it('skip the linter and get a warning', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    const reply = await developer.put(path(guid), { upload: await legacyExtension({ guid, version: '1.0' }) });
    expect(reply.status).toBe(201);
    await app.runJobs();
    const done = await status(developer, guid);
    expect(flags(done)).toMatchObject({ valid: true, active: true, signed: [true] });
    expect(done.validation_results).toMatchObject({ errors: 0, warnings: 1 });
  });

  it('in OpenSearch format are published without a signature', async () => {
    const developer = await app.developer();
    const guid = newGuid();
    const reply = await developer.put(path(guid), { upload: { bytes: openSearch(), fileName: 'search.xml' } });
    expect(reply.status).toBe(201);
    await app.runJobs();
    expect(flags(await status(developer, guid))).toMatchObject({
      active: true,
      reviewed: true,
      passed_review: true,
      signed: [false],
    });
  });
});

describe('a deleted add-on', () => {
  it('may be uploaded again by its owner only, and its version numbers stay taken', async () => {
    const [developer, stranger] = [await app.developer(), await app.developer()];
    const guid = newGuid();
    await upload(developer, guid);
    await app.runJobs();
    const { addon } = await developer.graphql<{ addon: { id: string } }>(
      'query($ref: String!) { addon(by: { guid: $ref }) { id } }',
      { ref: guid },
    );
    const remove = 'mutation($id: ID!) { deleteAddon(input: {id: $id}) { __typename ... on UserError { code } } }';
    expect(await stranger.graphql(remove, { id: addon.id })).toMatchObject({ deleteAddon: { code: 'NOT_PERMITTED' } });
    expect(await developer.graphql(remove, { id: addon.id })).toMatchObject({
      deleteAddon: { __typename: 'DeleteAddonPayload' },
    });
    const deleted = await developer.get(path(guid));
    expectRefusal(deleted, signingRefusal(404, `Could not find add-on with guid "${guid}".`));
    const taken = await upload(stranger, guid, '2.0');
    expectRefusal(taken, signingRefusal(400, beginningWith('Duplicate add-on ID found.')));
    const repeated = await upload(developer, guid);
    expectRefusal(repeated, signingRefusal(409, 'Version already exists. Latest version is: 1.0.'));
    expect((await upload(developer, guid, '2.0')).status).toBe(202);
    await app.runJobs();
    expect(flags(await status(developer, guid, '2.0'))).toMatchObject({ active: true });
  });
});

describe('a disabled add-on', () => {
  it('accepts no versions until the operator enables it', async () => {
    const [developer, admin] = [await app.developer(), await app.admin()];
    const guid = newGuid();
    await upload(developer, guid);
    await app.runJobs();
    const { addon } = await developer.graphql<{ addon: { id: string } }>(
      'query($ref: String!) { addon(by: { guid: $ref }) { id } }',
      { ref: guid },
    );
    const disable = (disabled: boolean) =>
      `mutation($id: ID!) { setAddonDisabled(input: {id: $id, by: OPERATOR, isDisabled: ${disabled}}) { __typename } }`;
    await admin.graphql(disable(true), { id: addon.id });
    const refused = await upload(developer, guid, '2.0');
    const message = 'You cannot add versions to an addon that has status: Disabled by operator.';
    expectRefusal(refused, signingRefusal(400, message));
    await admin.graphql(disable(false), { id: addon.id });
    expect((await upload(developer, guid, '2.0')).status).toBe(202);
    await app.runJobs();
  });
});
