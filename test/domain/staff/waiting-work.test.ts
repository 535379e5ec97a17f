import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { makeJob } from '../../support/jobs.ts';

const app = setUpApp();
beforeAll(async () => {
  const waiting = (more: object = {}) => ({ version: '1.0', stage: 'awaiting_review', reviewed: null, ...more });
  await addon({ versions: [waiting()] });
  await addon({ versions: [waiting({ channel: 'unlisted' })] });
  await addon({ type: 'statictheme', versions: [waiting()] });
  await app.sql("INSERT INTO abuse_report (addon_guid, message) SELECT 'x@example', 'x' FROM generate_series(1, 101)");
  await makeRatings(await addon(), await addon({ status: 'disabled' }));
  for (const state of ['failed', 'waiting', 'failed', 'running', 'retrying'] as const) await makeJob(app, { state });
});

/** A flagged rating, one on hold and a flagged reply; those that are decided or deleted; and a flagged one of a hidden add-on. */
async function makeRatings(shown: MadeAddon, hidden: MadeAddon): Promise<void> {
  const ratings = [
    { open_flags: 1 },
    { held_at: new Date(), hold_reason: 'text' },
    {},
    { held_at: new Date(), hold_reason: 'moderator' },
    { open_flags: 1, deleted_at: new Date() },
    { open_flags: 1, addon_id: hidden.id },
  ];
  for (const rating of ratings) {
    const { accountId } = await app.developer();
    const row = { addon_id: shown.id, account_id: accountId, score: 1, open_flags: 0, ...rating };
    await app.sql(
      `INSERT INTO rating (addon_id, account_id, score, open_flags, held_at, hold_reason, deleted_at)
       SELECT addon_id, account_id, score, open_flags, held_at, hold_reason, deleted_at FROM json_populate_record(NULL::rating, $1)`,
      [JSON.stringify(row)],
    );
  }
  await app.sql(
    `INSERT INTO rating (addon_id, account_id, reply_to, open_flags)
     SELECT addon_id, account_id, id, 1 FROM rating WHERE deleted_at IS NULL ORDER BY id LIMIT 1`,
  );
}

describe('what waits for staff', () => {
  const workOf = async (client: Client) =>
    (
      await client.graphql<{ waitingWork: Record<string, number | null> }>(
        '{ waitingWork { versions reports ratings failedMails failedJobs } }',
      )
    ).waitingWork;

  it('is counted by the rules that the viewer holds, to a limit', async () => {
    const none = { versions: null, reports: null, ratings: null, failedMails: null, failedJobs: null };
    expect(await workOf(app.anonymous)).toEqual(none);
    expect(await workOf(await app.developer())).toEqual(none);
    expect(await workOf(await app.memberWith('Addons:Review'))).toEqual({ ...none, versions: 1 });
    expect(await workOf(await app.memberWith('Addons:ReviewUnlisted'))).toEqual({ ...none, versions: 1 });
    expect(await workOf(await app.memberWith('Addons:Edit'))).toEqual({ ...none, versions: 0, ratings: 4 });
    expect(await workOf(await app.memberWith('AbuseReports:Edit'))).toEqual({ ...none, reports: 100, ratings: 3 });
    expect(await workOf(await app.memberWith('Admin:Mail'))).toEqual({ ...none, failedMails: 0 });
    expect(await workOf(await app.memberWith('Admin:Service'))).toEqual({ ...none, failedJobs: 2 });
    expect(await workOf(await app.admin())).toEqual({
      ...{ versions: 3, reports: 100, ratings: 4, failedMails: 0, failedJobs: 2 },
    });
  });

  it('is what the viewer decides about: no own ratings, none of own add-ons, no versions that wait for developers or others', async () => {
    const [moderator, reviewer] = [await app.memberWith('AbuseReports:Edit'), await app.memberWith('Addons:Review')];
    const before = [(await workOf(moderator)).ratings, (await workOf(reviewer)).versions];
    const own = await addon({ authors: [moderator.accountId ?? 0] });
    const { accountId: stranger } = await app.developer();
    const rate = (addonId: number, accountId: number | null) =>
      app.sql('INSERT INTO rating (addon_id, account_id, score, open_flags) VALUES ($1, $2, 1, 1)', [
        addonId,
        accountId,
      ]);
    await rate((await addon()).id, moderator.accountId);
    await rate(own.id, stranger);
    const { versions } = await addon({ versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null }] });
    const refer = (isReferred: boolean) =>
      app.sql('UPDATE review_queue SET is_referred = $2 WHERE version_id = $1', [versions[0]?.id, isReferred]);
    await refer(true);
    expect([(await workOf(moderator)).ratings, (await workOf(reviewer)).versions]).toEqual(before);
    expect((await workOf(await app.memberWith('Addons:Edit'))).versions).toBe(1);
    await refer(false);
    expect((await workOf(reviewer)).versions).toBe((before[1] ?? 0) + 1);
    await app.sql('UPDATE review_queue SET is_information_requested = true WHERE version_id = $1', [versions[0]?.id]);
    expect((await workOf(reviewer)).versions).toBe(before[1]);
  });

  it('counts failed jobs with an index, however many jobs wait', async () => {
    await app.sql(
      `INSERT INTO graphile_worker._private_jobs (task_id, payload)
       SELECT (SELECT min(id) FROM graphile_worker._private_tasks), '{}' FROM generate_series(1, 20000)`,
    );
    await app.sql('ANALYZE graphile_worker._private_jobs');
    const { FAILED_JOBS } = await import('../../../src/domain/operation/find-jobs.ts');
    const plan = await app.sql(`EXPLAIN SELECT count(*) FROM (SELECT ${FAILED_JOBS.sql} LIMIT 100) AS waiting`);
    expect(JSON.stringify(plan)).toContain('addons_failed_jobs');
    await app.sql("DELETE FROM graphile_worker._private_jobs WHERE payload::text = '{}'");
  });
});
