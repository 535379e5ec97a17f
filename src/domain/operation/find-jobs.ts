/* The jobs of graphile-worker as operators see them. Callers check the permission. */
import { secretValues } from '../../config.ts';
import type { AuditEntry } from '../../generated/prisma/client.ts';
import type { KeysetPage } from '../../graphql/connections.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';

/** The states of jobs: a retrying one has failed and is due again, a failed one is not. One that an operator runs again is `waiting`. */
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
  /** When the last attempt failed; null before one has failed, after a retry by an operator, and while it runs. */
  lastFailed: Date | null;
  versionId: number | null;
  addonId: number | null;
}

/** Which jobs to list; absent values select all. */
export interface JobFilter {
  states?: readonly JobState[] | null;
  task?: string | null;
}

/** SQL: which jobs are in a state. Few jobs are `running`, `retrying` or `failed`: the indexes of `src/infra/migrations/migrate.ts` have them. */
const IN_STATE: Readonly<Record<JobState, Prisma.Sql>> = {
  waiting: Prisma.sql`job.is_available AND (job.last_error IS NULL OR job.attempts = 0)`,
  running: Prisma.sql`job.locked_at IS NOT NULL`,
  retrying: Prisma.sql`job.is_available AND job.last_error IS NOT NULL AND job.attempts > 0`,
  failed: Prisma.sql`job.locked_at IS NULL AND job.attempts >= job.max_attempts`,
};

const JOBS = Prisma.sql`FROM graphile_worker._private_jobs AS job`;

/** SQL: the jobs whose attempts have run out. */
export const FAILED_JOBS = Prisma.sql`${JOBS} WHERE ${IN_STATE.failed}`;

// The view of the queue has no payload.
const WITH_TASK = Prisma.sql`${JOBS} JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id`;

const STATE = Prisma.sql`CASE WHEN job.locked_at IS NOT NULL THEN 'running' WHEN NOT job.is_available THEN 'failed'
  WHEN job.last_error IS NOT NULL AND job.attempts > 0 THEN 'retrying' ELSE 'waiting' END`;

// The queue has no such column: after a failure, it puts a job off by e to the power of its attempts, at most of 10.
const LAST_FAILED = Prisma.sql`CASE WHEN job.locked_at IS NULL AND job.attempts > 0 AND job.last_error IS NOT NULL
  THEN job.run_at - exp(least(job.attempts, 10)) * interval '1 second' END`;

const COLUMNS = Prisma.sql`job.id, task.identifier AS task, job.payload::jsonb - '{requestId,traceparent}'::text[] AS payload, ${STATE} AS state,
  job.attempts::int AS attempts, job.max_attempts::int AS "maxAttempts", job.last_error AS cause, job.created_at AS created,
  job.run_at AS "runAt",
  ${LAST_FAILED} AS "lastFailed"`;

/** SQL: the jobs in each of the states; joined by UNION ALL, each part reads the index of its state. */
function matching({ states, task }: JobFilter): Prisma.Sql[] {
  const ofTask =
    task == null
      ? Prisma.empty
      : Prisma.sql`AND job.task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = ${comparableText(task)})`;
  return [...new Set(states ?? JOB_STATES)].map((state) => Prisma.sql`${JOBS} WHERE ${IN_STATE[state]} ${ofTask}`);
}

const union = (parts: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...parts], ' UNION ALL ');

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
  const parts = matching(filter);
  if (parts.length === 0) return [];
  const order = inverted ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const pageOf = (part: Prisma.Sql) => Prisma.sql`(SELECT job.id ${part}
    AND (${after}::int8 IS NULL OR job.id > ${after}::int8) AND (${before}::int8 IS NULL OR job.id < ${before}::int8)
    ORDER BY job.id ${order} LIMIT ${limit})`;
  const rows = await db.$queryRaw<StoredJob[]>`
    SELECT ${COLUMNS} ${WITH_TASK} WHERE job.id IN (${union(parts.map(pageOf))}) ORDER BY job.id ${order} LIMIT ${limit}`;
  return rows.map(jobOf);
}

/** A list counts at most this number of jobs in each state: those that wait are counted row by row. */
export const LISTED_JOBS = 10_000;

/** How many jobs a filter selects. */
interface JobCount {
  count: number;
  /** Whether there are no more. */
  isExact: boolean;
}

/** The number of such jobs, of at most `LISTED_JOBS` in each state. */
export async function countJobs(filter: JobFilter): Promise<JobCount> {
  const parts = matching(filter);
  if (parts.length === 0) return { count: 0, isExact: true };
  const numbers = parts.map(
    (part) => Prisma.sql`SELECT count(*) AS count FROM (SELECT ${part} LIMIT ${LISTED_JOBS} + 1) AS counted`,
  );
  const [row] = await db.$queryRaw<JobCount[]>`
    SELECT sum(least(count, ${LISTED_JOBS}))::int AS count, max(count) <= ${LISTED_JOBS} AS "isExact" FROM (${union(numbers)}) AS numbers`;
  return row ?? { count: 0, isExact: true };
}

