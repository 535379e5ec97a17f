import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { enqueue, signVersionTask, validateUploadTask, validateVersionTask } from '../../jobs/tasks.ts';
import { STAGES, type Stage } from '../addons/stages.ts';
import { blockReason } from './change-stage.ts';

/** What takes a version out of each stage: a job, the decision of a reviewer, or nothing because the stage is final. */
const WAY_OUT: Record<Stage, typeof validateVersionTask | 'reviewer' | 'final'> = {
  received: validateVersionTask,
  validating: validateVersionTask,
  invalid: 'final',
  valid: validateVersionTask,
  awaiting_review: 'reviewer',
  signing: signVersionTask,
  signed: 'final',
  rejected: 'final',
  error: 'final',
};

const STAGES_WITH_JOB = STAGES.filter((stage) => typeof WAY_OUT[stage] === 'object');
const BATCH = 1_000;

/**
 * Enqueues the missing job of every upload and version that waits for one: the job was lost or has no attempts left, the
 * add-on was revived, or what blocked its signing is over. Returns the number of jobs added.
 */
export async function reconcileJobs(): Promise<number> {
  const waiting = await db.$queryRaw<{ versionId: number; stage: Stage }[]>`
    SELECT v.id AS "versionId", v.stage FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.stage = ANY(${STAGES_WITH_JOB}::text[]) AND v.deleted_at IS NULL
      AND (v.stage NOT IN ('valid', 'signing') OR ${blockReason} IS NULL)
      AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs AS job
        WHERE job.key IN ('validate-version:' || v.id, 'sign-version:' || v.id) AND job.attempts < job.max_attempts)
    ORDER BY v.id LIMIT ${BATCH}`;
  for (const { versionId, stage } of waiting) {
    const task = WAY_OUT[stage];
    if (typeof task === 'object') await enqueue(db, task, { versionId });
  }
  if (waiting.length > 0) log.warn({ versions: waiting.map(({ versionId }) => versionId) }, 'Added missing jobs.');
  return waiting.length + (await reconcileUploads());
}

/** The same for uploads that are not submitted. */
async function reconcileUploads(): Promise<number> {
  const waiting = await db.$queryRaw<{ uploadId: number }[]>`
    SELECT u.id AS "uploadId" FROM upload u
    WHERE u.stage IN ('received', 'validating') AND NOT EXISTS (
      SELECT FROM graphile_worker.jobs AS job
      WHERE job.key = 'validate-upload:' || u.id AND job.attempts < job.max_attempts)
    ORDER BY u.id LIMIT ${BATCH}`;
  for (const job of waiting) await enqueue(db, validateUploadTask, job);
  if (waiting.length > 0) log.warn({ uploads: waiting.map(({ uploadId }) => uploadId) }, 'Added missing jobs.');
  return waiting.length;
}
