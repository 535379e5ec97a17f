import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { holdReason } from './signing-hold.ts';
import type { Stage } from './stages.ts';

type Way = 'validate-version' | 'sign-version' | 'reviewer' | 'final';

/** What takes a version out of each stage: a job, the decision of a reviewer, or nothing because the stage is final. */
const WAY_OUT: Record<Stage, Way> = {
  received: 'validate-version',
  validating: 'validate-version',
  invalid: 'final',
  valid: 'validate-version',
  awaiting_review: 'reviewer',
  signing: 'sign-version',
  signed: 'final',
  rejected: 'final',
  error: 'final',
};

const BATCH = 1_000;
const stagesLeftBy = (way: Way) => Object.keys(WAY_OUT).filter((stage) => WAY_OUT[stage as Stage] === way);

/**
 * Enqueues a job for every version whose stage waits for one and that has none with attempts left: its job was lost, its
 * add-on was revived, or what held its signing is over. Returns the number of jobs added.
 */
export async function reconcileJobs(): Promise<number> {
  const validated = stagesLeftBy('validate-version');
  const signed = stagesLeftBy('sign-version');
  const waiting = await db.$queryRaw<{ versionId: number; stage: Stage }[]>`
    SELECT v.id AS "versionId", v.stage FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.stage = ANY(${[...validated, ...signed]}::text[]) AND v.deleted_at IS NULL
      AND (v.stage NOT IN ('valid', 'signing') OR ${holdReason} IS NULL)
      AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs AS job
        WHERE job.key IN ('validate-version:' || v.id, 'sign-version:' || v.id) AND job.attempts < job.max_attempts)
    ORDER BY v.id LIMIT ${BATCH}`;
  for (const { versionId, stage } of waiting) {
    await enqueue(db, signed.includes(stage) ? 'sign-version' : 'validate-version', { versionId });
  }
  if (waiting.length > 0) log.warn({ versions: waiting.map(({ versionId }) => versionId) }, 'Added missing jobs.');
  return waiting.length;
}
