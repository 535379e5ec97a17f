import type { Database } from '../infra/db.ts';
import { type JobName, type Jobs, jobKey, MAX_ATTEMPTS } from './jobs.ts';

/** Adds a job in the caller's transaction: it exists exactly when the change that needs it does. */
export async function enqueue<Name extends JobName>(tx: Database, name: Name, payload: Jobs[Name]): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job(
      identifier => ${name}::text, payload => ${JSON.stringify(payload)}::json,
      job_key => ${jobKey(name, payload)}::text, max_attempts => ${MAX_ATTEMPTS}::int)`;
}
