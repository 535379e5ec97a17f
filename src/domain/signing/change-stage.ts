import { type Database, Prisma } from '../../infra/db.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import { type ActivityFacts, activityInsert } from '../activity/record-activity.ts';
import type { Channel, Stage } from './stages.ts';

/** A step in the life of a version: where it may start, where it leads, who takes it and why. */
export interface StageChange extends ActivityFacts {
  versionId: number;
  from: readonly Stage[];
  to: Stage;
  reason?: string | null;
  /** What the validator found, where this step is its verdict. */
  results?: ValidationResults;
}

/** The version that a step was taken with. */
export interface MovedVersion {
  addonId: number;
  channel: Channel;
}

/**
 * Takes a version from one stage to the next with one conditional update, and writes the activity row beside it: all in
 * one statement, as every upload takes several steps. A version that was imported has no upload that could be touched.
 * Returns null, having written nothing, when the version is no longer where the step starts: somebody else was faster.
 */
export async function changeStage(tx: Database, change: StageChange): Promise<MovedVersion | null> {
  const { versionId, from, to, reason = null, results: found, ...facts } = change;
  const results = found === undefined ? null : JSON.stringify(found);
  const isDecision = to === 'signed' || to === 'rejected';
  const [moved] = await tx.$queryRaw<MovedVersion[]>`
    WITH moved AS (
      UPDATE version SET stage = ${to}, reason = ${reason}, modified = now(),
        reviewed = CASE WHEN ${isDecision}::bool THEN now() ELSE reviewed END
      WHERE id = ${versionId} AND stage = ANY(${from}::text[]) AND deleted_at IS NULL
      RETURNING id, addon_id, channel
    ), touched AS (
      UPDATE upload SET updated = now(), validation = coalesce(${results}::json, validation),
        validated_at = CASE WHEN ${results}::json IS NULL THEN validated_at ELSE now() END
      FROM moved WHERE upload.version_id = moved.id
    ), logged AS (
      ${activityInsert({ ...facts, details: { ...facts.details, stage: to } }, Prisma.sql`SELECT addon_id, id FROM moved`)}
    )
    SELECT addon_id AS "addonId", channel FROM moved`;
  return moved ?? null;
}
