import { setTimeout as sleep } from 'node:timers/promises';
import { runOnce } from 'graphile-worker';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { untilSessionsWait } from '../support/locks.ts';
import { upload } from '../support/signing-steps.ts';

const app = setUpApp();
let liveness: typeof import('../../src/jobs/liveness.ts');
let startWorker: typeof import('../../src/process/worker.ts').startWorker;
beforeAll(async () => {
  liveness = await import('../../src/jobs/liveness.ts');
  ({ startWorker } = await import('../../src/process/worker.ts'));
});
afterEach(() => app.sql('DELETE FROM graphile_worker._private_jobs'));

/** Uploads a package whose job was interrupted several times. */
async function uploaded(guid: string): Promise<void> {
  await upload(await app.developer(), guid);
  await app.sql('UPDATE graphile_worker._private_jobs SET attempts = 6');
}

const lockedBy = (worker: string) =>
  app.sql(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '10 seconds', attempts = attempts + 1`,
    [worker],
  );

const job = async () =>
  (
    await app.sql<{ locked_by: string | null; attempts: number }>(
      'SELECT attempts, run_at <= now() AS due, locked_by FROM graphile_worker.jobs',
    )
  )[0];
const RUNS_AT_ONCE = { attempts: 0, due: true, locked_by: null };

describe('an interrupted job', () => {
  it('runs at once with all attempts after its worker was killed', async () => {
    await uploaded('killed@example');
    await lockedBy('killed-worker');
    expect(await liveness.releaseDeadWorkers()).toEqual(['killed-worker']);
    expect(await job()).toEqual(RUNS_AT_ONCE);
  });

  it('runs before jobs that were enqueued later, and after those that have waited for longer than 30 s', async () => {
    const enqueued = async (guid: string, secondsAgo: number) => {
      await uploaded(guid);
      const [added] = await app.sql<{ id: string }>(
        `UPDATE graphile_worker._private_jobs SET created_at = now() - $1::int * interval '1 second',
           run_at = now() - $1::int * interval '1 second' WHERE id = (SELECT max(id) FROM graphile_worker.jobs) RETURNING id`,
        [secondsAgo],
      );
      return added?.id;
    };
    const interrupted = await enqueued('interrupted@example', 60);
    await lockedBy('killed-worker');
    const waiting = await enqueued('waiting@example', 50);
    const newer = await enqueued('newer@example', 20);
    expect(await liveness.releaseDeadWorkers()).toEqual(['killed-worker']);
    const queue = await app.sql<{ id: string }>('SELECT id FROM graphile_worker.jobs ORDER BY priority, run_at, id');
    expect(queue.map(({ id }) => id)).toEqual([waiting, interrupted, newer]);
  });

  it('runs at once with all attempts after its worker was stopped', async () => {
    await uploaded('stopped@example');
    const worker = await startWorker(() => {});
    while ((await app.sql(`SELECT FROM version WHERE stage = 'validating'`)).length === 0) await sleep(5);
    await worker.stop();
    // The runner does not wait until the end of the job is recorded.
    while ((await job())?.locked_by != null) await sleep(5);
    await liveness.resumeInterruptedJobs();
    expect(await job()).toEqual(RUNS_AT_ONCE);
  });

  it('runs at once with all attempts after its database connection was lost', async () => {
    await uploaded('disconnected@example');
    const { pool } = await import('../../src/infra/db.ts');
    const session = await pool.connect();
    await session.query('SELECT pg_advisory_lock(7302001)');
    const running = app.runJobs();
    await untilSessionsWait(app, '%pg_advisory_xact_lock%');
    await app.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_advisory_xact_lock%' AND wait_event_type = 'Lock'`,
    );
    await running;
    await session.query('SELECT pg_advisory_unlock(7302001)');
    session.release();
    await liveness.resumeInterruptedJobs();
    expect(await job()).toEqual(RUNS_AT_ONCE);
    await app.runJobs();
    expect(
      await app.sql(`SELECT stage FROM version JOIN addon ON addon.id = addon_id WHERE guid = 'disconnected@example'`),
    ).toEqual([{ stage: 'signed' }]);
  });

  it('runs at once with all attempts after its worker froze and the database ended its session', async () => {
    await uploaded('frozen@example');
    await lockedBy('frozen-worker');
    const frozen = new pg.Client({ connectionString: app.config.DATABASE_URL });
    await frozen.connect();
    const ended = new Promise((resolve) => frozen.on('error', resolve));
    await frozen.query(`SELECT pg_advisory_lock(7302, hashtext('frozen-worker'))`);
    expect(await liveness.releaseDeadWorkers(50)).toEqual([]);
    await sleep(100);
    expect(await liveness.releaseDeadWorkers(50)).toEqual(['frozen-worker']);
    expect(await job()).toEqual(RUNS_AT_ONCE);
    await ended;
  });

  it('stays with a live worker whose heartbeat the database receives', async () => {
    await uploaded('alive@example');
    await lockedBy('live-worker');
    const alive = await liveness.openLiveness(() => {});
    await alive.declare('live-worker');
    expect(await liveness.releaseDeadWorkers(2_500)).toEqual([]);
    await sleep(3_000);
    expect(await liveness.releaseDeadWorkers(2_500)).toEqual([]);
    await alive.release();
  });
});