/** The job with this id; null without one, as after its end. */
export async function findJob(id: bigint): Promise<JobRow | null> {
  const [row] = await db.$queryRaw<StoredJob[]>`SELECT ${COLUMNS} ${WITH_TASK} WHERE job.id = ${id}`;
  return row === undefined ? null : jobOf(row);
}

/** What an operator did with a job, by the audit log. */
export interface JobChange extends Pick<JobRow, 'task' | 'payload' | 'versionId' | 'addonId'> {
  action: (typeof CHANGES)[number];
  actor: string;
  created: Date;
  /** What the job was before the change; null in entries without it. */
  attempts: number | null;
  cause: string | null;
  lastFailed: Date | null;
}

/** The details of an entry about a job, as `change-jobs.ts` writes them. */
type JobDetails = Pick<JobRow, 'task' | 'payload'> & {
  attempts?: number;
  cause?: string | null;
  lastFailed?: string | null;
};

const CHANGES = ['job-retried', 'job-dropped'] as const;

/** The newest change of a job by an operator, also after its end; null without one. */
export async function lastJobChange(id: bigint): Promise<JobChange | null> {
  const [entry] = await db.$queryRaw<Pick<AuditEntry, 'actor' | 'action' | 'details' | 'created'>[]>`
    SELECT actor, action, details, created FROM audit_entry
    WHERE action IN (${Prisma.join(CHANGES)}) AND details ->> 'job' = ${String(id)} ORDER BY id DESC LIMIT 1`;
  if (entry === undefined) return null;
  const { details, ...change } = entry as Pick<JobChange, 'action' | 'actor' | 'created'> & { details: unknown };
  const { task, payload, attempts = null, cause = null, lastFailed } = details as JobDetails;
  return {
    ...{ ...change, task, payload, attempts, cause },
    lastFailed: lastFailed ? new Date(lastFailed) : null,
    ...{ versionId: idIn(payload, 'versionId'), addonId: idIn(payload, 'addonId') },
  };
}

/** More jobs in a state are not counted by task, so that a long queue does not slow down the page about the service. */
export const COUNTED_JOBS = 100_000;

/** The jobs of one task, by state. */
export interface TaskJobs {
  task: string;
  waiting: number;
  running: number;
  retrying: number;
  failed: number;
  /** Those of the jobs that wait for an attempt that are due later than a day from now. */
  scheduled: number;
  /** When the oldest job that is due and not running became due; null without one. */
  oldestDue: Date | null;
  /** When the next job that is not due yet becomes due; null without one. */
  nextDue: Date | null;
}

/**
 * The numbers of jobs by task, of at most `COUNTED_JOBS` that are due or will be, with the most urgent ones, and as many in each other state.
 * Tasks without such jobs are left out. An index of the queue has the task of each available job.
 */
export const countByTask = (): Promise<TaskJobs[]> => db.$queryRaw<TaskJobs[]>`
  SELECT task.identifier AS task, greatest(sum(available) - sum(retrying), 0)::int AS waiting, sum(running)::int AS running,
    sum(retrying)::int AS retrying, sum(failed)::int AS failed, sum(scheduled)::int AS scheduled,
    min("oldestDue") AS "oldestDue", min("nextDue") AS "nextDue"
  FROM (
    SELECT task_id, count(*) AS available, 0 AS running, 0 AS retrying, 0 AS failed,
      count(*) FILTER (WHERE run_at > now() + interval '1 day') AS scheduled,
      min(run_at) FILTER (WHERE run_at <= now()) AS "oldestDue", min(run_at) FILTER (WHERE run_at > now()) AS "nextDue"
    FROM (SELECT job.task_id, job.run_at ${JOBS} WHERE job.is_available ORDER BY job.priority, job.run_at LIMIT ${COUNTED_JOBS}) AS available
    GROUP BY task_id
    UNION ALL SELECT task_id, 0, count(*), 0, 0, 0, NULL, NULL ${counted('running')}
    UNION ALL SELECT task_id, 0, 0, count(*), 0, 0, NULL, NULL ${counted('retrying')}
    UNION ALL SELECT task_id, 0, 0, 0, count(*), 0, NULL, NULL ${counted('failed')}
  ) AS numbers JOIN graphile_worker._private_tasks AS task ON task.id = numbers.task_id
  GROUP BY task.identifier ORDER BY task.identifier`;

function counted(state: JobState): Prisma.Sql {
  return Prisma.sql`FROM (SELECT job.task_id ${JOBS} WHERE ${IN_STATE[state]} LIMIT ${COUNTED_JOBS}) AS counted GROUP BY task_id`;
}

/** Shorter values are words that texts have anyway. */
const MIN_LENGTH = 8;

/** A text such as that of an error without credentials: those of addresses, and the values of secret settings. */
function withoutSecrets(text: string): string {
  const known = secretValues().filter((value) => value.length >= MIN_LENGTH);
  const rest = known.reduce((left, value) => left.replaceAll(value, '[redacted]'), text);
  return rest.replaceAll(/:\/\/[^\s/@]*@/g, '://[redacted]@');
}
