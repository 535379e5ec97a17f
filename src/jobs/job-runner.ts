import type { Worker, WorkerEvents } from 'graphile-worker';
import { pool, sessionPool } from '../infra/db.ts';

type Connected = Parameters<typeof pool.connect>[0];

/**
 * The pool of the runner of jobs. The runner connects with a callback in order to listen, and only then: that connection keeps its
 * session. If it should not, the runner still finds jobs by polling.
 */
export function jobPool(): typeof pool {
  return Object.assign(Object.create(pool) as typeof pool, {
    connect: (connected?: Connected) => (connected === undefined ? pool.connect() : sessionPool.connect(connected)),
    query: pool.query.bind(pool),
  });
}

/** How long the completion of a job usually takes, and how long on a busy machine, in milliseconds. */
const COMPLETION_MS = [10, 100];

/**
 * Starts the jobs of a queue one after the other without a pause. A worker looks for its next job while the completion of the last
 * one is still being written; until then the queue is locked, so the worker would find the next job of the queue only when it polls.
 */
export function pollAfterQueuedJob(events: WorkerEvents): void {
  const released = new WeakSet<Worker>();
  events.on('worker:release', ({ worker }) => released.add(worker));
  events.on('job:complete', ({ worker, job }) => {
    if (job.job_queue_id === null) return;
    for (const ms of COMPLETION_MS) setTimeout(() => released.has(worker) || worker.nudge(), ms).unref();
  });
}
