/*
 * What operators do with jobs. graphile-worker's own functions change a job only while no worker runs it. Each change and its row in the
 * audit log are one transaction. Callers check the permission.
 */
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { findJob } from './find-jobs.ts';

/**
 * Makes a job due now, with all its attempts.
 * @throws {NotFoundError} for a job that has ended, {InvalidInputError} for one that runs.
 */
export const retryJob = (actor: AuditActor, id: bigint): Promise<void> =>
  change(
    actor,
    id,
    'job-retried',
    Prisma.sql`SELECT id FROM graphile_worker.reschedule_jobs(ARRAY[${id}::int8], run_at => now(), attempts => 0)`,
  );

/**
 * Removes a job without running it. A version or an upload that still waits gets another one from a worker.
 * @throws {NotFoundError} for a job that has ended, {InvalidInputError} for one that runs.
 */
export const dropJob = (actor: AuditActor, id: bigint): Promise<void> =>
  change(actor, id, 'job-dropped', Prisma.sql`SELECT id FROM graphile_worker.complete_jobs(ARRAY[${id}::int8])`);

/** Characters of the cause that the entry keeps: the job is removed when it succeeds, and its last error with it. */
const KEPT_CAUSE = 500;

async function change(
  actor: AuditActor,
  id: bigint,
  action: 'job-retried' | 'job-dropped',
  statement: Prisma.Sql,
): Promise<void> {
  const job = await findJob(id);
  if (job === null) throw new NotFoundError();
  // The functions change jobs that have been locked for hours, too; a worker may be running them.
  if (job.state === 'running') throw new InvalidInputError(message('job.is_running'));
  await db.$transaction(async (tx: Transaction) => {
    const changed = await tx.$queryRaw<unknown[]>(statement);
    if (changed.length === 0) throw new InvalidInputError(message('job.is_running'));
    const { task, payload, attempts, lastFailed } = job;
    const cause = job.cause?.slice(0, KEPT_CAUSE) ?? null;
    const before = { attempts, cause, lastFailed: lastFailed?.toISOString() ?? null };
    await recordAudit(tx, actor, action, { job: String(id), task, payload, ...before });
  });
}
