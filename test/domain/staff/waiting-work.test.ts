import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { makeJob } from '../../support/jobs.ts';

const app = setUpApp();
beforeAll(async () => {
  const waiting = (more: object = {}) => ({ version: '1.0', stage: 'awaiting_review', reviewed: null, ...more });
  await addon({ versions: [waiting()] });
  await addon({ versions: [waiting({ channel: 'unlisted' })] });
  await addon({ type: 'statictheme', versions: [waiting()] });
  await app.sql("INSERT INTO abuse_report (addon_guid, message) SELECT 'x@example', 'x' FROM generate_series(1, 101)");
  for (const state of ['failed', 'waiting', 'failed', 'running', 'retrying'] as const) await makeJob(app, { state });
});

describe('what waits for staff', () => {
  const workOf = async (client: Client) =>
    (await client.graphql('{ waitingWork { versions reports failedMails failedJobs } }')).waitingWork;

  it('is counted by the rules that the viewer holds, to a limit', async () => {
    const none = { versions: null, reports: null, failedMails: null, failedJobs: null };
    expect(await workOf(app.anonymous)).toEqual(none);
    expect(await workOf(await app.developer())).toEqual(none);
    expect(await workOf(await app.memberWith('Addons:Review'))).toEqual({ ...none, versions: 1 });
    expect(await workOf(await app.memberWith('Addons:ReviewUnlisted'))).toEqual({ ...none, versions: 1 });
    expect(await workOf(await app.memberWith('Addons:Edit'))).toEqual({ ...none, versions: 0 });
    expect(await workOf(await app.memberWith('AbuseReports:Edit'))).toEqual({ ...none, reports: 100 });
    expect(await workOf(await app.memberWith('Admin:Mail'))).toEqual({ ...none, failedMails: 0 });
    expect(await workOf(await app.memberWith('Admin:Service'))).toEqual({ ...none, failedJobs: 2 });
    expect(await workOf(await app.admin())).toEqual({ versions: 3, reports: 100, failedMails: 0, failedJobs: 2 });
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
