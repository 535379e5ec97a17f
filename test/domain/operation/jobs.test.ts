/* The jobs of the workers, for operators: GraphQL and commands. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { makeJob } from '../../support/jobs.ts';
import { mutate } from '../../support/mutate.ts';
import { addons } from '../../support/program.ts';

const app = setUpApp({ settings: { INBOUND_MAIL_SECRET: 'canary-of-the-mail-secret' } });
let operator: Client;
beforeAll(async () => {
  operator = await app.memberWith('Admin:Service');
});
afterEach(() => app.sql('DELETE FROM graphile_worker._private_jobs'));

const STATES = ['waiting', 'running', 'retrying', 'failed'] as const;

interface Found {
  number: string;
  state: string;
  task: string;
  cause: string | null;
  payload: object;
  version: { version: string } | null;
  addon: { slug: string } | null;
}

const FIELDS = 'number state task cause payload version { version } addon { slug }';

interface Listed {
  totalCount: number;
  isTotalCountExact: boolean;
  nodes: Found[];
}

async function list(filter: object, client = operator, page = ''): Promise<Listed> {
  const query = `query ($filter: JobFilter) { jobs(filter: $filter${page}) { totalCount isTotalCountExact nodes { ${FIELDS} } } }`;
  return (await client.graphql<{ jobs: Listed }>(query, { filter })).jobs;
}

const auditsSince = (id: string) =>
  app.sql<{ action: string; details: object }>('SELECT action, details FROM audit_entry WHERE id > $1 ORDER BY id', [
    id,
  ]);
const lastAudit = async () =>
  String((await app.sql<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM audit_entry'))[0]?.id);
const stored = async (id: string) =>
  (await app.sql('SELECT attempts, run_at <= now() AS "isDue" FROM graphile_worker.jobs WHERE id = $1', [id]))[0];

describe('a long queue', () => {
  it('is listed by state and counted to limits', async () => {
    const retrying = await makeJob(app, { state: 'retrying' });
    // In parts, because a statement of a busy machine may not take long.
    for (let part = 0; part < 10; part++) {
      await app.sql(
        `INSERT INTO graphile_worker._private_jobs (task_id, payload)
         SELECT task_id, '{}' FROM (SELECT task_id FROM graphile_worker._private_jobs LIMIT 1) AS known, generate_series(1, 10010)`,
      );
    }
    await app.sql('ANALYZE graphile_worker._private_jobs');
    const failed = await makeJob(app, { state: 'failed' });
    expect((await list({ states: ['RETRYING', 'FAILED'] })).nodes.map(({ number }) => number)).toEqual([
      retrying,
      failed,
    ]);
    expect(await list({ states: ['WAITING'] })).toMatchObject({ totalCount: 10_000, isTotalCountExact: false });
    expect(await list({ states: ['FAILED'] })).toMatchObject({ totalCount: 1, isTotalCountExact: true });
    const { jobHealth } = await operator.graphql<{ jobHealth: object }>(
      '{ jobHealth { waiting scheduled failed tasks { task waiting scheduled retrying failed } } }',
    );
    expect(jobHealth).toEqual({
      ...{ waiting: 100_000, scheduled: 0, failed: 1 },
      tasks: [{ task: 'sign-version', waiting: 99_999, scheduled: 0, retrying: 1, failed: 1 }],
    });
    const plan = await app.sql(
      'EXPLAIN SELECT id FROM graphile_worker._private_jobs WHERE is_available AND last_error IS NOT NULL ORDER BY id LIMIT 50',
    );
    expect(JSON.stringify(plan)).toContain('addons_retried_jobs');
  });
});

describe('Query.jobs', () => {
  it('lists jobs by state and task, page by page', async () => {
    for (const state of STATES) await makeJob(app, { state });
    await makeJob(app, { task: 'sync-search' });
    expect((await list({})).nodes.map(({ state }) => state)).toEqual([
      ...STATES.map((state) => state.toUpperCase()),
      'FAILED',
    ]);
    expect((await list({ states: ['RETRYING', 'FAILED'], task: 'sign-version' })).totalCount).toBe(2);
    for (const task of ['there-is-none', 'sign\0', '\u{d800}']) {
      expect(await list({ task })).toEqual({ totalCount: 0, isTotalCountExact: true, nodes: [] });
    }
    const first = await operator.graphql<{ jobs: { pageInfo: { endCursor: string } } }>(
      '{ jobs(first: 2) { pageInfo { endCursor } } }',
    );
    const rest = await list({}, operator, `, after: "${first.jobs.pageInfo.endCursor}"`);
    expect(rest.nodes.map(({ state }) => state)).toEqual(['RETRYING', 'FAILED', 'FAILED']);
  });

  it('has the cause of a real failure', async () => {
    await app.sql(`SELECT graphile_worker.add_job('sign-version', '{"versionId": "none"}', max_attempts => 1)`);
    await app.runJobs();
    const [job] = (await list({})).nodes;
    expect(job).toMatchObject({ state: 'FAILED', cause: expect.stringContaining('expected number') });
  });

  it('has no credentials in causes', async () => {
    const cause = `connect smtp://user:canary-pass@mail.example failed with ${app.config.INBOUND_MAIL_SECRET}`;
    await makeJob(app, { cause });
    const [job] = (await list({})).nodes;
    expect(job?.cause).toBe('connect smtp://[redacted]@mail.example failed with [redacted]');
  });

  it('shows what a job is about to those who may see it', async () => {
    const made = await addon({ versions: [{ version: '1.5' }] });
    const hidden = await addon({ isDisabledByDeveloper: true, versions: [{}] });
    await makeJob(app, { payload: { versionId: made.versions[0]?.id, requestId: 'of-the-request' } });
    await makeJob(app, { payload: { versionId: hidden.versions[0]?.id } });
    await makeJob(app, { task: 'sign-imported', payload: { addonId: made.id } });
    await makeJob(app, { payload: { versionId: 2_000_000_000 } });
    const found = (await list({})).nodes;
    expect(found.map(({ version, addon: of }) => [version?.version ?? null, of?.slug ?? null])).toEqual([
      ...[['1.5', null] as const, [null, null] as const, [null, made.slug] as const, [null, null] as const],
    ]);
    expect(found[0]?.payload).toEqual({ versionId: made.versions[0]?.id });
  });
});

describe('Query.jobStatus', () => {
  const status = async (id: string) =>
    (
      await operator.graphql<{ jobStatus: object }>(
        'query ($id: ID!) { jobStatus(id: $id) { job { state lastFailed } lastChange { action actor task payload attempts cause lastFailed } } }',
        { id: globalId('Job', id) },
      )
    ).jobStatus;

  it('has the last change of a job by an operator, also after the end of the job', async () => {
    const id = await makeJob(app, { payload: { versionId: 7 } });
    expect(await status(id)).toEqual({
      job: { state: 'FAILED', lastFailed: expect.any(String) },
      lastChange: null,
    });
    await mutate(operator, 'retryJob', { id: globalId('Job', id) });
    const retried = {
      ...{ action: 'JOB_RETRIED', task: 'sign-version', payload: { versionId: 7 } },
      actor: expect.stringMatching(/^account \d+ \(/),
      ...{ attempts: 25, cause: 'The signer is missing.', lastFailed: expect.any(String) },
    };
    expect(await status(id)).toEqual({ job: { state: 'WAITING', lastFailed: null }, lastChange: retried });
    expect((await list({ states: ['WAITING'] })).nodes.map(({ number }) => number)).toEqual([id]);
    expect((await list({ states: ['RETRYING'] })).totalCount).toBe(0);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    expect(await status(id)).toEqual({ job: null, lastChange: retried });
  });

  it('keeps the beginning of a cause, without credentials', async () => {
    const id = await makeJob(app, { cause: `smtp://user:canary-pass@mail.example ${'x'.repeat(1000)}` });
    await mutate(operator, 'retryJob', { id: globalId('Job', id) });
    const { lastChange } = (await status(id)) as { lastChange: { cause: string } };
    expect(lastChange.cause).toHaveLength(500);
    expect(lastChange.cause).toMatch(/^smtp:\/\/\[redacted\]@mail\.example x/);
  });

  it('has the time of a real failure', async () => {
    const since = Date.now();
    await app.sql(`SELECT graphile_worker.add_job('sign-version', '{"versionId": "none"}', max_attempts => 25)`);
    await app.runJobs();
    const [job] = (
      await operator.graphql<{ jobs: { nodes: { lastFailed: string }[] } }>('{ jobs { nodes { lastFailed } } }')
    ).jobs.nodes;
    const failed = Date.parse(job?.lastFailed ?? '');
    // Responses have whole seconds.
    expect(failed).toBeGreaterThanOrEqual(since - 1000);
    expect(failed).toBeLessThanOrEqual(Date.now());
  });
});

describe('retryJob and dropJob', () => {
  it.each(['waiting', 'retrying', 'failed'] as const)('change a job that is %s, with an audit entry', async (state) => {
    const before = await lastAudit();
    const retried = await makeJob(app, { state, payload: { versionId: 7 } });
    expect(await mutate(operator, 'retryJob', { id: globalId('Job', retried) })).toEqual({
      __typename: 'RetryJobPayload',
    });
    expect(await stored(retried)).toEqual({ attempts: 0, isDue: true });
    const dropped = await makeJob(app, { state, task: 'sync-search' });
    expect(await mutate(operator, 'dropJob', { id: globalId('Job', dropped) })).toEqual({
      __typename: 'DropJobPayload',
    });
    expect(await stored(dropped)).toBeUndefined();
    expect(await auditsSince(before)).toEqual([
      { action: 'job-retried', details: expect.objectContaining({ job: retried, task: 'sign-version' }) },
      { action: 'job-dropped', details: expect.objectContaining({ job: dropped, task: 'sync-search' }) },
    ]);
  });

  it.each(['retryJob', 'dropJob'])('%s refuses a job that runs, and one that has ended', async (name) => {
    const before = await lastAudit();
    const id = await makeJob(app, { state: 'running' });
    await app.sql("UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '5 hours'");
    expect(await mutate(operator, name, { id: globalId('Job', id) })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    expect(await stored(id)).toMatchObject({ attempts: 1 });
    for (const missing of ['9223372036854775807', '99999999999999999999', 'x', '']) {
      const result = await mutate(operator, name, { id: globalId('Job', missing) });
      expect(result).toMatchObject({ __typename: 'NotFoundError' });
    }
    expect(await mutate(operator, name, { id: globalId('Addon', 1) })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    expect(await auditsSince(before)).toEqual([]);
  });

  it('a job that was retried runs', async () => {
    const id = await makeJob(app, { task: 'purge-sent-forms' });
    await app.runJobs();
    expect(await stored(id)).toBeDefined();
    await mutate(operator, 'retryJob', { id: globalId('Job', id) });
    await app.runJobs();
    expect(await stored(id)).toBeUndefined();
  });
});

describe('addons jobs', () => {
  const run = (...words: string[]) => addons(['jobs', ...words], { DATABASE_URL: app.config.DATABASE_URL ?? '' });

  it('lists, shows, retries and drops jobs', async () => {
    const [, , retrying = '', failed = ''] = await Promise.all(STATES.map((state) => makeJob(app, { state })));
    const listed = await run('list');
    expect(listed.stdout).toContain(`${failed}  failed    25/25  sign-version  The signer is missing.\n`);
    expect(listed.stdout.trim().split('\n')).toHaveLength(2);
    const lines = (await run('list', '--state', 'failed', '--task', 'sign-version', '--json')).stdout
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ id: failed, state: 'failed', attempts: 25, cause: 'The signer is missing.' }),
    ]);
    expect((await run('show', failed)).stdout).toContain('about {}\nThe signer is missing.\n');
    expect(await run('retry', failed)).toMatchObject({ code: 0, stdout: `Job ${failed} is due now.\n` });
    expect(await stored(failed)).toEqual({ attempts: 0, isDue: true });
    expect(await run('drop', retrying, '--json')).toMatchObject({ code: 0, stdout: `{"dropped":"${retrying}"}\n` });
    expect(await stored(retrying)).toBeUndefined();
  });

  it('refuses unknown jobs and states', async () => {
    expect(await run('list', '--state', 'lost')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('retry', 'x')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('show', '999')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
    expect(await run('drop', '999')).toMatchObject({ code: 1, stdout: '' });
  });
});
