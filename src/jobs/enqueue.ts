import type { Database } from '../infra/db.ts';
import { type JobName, type Jobs, jobKey, MAX_ATTEMPTS } from './jobs.ts';

/** Adds a job in the caller's transaction: it exists exactly when the change that needs it does. */
export async function enqueue<Name extends JobName>(tx: Database, name: Name, payload: Jobs[Name]): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job(
      identifier => ${name}::text, payload => ${JSON.stringify(payload)}::json,
      job_key => ${jobKey(name, payload)}::text, max_attempts => ${MAX_ATTEMPTS}::int)`;
}

/** How jobs of one kind are told apart and run. */
export interface ManyJobs {
  /** Jobs of one queue run one after the other. */
  queue: string;
  /** Whether a job that waits already is the same as another with its payload. */
  isKeyed: boolean;
}

/** Runs one statement in a transaction and gives its rows. */
export type RunSql = (text: string, values: unknown[]) => Promise<{ ok?: boolean }[]>;

const TRIES = 3;
const ADD_MANY = `SELECT job.id IS NOT NULL AS ok
  FROM json_to_recordset($2::json) AS wanted(payload json, key text),
    LATERAL graphile_worker.add_job(identifier => $1::text, payload => wanted.payload, queue_name => $3::text,
      job_key => wanted.key, max_attempts => $4::int) AS job`;

/**
 * Adds several jobs by one statement, in the caller's transaction. A job that is just being taken by a worker can keep
 * another with its key from being added, so those are tried again.
 * @throws {Error} when a job could not be added: the transaction may not be committed.
 */
export async function enqueueAll<Name extends JobName>(
  run: RunSql,
  name: Name,
  payloads: readonly Jobs[Name][],
  { queue, isKeyed }: ManyJobs,
): Promise<void> {
  let left = payloads.map((payload) => ({ payload, key: isKeyed ? jobKey(name, payload) : null }));
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > TRIES) throw new Error(`Jobs of the kind ${name} could not be added.`);
    const added = await run(ADD_MANY, [name, JSON.stringify(left), queue, MAX_ATTEMPTS]);
    left = left.filter((_, index) => added[index]?.ok !== true);
  }
}
