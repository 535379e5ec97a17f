/*
 * A job stays locked by its worker when the worker is killed or frozen. Each worker therefore holds a session advisory lock
 * on a connection of its own, with a heartbeat: the lock is free once the process or its connection has ended, and the
 * session of a frozen process stops changing. A sweeper in every worker releases the jobs of such workers.
 */
import pg from 'pg';
import { config } from '../config.ts';
import { pool, sessionSettings } from '../infra/db.ts';
import { LOCK_KEYS } from '../infra/lock-keys.ts';
import { log } from '../infra/log.ts';
import { runningJobs } from './implement-task.ts';
import { FAILURE_TAGS } from './tasks.ts';

const HEARTBEAT_MS = 2_000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
const FROZEN_AFTER_MS = 15_000;

/** The connection that declares a worker alive. */
export interface Liveness {
  /** Takes the lock for the worker with this id. */
  declare(workerId: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Opens the connection of a worker's liveness. `onLost` is called when it breaks: other workers then take over the jobs, so
 * this one must stop them at once.
 */
export async function openLiveness(onLost: () => void): Promise<Liveness> {
  const client = new pg.Client({
    ...sessionSettings('addons worker liveness'),
    query_timeout: HEARTBEAT_TIMEOUT_MS,
  });
  let released = false;
  const lost = () => {
    if (!released) onLost();
  };
  client.on('error', lost);
  client.on('end', lost);
  await client.connect();
  const heartbeat = setInterval(() => client.query('SELECT').catch(lost), HEARTBEAT_MS).unref();
  return {
    declare: async (workerId) => {
      await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_KEYS.workerLiveness, workerId]);
    },
    release: async () => {
      released = true;
      clearInterval(heartbeat);
      await client.end();
    },
  };
}

/** Seconds by the clock that one validation may take: on a busy machine it gets a fifth of a processor. */
export const VALIDATION_WALL_S = 5 * config.VALIDATOR_TIMEOUT;

/** Longer than a job should take. Runs of the few jobs that may take longer exclude each other by locks of their own. */
const OVERDUE_AFTER = `interval '${15 * 60 + VALIDATION_WALL_S} seconds'`;

interface LockingWorker {
  id: string;
  /** Session that holds its liveness lock; null for a dead worker. */
  session: number | null;
  /** Changes with every heartbeat. */
  beat: string | null;
}

const LOCKING_WORKERS = `
  SELECT job.locked_by AS id, min(holder.pid) AS session, min(holder.state_change)::text AS beat
  FROM graphile_worker.jobs AS job LEFT JOIN (
    SELECT pid, state_change, objid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND classid = $1::oid AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS holder ON holder.objid::int8 = hashtext(job.locked_by)::int8 & 4294967295
  WHERE job.locked_at < now() - interval '1 second' GROUP BY job.locked_by`;

/** When this process first saw the last heartbeat of each worker. */
const firstSeen = new Map<string, { beat: string; at: number }>();
const STALL_MS = 5_000;
let lastSweep = 0;

function isFrozen({ id, beat }: LockingWorker, frozenAfterMs: number): boolean {
  const now = performance.now();
  const seen = firstSeen.get(id);
  if (beat === null || seen?.beat !== beat) {
    firstSeen.set(id, { beat: beat ?? '', at: now });
    return false;
  }
  return now - seen.at > frozenAfterMs;
}

/**
 * Releases the jobs of workers that are dead or frozen; all jobs may run twice at the same time. The session of a frozen
 * worker is terminated, which stops its jobs when it continues. Being killed is not a failed attempt: released jobs run
 * next, with all their attempts. Returns the ids of the workers.
 */
export async function releaseDeadWorkers(frozenAfterMs = FROZEN_AFTER_MS): Promise<string[]> {
  const now = performance.now();
  // While this process or the database stalls, no heartbeats are seen.
  if (now - lastSweep > STALL_MS) firstSeen.clear();
  lastSweep = now;
  const { rows: workers } = await pool.query<LockingWorker>(LOCKING_WORKERS, [LOCK_KEYS.workerLiveness]);
  for (const id of firstSeen.keys()) if (!workers.some((worker) => worker.id === id)) firstSeen.delete(id);
  const frozen = workers.filter((worker) => worker.session !== null && isFrozen(worker, frozenAfterMs));
  const dead = workers.filter((worker) => worker.session === null || frozen.includes(worker));
  if (dead.length === 0) return [];
  const ids = dead.map(({ id }) => id);
  const { rows: jobs } = await pool.query<{ id: string }>(
    'SELECT id FROM graphile_worker.jobs WHERE locked_by = ANY($1)',
    [ids],
  );
  await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [ids]);
  await runNext('job.id = ANY($1::int8[])', [jobs.map(({ id }) => id)]);
  const sessions = frozen.map(({ session }) => session);
  await pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [sessions]);
  log.warn({ workers: ids, jobs: jobs.length }, 'Released the jobs of dead workers.');
  return ids;
}

