import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { completeListing, path, upload } from '../../support/signing-steps.ts';

const app = setUpApp({ settings: { REVIEW_AUTO_APPROVE_HOURS: 9.5 } });
let author: Client;
let reviewer: Client;
let approveWaiting: () => Promise<number>;

const waiting = (facts: VersionFacts = {}): VersionFacts => ({
  stage: 'awaiting_review',
  created: new Date(Date.now() - 10 * 3_600_000),
  files: [{ status: 1, isStored: true }],
  ...facts,
});
const make = async (facts: VersionFacts = waiting(), status = 'nominated') =>
  (await addon({ authors: [author.accountId ?? 0], status, versions: [facts] })).versions[0]?.id ?? 0;
const stage = async (id: number) => (await app.sql('SELECT stage FROM version WHERE id = $1', [id]))[0]?.stage;
const act = (client: Client, name: string, id: number, input = {}) =>
  client.graphql(
    `mutation($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
      ${name}(input: $input) { __typename } }`,
    { input: { id: globalId('Version', id), ...input } },
  );

beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  ({ approveWaiting } = await import('../../../src/domain/reviewing/approve-waiting.ts'));
});

describe('approveWaiting', () => {
  it('approves a listed version that has waited long enough, as automatic-review', async () => {
    const id = await make();
    const results = await Promise.all([approveWaiting(), approveWaiting()]);
    expect(results.reduce((sum, count) => sum + count)).toBe(1);
    expect(await stage(id)).toBe('signing');
    const [audit] = await app.sql('SELECT actor, action, details FROM audit_entry ORDER BY id DESC LIMIT 1');
    expect(audit).toMatchObject({ actor: 'automatic review', action: 'version-approved', details: { versionId: id } });
    await app.sql('DELETE FROM graphile_worker._private_jobs');
  });

  it('leaves versions that are new, unlisted, without package, of a disabled or deleted add-on', async () => {
    const ids = [
      await make(waiting({ created: new Date(Date.now() - 9 * 3_600_000) })),
      await make(waiting({ channel: 'unlisted' })),
      await make(waiting({ files: [{ status: 1, isStored: false }] })),
      await make(waiting(), 'disabled'),
      await make(waiting({ deletedAt: new Date() })),
    ];
    expect(await approveWaiting()).toBe(0);
    expect(new Set(await Promise.all(ids.map(stage)))).toEqual(new Set(['awaiting_review']));
  });

  it('leaves versions with a claim, an open request or a referral', async () => {
    const [claimed, questioned, referred] = [await make(), await make(), await make()];
    await act(reviewer, 'claimReview', claimed);
    await act(reviewer, 'requestInformation', questioned, { comments: 'Why?' });
    await act(reviewer, 'referVersion', referred);
    expect(await approveWaiting()).toBe(0);
    await act(reviewer, 'claimReview', claimed, { release: true });
    await act(author, 'replyToReview', questioned, { comments: 'Because.' });
    expect(await approveWaiting()).toBe(2);
    expect(await Promise.all([claimed, questioned, referred].map(stage))).toEqual([
      'signing',
      'signing',
      'awaiting_review',
    ]);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
  });

  it('does nothing in read-only mode and without the setting', async () => {
    const id = await make();
    app.config.READ_ONLY = true;
    expect(await approveWaiting()).toBe(0);
    app.config.READ_ONLY = false;
    app.config.REVIEW_AUTO_APPROVE_HOURS = undefined;
    expect(await approveWaiting()).toBe(0);
    expect(await stage(id)).toBe('awaiting_review');
    app.config.REVIEW_AUTO_APPROVE_HOURS = 9.5;
    expect(await approveWaiting()).toBe(1);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
  });

  it('leads to a signed version, with notes of the uploader and of automatic-review', async () => {
    await app.sql(`UPDATE version SET stage = 'rejected' WHERE stage = 'awaiting_review'`);
    const guid = 'automatic@example';
    await upload(author, guid);
    await app.runJobs();
    await completeListing(author, guid);
    await upload(author, guid, '2.0', { channel: 'listed' });
    await app.runJobs();
    app.config.REVIEW_AUTO_APPROVE_HOURS = 1e-9;
    expect(await approveWaiting()).toBe(1);
    await app.runJobs();
    expect((await author.get(path(guid, '2.0'))).json).toMatchObject({ active: true, passed_review: true });
    const [version] = await app.sql(
      `SELECT v.id FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1 AND v.version = '2.0'`,
      [guid],
    );
    const notes = await author.get(`/api/v4/addons/addon/${guid}/versions/${version?.id}/reviewnotes/`);
    const service = { id: -1, name: 'automatic-review', url: null, username: 'automatic-review' };
    expect((notes.json as { results: unknown[] }).results).toMatchObject([
      { action: 'approved', comments: '', user: service },
      { action: 'review-requested', user: { id: author.accountId } },
    ]);
    const KIND = `query($id: ID!) { version(id: $id) { reviewNotes(first: 1) { edges { node { kind user { username } } } } } }`;
    expect(await author.graphql(KIND, { id: globalId('Version', version?.id) })).toMatchObject({
      version: { reviewNotes: { edges: [{ node: { kind: 'SERVICE', user: { username: 'automatic-review' } } }] } },
    });
  });
});

describe('the account automatic-review', () => {
  const status = (reply: Reply) => reply.status;

  it('is visible to no client, and no credential authenticates it', async () => {
    for (const ref of ['automatic-review', '-1', '0']) {
      const reply = await author.get(`/api/v4/accounts/account/${ref}/`);
      expect([ref, status(reply)]).toEqual([ref, 404]);
    }
    const { createApiKeyFor } = await import('../../../src/domain/accounts/administration.ts');
    const key = await createApiKeyFor({ username: 'automatic-review' }).catch(() => null);
    if (key !== null) expect(status(await app.client(key).get('/api/v4/accounts/profile/'))).toBe(401);
  });
});
