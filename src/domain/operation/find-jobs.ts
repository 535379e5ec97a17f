/* The jobs of graphile-worker as operators see them. Callers check the permission. */
import type { KeysetPage } from '../../graphql/connections.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { withoutSecrets } from '../../infra/without-secrets.ts';

export const JOB_STATES = ['waiting', 'running', 'retrying', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job. Its payload has ids and no texts of people. */
export interface JobRow {
  id: bigint;
  task: string;
  payload: Record<string, unknown>;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  /** Why the last attempt failed, without secrets; null when none has failed. */
  cause: string | null;
  created: Date;
  /** When it may start. */
  runAt: Date;
  versionId: number | null;
  addonId: number | null;
}

/** Which jobs to list; absent values select all. */
export interface JobFilter {
  states?: readonly JobState[] | null;
  task?: string | null;
}

const STATE = Prisma.sql`CASE WHEN job.locked_at IS NOT NULL THEN 'running' WHEN job.attempts >= job.max_attempts THEN 'failed'
  WHEN job.last_error IS NOT NULL THEN 'retrying' ELSE 'waiting' END`;

/** SQL: the jobs whose attempts have run out; the condition of the index `addons_failed_jobs`. */
export const FAILED_JOBS = Prisma.sql`FROM graphile_worker._private_jobs AS job
  WHERE job.locked_at IS NULL AND job.attempts >= job.max_attempts`;

// The view of the queue has no payload.
const FROM = Prisma.sql`FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id`;

const COLUMNS = Prisma.sql`job.id, task.identifier AS task, job.payload::jsonb - 'requestId' AS payload, ${STATE} AS state,
  job.attempts::int AS attempts, job.max_attempts::int AS "maxAttempts", job.last_error AS cause, job.created_at AS created,
  job.run_at AS "runAt"`;

function matching({ states, task }: JobFilter): Prisma.Sql {
  const ofStates = states == null ? Prisma.empty : Prisma.sql`AND ${STATE} = ANY(${[...states]}::text[])`;
  const ofTask = task == null ? Prisma.empty : Prisma.sql`AND task.identifier = ${comparableText(task)}`;
  return Prisma.sql`${FROM} WHERE true ${ofStates} ${ofTask}`;
}

type StoredJob = Omit<JobRow, 'versionId' | 'addonId'>;

const idIn = (payload: Record<string, unknown>, key: string): number | null =>
  typeof payload[key] === 'number' ? payload[key] : null;

const jobOf = (stored: StoredJob): JobRow => ({
  ...stored,
  cause: stored.cause === null ? null : withoutSecrets(stored.cause),
  versionId: idIn(stored.payload, 'versionId'),
  addonId: idIn(stored.payload, 'addonId'),
});

/** One page of the jobs, in the order of their entry. */
export async function listJobs(filter: JobFilter, page: KeysetPage<bigint>): Promise<JobRow[]> {
  const { before, after, limit, inverted } = page;
  const rows = await db.$queryRaw<StoredJob[]>`
    SELECT ${COLUMNS} ${matching(filter)}
      AND (${after}::int8 IS NULL OR job.id > ${after}::int8) AND (${before}::int8 IS NULL OR job.id < ${before}::int8)
    ORDER BY job.id ${inverted ? Prisma.sql`DESC` : Prisma.sql`ASC`} LIMIT ${limit}`;
  return rows.map(jobOf);
}

/** The number of such jobs. */
export async function countJobs(filter: JobFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(filter)}`;
  return row?.count ?? 0;
}

/** The job with this id; null without one, as after its end. */
export async function findJob(id: bigint): Promise<JobRow | null> {
  const [row] = await db.$queryRaw<StoredJob[]>`SELECT ${COLUMNS} ${FROM} WHERE job.id = ${id}`;
  return row === undefined ? null : jobOf(row);
}

/** The jobs of one task, by state. */
export interface TaskJobs {
  task: string;
  waiting: number;
  running: number;
  retrying: number;
  failed: number;
  /** When the oldest job that is due and not running became due; null without one. */
  oldestDue: Date | null;
}

/** The numbers of jobs by task. Tasks without jobs are left out. */
export const countByTask = (): Promise<TaskJobs[]> => db.$queryRaw<TaskJobs[]>`
  SELECT task,
    count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE state = 'running')::int AS running,
    count(*) FILTER (WHERE state = 'retrying')::int AS retrying, count(*) FILTER (WHERE state = 'failed')::int AS failed,
    min(run_at) FILTER (WHERE state IN ('waiting', 'retrying') AND run_at <= now()) AS "oldestDue"
  FROM (SELECT task.identifier AS task, ${STATE} AS state, job.run_at ${FROM}) AS jobs
  GROUP BY task ORDER BY task`;