/**
 * Releases jobs that live workers have held for too long: they hang. Their workers keep their other jobs. A job that hangs uses up an
 * attempt. Returns the ids of the jobs.
 */
export async function releaseOverdueJobs(): Promise<string[]> {
  const overdue = await unlock(`locked_at < now() - ${OVERDUE_AFTER}`, []);
  if (overdue.length > 0) log.warn({ jobs: overdue }, 'Released jobs that ran for too long.');
  return overdue;
}

/** Unlocks single jobs and their queues, for which graphile-worker has no function. Returns their ids. */
async function unlock(condition: string, values: unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH unlocked AS (
       UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE ${condition} RETURNING id, job_queue_id
     ), queues AS (
       UPDATE graphile_worker._private_job_queues AS queue SET locked_at = NULL, locked_by = NULL
       FROM unlocked WHERE queue.id = unlocked.job_queue_id
     )
     SELECT id FROM unlocked`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** A worker locks a queue and a job in one statement, which another process sees at once. */
const ABANDONED_AFTER = `interval '5 seconds'`;

/**
 * Releases queues whose worker has locked none of their jobs. When a frozen worker continues and completes a job that another
 * worker has taken over, the completion by the other one finds no job, and leaves its queue locked. Returns the names.
 */
export async function releaseAbandonedQueues(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `UPDATE graphile_worker._private_job_queues AS queue SET locked_at = NULL, locked_by = NULL
     WHERE locked_at < now() - ${ABANDONED_AFTER} AND NOT EXISTS (
       SELECT FROM graphile_worker._private_jobs AS job WHERE job.job_queue_id = queue.id AND job.locked_by = queue.locked_by
     ) RETURNING queue_name AS name`,
  );
  const queues = rows.map(({ name }) => name);
  if (queues.length > 0) log.warn({ queues }, 'Released queues of jobs that are not locked any more.');
  return queues;
}

/** Reschedules jobs that were interrupted (see `implementTask`): they run next, with all their attempts. */
export async function resumeInterruptedJobs(): Promise<void> {
  await runNext('job.run_at > now() AND job.locked_at IS NULL AND starts_with(job.last_error, $1)', [
    FAILURE_TAGS.interrupted,
  ]);
}

const MAX_BACKOFF = `interval '30 seconds'`;
/** Their attempts do not run out during a long outage. */
const MAX_COUNTED_OUTAGES = 3;

/** Limits the backoff of jobs that something unavailable ended, so that they do not wait for hours when it is available again. */
export async function limitBackoff(): Promise<void> {
  await pool.query(
    `SELECT FROM graphile_worker.jobs AS job, LATERAL graphile_worker.reschedule_jobs(ARRAY[job.id],
       attempts => least(job.attempts, ${MAX_COUNTED_OUTAGES}), run_at => now() + ${MAX_BACKOFF})
     WHERE job.run_at > now() + ${MAX_BACKOFF} AND job.locked_at IS NULL AND starts_with(job.last_error, $1)`,
    [FAILURE_TAGS.unavailable],
  );
}

/**
 * Interrupted jobs run before jobs that were enqueued after them, but not before jobs that have waited for longer than this:
 * a job that ends every worker must not block the queue.
 */
const MAX_PRECEDENCE = `interval '30 seconds'`;

async function runNext(condition: string, values: unknown[]): Promise<void> {
  await pool.query(
    `SELECT FROM graphile_worker.jobs AS job, LATERAL graphile_worker.reschedule_jobs(ARRAY[job.id], attempts => 0,
       run_at => greatest(job.created_at, now() - ${MAX_PRECEDENCE})) WHERE ${condition}`,
    values,
  );
}

/** The completion of a job is recorded after its end: it waits for a connection, and for its statement. */
const LOST_AFTER_MS = 10_000;

/** When this process first saw each job that it has locked and does not run. */
const notRunning = new Map<string, number>();

/** Releases jobs that a worker in this process has locked but does not run: their start or end was lost with a connection. */
export async function releaseLostJobs(workerId: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM graphile_worker.jobs WHERE locked_by = $1 AND id <> ALL($2::int8[])',
    [workerId, [...runningJobs]],
  );
  const now = performance.now();
  const found = new Set(rows.map(({ id }) => id));
  for (const id of notRunning.keys()) if (!found.has(id)) notRunning.delete(id);
  for (const id of found) if (!notRunning.has(id)) notRunning.set(id, now);
  const lost = [...notRunning].filter(([, since]) => now - since > LOST_AFTER_MS).map(([id]) => id);
  if (lost.length === 0) return;
  const released = await unlock('id = ANY($1::int8[]) AND locked_by = $2', [lost, workerId]);
  log.warn({ jobs: released }, 'Released jobs whose start or end was lost.');
}
