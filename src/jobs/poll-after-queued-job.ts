import type { Worker, WorkerEvents } from 'graphile-worker';

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
