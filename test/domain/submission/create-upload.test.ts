import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { hostileUploads } from '../../support/hostile-archives.ts';
import { brokenPackage, openSearch, xpi } from '../../support/packages.ts';
import { createUpload, submit, tryCreateUpload, uploadOf, validUpload } from '../../support/uploads.ts';

const app = setUpApp({ settings: { RESERVED_NAMES: ['Acme'] } });
let developer: Client;
beforeAll(async () => {
  developer = await app.developer();
});

const counts = async () =>
  (await app.sql('SELECT (SELECT count(*) FROM addon) AS addons, (SELECT count(*) FROM version) AS versions'))[0];
const waiting = async ({ accountId }: Client) =>
  (await app.sql<{ pk: string }>('SELECT pk FROM upload WHERE account_id = $1 ORDER BY id', [accountId])).map(
    ({ pk }) => pk,
  );

describe('createUpload', () => {
  it('validates a package without making an add-on or a version', async () => {
    const before = await counts();
    const upload = await createUpload(developer, { guid: 'waits@example', version: '1.2' });
    expect(upload).toMatchObject({
      ...{ guid: 'waits@example', version: '1.2', channel: 'UNLISTED', stage: 'RECEIVED', isSubmitted: false },
      ...{ validation: null, versionId: null, reason: null },
      pk: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const days = (Date.parse(upload.expires ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await app.runJobs();
    expect(await uploadOf(developer, upload.pk)).toMatchObject({
      ...{ stage: 'VALID', validation: { errors: 0 }, isSubmitted: false, versionId: null },
      nextStep: 'The package is valid. Submit it as a version of an add-on.',
    });
    expect(await counts()).toEqual(before);
    const log = await app.sql("SELECT action FROM activity WHERE details->>'upload' IS NOT NULL ORDER BY id");
    expect(log.map(({ action }) => action)).toEqual(['upload-received', 'validation-started', 'validation-passed']);
  });

  it('shows an upload to everyone who has its id, and its page names it', async () => {
    const pk = await validUpload(app, developer, { guid: null });
    expect(await uploadOf(app.anonymous, pk)).toMatchObject({ guid: null, stage: 'VALID', files: [] });
    const page = await app.anonymous.get(`/validation/${pk}`);
    expect([page.status, page.headers.refresh]).toEqual([200, undefined]);
    expect(page.text).toContain('Validation of a package without an id');
    const node = 'query($id: ID!) { node(id: $id) { ... on Upload { id stage } } }';
    const id = Buffer.from(`Upload:${pk}`).toString('base64');
    expect(await app.anonymous.graphql(node, { id })).toEqual({ node: { id, stage: 'VALID' } });
    expect(await developer.graphql('{ viewer { uploads(first: 1) { nodes { id } } } }')).toEqual({
      viewer: { uploads: { nodes: [{ id }] } },
    });
  });

  it('validates for the channel that it is sent with', async () => {
    const manifest = { browser_specific_settings: { gecko: { id: 'own@example', update_url: 'https://a.example/u' } } };
    const options = { guid: null, manifest };
    const [unlisted, listed] = [
      await createUpload(developer, options),
      await createUpload(developer, options, 'LISTED'),
    ];
    await app.runJobs();
    expect(await uploadOf(developer, unlisted.pk)).toMatchObject({ channel: 'UNLISTED', stage: 'VALID' });
    expect(await uploadOf(developer, listed.pk)).toMatchObject({
      ...{ channel: 'LISTED', stage: 'INVALID', reason: 'Validation found 1 error.' },
      nextStep: 'Fix the errors in the validation messages and upload the package again.',
    });
  });

  it('keeps the number of an invalid upload free, and refuses its submission', async () => {
    const { upload } = await tryCreateUpload(developer, await brokenPackage({ guid: 'broken@example' }));
    const { pk } = upload as { pk: string };
    expect(await submit(developer, 'submitVersion', { guid: 'broken@example', upload: pk })).toMatchObject({
      code: 'BAD_USER_INPUT',
      path: ['upload'],
    });
    await app.runJobs();
    expect(await uploadOf(developer, pk)).toMatchObject({ stage: 'INVALID', isSubmitted: false });
    expect(await submit(developer, 'submitVersion', { guid: 'broken@example', upload: pk })).toMatchObject({
      message: beginningWith('Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).'),
      path: ['upload'],
    });
    expect((await app.sql("SELECT FROM addon WHERE guid = 'broken@example'")).length).toBe(0);
  });

  it.each([
    [
      'another file name',
      xpi,
      'package.xml',
      'Unsupported file type, please upload a file that ends in .xpi, .zip or .crx.',
    ],
    ['no name', xpi, '', 'Unsupported file type, please upload a file that ends in .xpi, .zip or .crx.'],
    [
      'an OpenSearch description',
      async () => Buffer.from(openSearch()),
      'package.xpi',
      'Could not parse the manifest file.',
    ],
    ['a reserved name', () => xpi({ name: 'Acme Tools' }), 'a.xpi', /Acme/],
    [
      'an experiment',
      () => xpi({ manifest: { experiment_apis: {} } }),
      'a.xpi',
      'You cannot submit this type of add-on',
    ],
  ])('refuses %s and stores nothing', async (_title, make, fileName, message) => {
    const before = await waiting(developer);
    const refusal = await tryCreateUpload(developer, await make(), 'UNLISTED', fileName);
    expect(refusal).toMatchObject({ code: expect.stringMatching(/^(INVALID_PACKAGE|BAD_USER_INPUT)$/) });
    expect(refusal.message).toMatch(message);
    expect(await waiting(developer)).toEqual(before);
  });

  it('refuses every hostile archive with a package error', async () => {
    const sender = await app.developer();
    for (const { name, bytes, text } of hostileUploads()) {
      const refusal = await tryCreateUpload(sender, bytes);
      expect(refusal, name).toMatchObject({ code: 'INVALID_PACKAGE' });
      expect(refusal).toHaveProperty('message', expect.stringContaining(text));
    }
    expect(await waiting(sender)).toEqual([]);
  });

  it('refuses anonymous viewers', async () => {
    await expect(createUpload(app.anonymous)).rejects.toThrow('NOT_AUTHENTICATED');
  });
});

describe('uploads that are not submitted', () => {
  /** Inserts rows like the newest upload, each with a package of `bytes`. */
  const insert = (client: Client, count: number, bytes: number, expires: string) =>
    app.sql(
      `INSERT INTO upload (pk, account_id, file_name, channel, stage, sha256, size, manifest, expires)
       SELECT md5(random()::text || n), $1, 'a.xpi', 'unlisted', 'valid', md5(n::text) || md5('x'), $3, '{}', now() + $4::interval
       FROM generate_series(1, $2::int) n`,
      [client.accountId, count, bytes, expires],
    );

  it('are at most 20 of an account: the oldest one is removed', async () => {
    const sender = await app.developer();
    await insert(sender, 20, 10, '1 day');
    const before = await waiting(sender);
    const { pk } = await createUpload(sender);
    expect(await waiting(sender)).toEqual([...before.slice(1), pk]);
    expect(await uploadOf(sender, before[0] ?? '')).toBeNull();
    await app.runJobs();
    expect(await submit(sender, 'submitAddon', { upload: before[0] })).toMatchObject({ path: ['upload'] });
  });

  it('leave nothing but the newest 20 of 10,000, and take no number', async () => {
    const sender = await app.developer();
    const before = await counts();
    await insert(sender, 9_999, 10, '1 day');
    const { pk } = await createUpload(sender, { guid: 'abandoned@example', version: '1.0' });
    const left = await waiting(sender);
    expect([left.length, left.at(-1)]).toEqual([20, pk]);
    await app.runJobs();
    expect(await counts()).toEqual(before);
    const other = await app.developer();
    const upload = await validUpload(app, other, { guid: 'abandoned@example', version: '1.0' });
    expect(await submit(other, 'submitAddon', { upload })).toMatchObject({ __typename: 'SubmitAddonPayload' });
    await app.runJobs();
  });

  it('have at most 1 GB of an account together', async () => {
    const sender = await app.developer();
    await insert(sender, 6, 200_000_000, '1 day');
    const before = await waiting(sender);
    const { pk } = await createUpload(sender);
    expect(await waiting(sender)).toEqual([...before.slice(1), pk]);
  });

  it('stay while a submission has locked them', async () => {
    const sender = await app.developer();
    await insert(sender, 20, 10, '-1 day');
    const before = await waiting(sender);
    const { db } = await import('../../../src/infra/db.ts');
    const { removeExpiredUploads } = await import('../../../src/domain/uploads/remove-uploads.ts');
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM upload WHERE pk = ${before[0]} FOR UPDATE`;
      const { pk } = await createUpload(sender);
      expect(await waiting(sender)).toEqual([...before, pk]);
      expect(await removeExpiredUploads()).toBe(19);
      expect(await waiting(sender)).toEqual([before[0], pk]);
    });
    expect(await removeExpiredUploads()).toBe(1);
  });

  it('are removed with their packages when they expire, 10,000 of them in one run', async () => {
    const { removeExpiredUploads } = await import('../../../src/domain/uploads/remove-uploads.ts');
    const { collectBlobs } = await import('../../../src/domain/maintenance/collect-blobs.ts');
    const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
    const sender = await app.developer();
    const { pk } = await createUpload(sender);
    const [row] = await app.sql<{ sha256: string }>('SELECT sha256 FROM upload WHERE pk = $1', [pk]);
    const sha256 = row?.sha256 ?? '';
    await collectBlobs({ graceMs: 0 });
    expect(await blobs.size(sha256)).toBeGreaterThan(0);
    await insert(sender, 10_000, 10, '-1 second');
    await app.sql("UPDATE upload SET expires = now() - interval '1 second' WHERE pk = $1", [pk]);
    expect(await submit(sender, 'submitAddon', { upload: pk })).toMatchObject({ path: ['upload'] });
    expect(await removeExpiredUploads()).toBe(10_001);
    expect(await waiting(sender)).toEqual([]);
    await app.runJobs();
    await app.sql('DELETE FROM upload WHERE sha256 = $1', [sha256]);
    await collectBlobs({ graceMs: 0 });
    expect(await blobs.size(sha256)).toBeNull();
  });

  it('are deleted with their account', async () => {
    const sender = await app.developer();
    await createUpload(sender);
    expect((await sender.request('DELETE', `/api/v4/accounts/account/${sender.accountId}/`)).status).toBe(204);
    expect(await waiting(sender)).toEqual([]);
    await app.runJobs();
  });

  it('get a job again when theirs was lost', async () => {
    const { reconcileJobs } = await import('../../../src/domain/signing/reconcile-jobs.ts');
    const sender = await app.developer();
    const { pk } = await createUpload(sender);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    expect(await reconcileJobs()).toBe(1);
    await app.sql("UPDATE upload SET stage = 'validating' WHERE pk = $1", [pk]);
    expect(await reconcileJobs()).toBe(0);
    await app.runJobs();
    expect(await uploadOf(sender, pk)).toMatchObject({ stage: 'VALID' });
    expect(await reconcileJobs()).toBe(0);
  });

  it('end in an error when their package is lost, after three attempts', async () => {
    const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
    const sender = await app.developer();
    const { pk } = await createUpload(sender, { name: 'Lost' });
    const [row] = await app.sql<{ sha256: string }>('SELECT sha256 FROM upload WHERE pk = $1', [pk]);
    await blobs.remove(row?.sha256 ?? '', 0);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await app.sql("UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 second'");
      await app.runJobs();
    }
    expect(await uploadOf(sender, pk)).toMatchObject({ stage: 'ERROR' });
    expect(await app.pendingJobs()).toEqual([]);
  });
});
