import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, pool } = await import('../../src/infra/db.ts');
const { pollAfterQueuedJob } = await import('../../src/jobs/job-runner.ts');

const JOBS = [1, 2, 3, 4, 5, 6, 7, 8];

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

it('runs the jobs of a queue one after the other before the next poll', async () => {
  const events = new EventEmitter() as WorkerEvents;
  pollAfterQueuedJob(events);
  await pool.query(
    `SELECT graphile_worker.add_job('count', json_build_object('number', number), queue_name => 'counted')
     FROM unnest($1::int[]) WITH ORDINALITY AS given(number, place) ORDER BY place`,
    [JOBS],
  );
  const done: number[] = [];
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: 4,
    pollInterval: 3_600_000,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { count: (payload) => void done.push((payload as { number: number }).number) },
  });
  try {
    await expect.poll(() => done).toEqual(JOBS);
  } finally {
    await runner.stop();
  }
});
