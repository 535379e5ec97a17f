import type { TestApp } from './app.ts';

interface JobFacts {
  task?: string;
  payload?: object;
  /** By default a job without attempts left. */
  state?: 'waiting' | 'running' | 'retrying' | 'failed';
  cause?: string;
}

const COLUMNS = {
  waiting: 'attempts = 0, run_at = now()',
  running: "attempts = 1, run_at = now(), locked_at = now(), locked_by = 'a worker'",
  retrying: "attempts = 3, run_at = now() + interval '1 hour', last_error = $2",
  // As the queue writes a failure: the time of the next attempt, which there is none of.
  failed: "attempts = 25, run_at = now() + exp(10) * interval '1 second', last_error = $2",
};

/** Adds a job to the queue, in a state. Returns its id in digits. */
export async function makeJob(
  app: Pick<TestApp, 'sql'>,
  { task = 'sign-version', payload = {}, state = 'failed', cause = 'The signer is missing.' }: JobFacts = {},
): Promise<string> {
  // Not due, so that no worker starts it before it has its state.
  const [job] = await app.sql<{ id: string }>(
    "SELECT id FROM graphile_worker.add_job($1, payload => $2::json, max_attempts => 25, run_at => now() + interval '1 hour')",
    [task, JSON.stringify(payload)],
  );
  const id = String(job?.id);
  const hasCause = state === 'retrying' || state === 'failed';
  await app.sql(
    `UPDATE graphile_worker._private_jobs SET ${COLUMNS[state]} WHERE id = $1`,
    hasCause ? [id, cause] : [id],
  );
  return id;
}

/** Adds failed jobs. Returns the id of the last one. */
export async function makeJobs(app: Pick<TestApp, 'sql'>, size: number): Promise<string> {
  let last = '';
  for (let made = 0; made < size; made++) last = await makeJob(app, { payload: { versionId: 1 + made } });
  return last;
}