describe('a job that something unavailable ended', () => {
  it('runs again after 30 s at most, however long it has been unavailable', async () => {
    const { implementTask } = await import('../../src/jobs/implement-task.ts');
    const { signVersionTask } = await import('../../src/jobs/tasks.ts');
    const { UnavailableError } = await import('../../src/errors.ts');
    const { pool } = await import('../../src/infra/db.ts');
    await app.sql(`SELECT graphile_worker.add_job('sign-version', '{"versionId": 1}')`);
    await app.sql('UPDATE graphile_worker._private_jobs SET attempts = 9');
    const fail = implementTask(signVersionTask, new AbortController().signal, () =>
      Promise.reject(new UnavailableError()),
    );
    await runOnce({ pgPool: pool, taskList: Object.fromEntries([fail]), noHandleSignals: true });
    const job = async () => {
      await liveness.limitBackoff();
      return app.sql(
        `SELECT attempts, run_at - now() BETWEEN '1 second' AND '30 seconds' AS soon FROM graphile_worker.jobs`,
      );
    };
    // The worker ends before the failure is written.
    await expect.poll(job).toEqual([{ attempts: 3, soon: true }]);
  });
});

describe('a job whose completion waits', () => {
  it('stays with its worker, which goes on', async () => {
    await upload(await app.developer(), 'slow-completion@example');
    await app.sql(
      'CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN OLD; END $$',
    );
    await app.sql(
      'CREATE TRIGGER wait BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION wait()',
    );
    const { pool } = await import('../../src/infra/db.ts');
    const session = await pool.connect();
    await session.query('SELECT pg_advisory_lock(1)');
    const losses: string[] = [];
    const worker = await startWorker((reason) => losses.push(reason));
    await untilSessionsWait(app, 'delete from%');
    const held = await job();
    try {
      await liveness.releaseLostJobs(held?.locked_by ?? '');
      await liveness.releaseLostJobs(held?.locked_by ?? '');
      expect(await job()).toEqual(held);
    } finally {
      await session.query('SELECT pg_advisory_unlock(1)');
      session.release();
    }
    while ((await job()) !== undefined) await sleep(5);
    await app.sql('DROP FUNCTION wait CASCADE');
    await worker.stop();
    expect(losses).toEqual([]);
  });
});

describe('a worker whose disk is nearly full', () => {
  it('switches read-only mode on, so that its jobs wait', async () => {
    const { LOW_DISK_MB } = app.config;
    app.config.LOW_DISK_MB = 1_000_000_000;
    const { forgetReadOnlyState, isReadOnly } = await import('../../src/infra/read-only.ts');
    const worker = await startWorker(() => {});
    const stored = await app.sql(`SELECT value FROM service_state WHERE name LIKE 'low_disk:%' AND value = 'true'`);
    await worker.stop();
    app.config.LOW_DISK_MB = LOW_DISK_MB;
    expect(stored).toEqual([{ value: true }]);
    await app.sql(`DELETE FROM service_state WHERE name LIKE 'low_disk:%'`);
    forgetReadOnlyState();
    expect(await isReadOnly()).toBe(false);
  });
});

describe('a worker whose first query fails', () => {
  it('ends, because its runner would never fetch a job', async () => {
    await app.sql('CREATE SEQUENCE refusals');
    await app.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('refusals'); RAISE 'refused'; END $$`,
    );
    await app.sql('CREATE TRIGGER refuse BEFORE INSERT ON graphile_worker._private_tasks EXECUTE FUNCTION refuse()');
    const lost = Promise.withResolvers<string>();
    const worker = await startWorker(lost.resolve);
    while ((await app.sql('SELECT FROM refusals WHERE is_called')).length === 0) await sleep(5);
    await app.sql('DROP FUNCTION refuse CASCADE');
    expect(await lost.promise).toBe('no job could be fetched for 5 s');
    await worker.stop();
  });
});

describe('a job that a live worker has locked but does not run', () => {
  it('is released and runs again', async () => {
    await upload(await app.developer(), 'lost@example');
    // The worker completes the job, and the database loses that record.
    await app.sql(`CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    await app.sql(
      'CREATE TRIGGER keep_job BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION keep_row()',
    );
    const worker = await startWorker(() => {});
    while (((await job())?.attempts ?? 0) < 2) await sleep(50);
    expect(
      await app.sql(`SELECT stage FROM version JOIN addon ON addon.id = addon_id WHERE guid = 'lost@example'`),
    ).toEqual([{ stage: 'signed' }]);
    await app.sql('DROP FUNCTION keep_row CASCADE');
    await worker.stop();
  });
});
