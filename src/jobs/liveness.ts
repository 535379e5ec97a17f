/*
 * A killed worker's jobs stay locked for hours unless somebody notices. Each worker therefore holds a session advisory
 * lock on a connection of its own: the lock is gone the moment the process or its connection is. A sweeper releases the
 * jobs of workers whose lock is free, and a reconciler gives a job to every version that waits for one and has none.
 */
import pg from 'pg';
import { config } from '../config.ts';
import { connectionSettings, pool } from '../infra/db.ts';
import { log } from '../infra/log.ts';

const LOCK_SPACE = 7_302;

/**
 * Declares the worker with this id alive, until `release` is called or the process ends.
 * `onLost` is called when the connection breaks: others will then take over its jobs, so the worker must end at once.
 */
export async function holdLiveness(workerId: string, onLost: () => void): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client(connectionSettings('addons worker liveness'));
  let released = false;
  const lost = () => {
    if (!released) onLost();
  };
  client.on('error', lost);
  client.on('end', lost);
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_SPACE, workerId]);
  return {
    release: async () => {
      released = true;
      await client.end();
    },
  };
}

/** Longer than any job may take; one that is still locked then was finished without the queue learning of it. */
const LONGEST_JOB = `interval '${15 * 60 + config.VALIDATOR_TIMEOUT} seconds'`;

/**
 * Releases the jobs of workers that are dead: locked for a second or more by one whose lock is free, or for longer than
 * any job takes. A job that still runs is then run beside itself, which all jobs bear. Returns the workers' ids.
 */
export async function releaseDeadWorkers(): Promise<string[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ worker: string; overdue: boolean }>(
      `SELECT locked_by AS worker, min(locked_at) < now() - ${LONGEST_JOB} AS overdue FROM graphile_worker.jobs
       WHERE locked_at < now() - interval '1 second' GROUP BY locked_by`,
    );
    const dead: string[] = [];
    for (const { worker, overdue } of rows) {
      const { rows: tried } = await client.query<{ free: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS free',
        [LOCK_SPACE, worker],
      );
      const free = tried[0]?.free ?? false;
      if (!free && !overdue) continue;
      dead.push(worker);
      await client.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [[worker]]);
      if (free) await client.query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_SPACE, worker]);
    }
    if (dead.length > 0) log.warn({ workers: dead }, 'Released the jobs of dead workers.');
    return dead;
  } finally {
    client.release();
  }
}
