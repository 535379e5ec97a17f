import { type Database, Prisma } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import { type ActivityFacts, activityInsert } from '../activity/record-activity.ts';
import type { Stage } from '../addons/stages.ts';
import { type StageReason, setReason } from './stored-reason.ts';

/** A transition between stages, the account that makes it and the reason. */
export interface StageChange extends ActivityFacts {
  versionId: number;
  from: readonly Stage[];
  to: Stage;
  reason?: StageReason | null;
  /** Results of the validator, for transitions that it decides. */
  results?: ValidationResults;
}

/** The version that changed its stage, and its activity row. */
export interface MovedVersion {
  activityId: number;
  addonId: number;
  channel: Channel;
}

/**
 * Moves a version to another stage and writes the activity row, in one statement. Returns null and writes nothing when the
 * version is deleted or in none of the `from` stages. An imported version has no upload row to update.
 */
export async function changeStage(tx: Database, change: StageChange): Promise<MovedVersion | null> {
  const { versionId, from, to, reason = null, results: found, ...facts } = change;
  const results = found === undefined ? null : JSON.stringify(found);
  const isDecision = to === 'signed' || to === 'rejected';
  const [moved] = await tx.$queryRaw<MovedVersion[]>`
    WITH moved AS (
      UPDATE version SET stage = ${to}, ${setReason(reason)}, modified = now(),
        reviewed = CASE WHEN ${isDecision}::bool THEN now() ELSE reviewed END
      WHERE id = ${versionId} AND stage = ANY(${from}::text[]) AND deleted_at IS NULL
      RETURNING id, addon_id, channel
    ), touched AS (
      UPDATE upload SET updated = now(), validation = coalesce(${results}::json, validation),
        validated_at = CASE WHEN ${results}::json IS NULL THEN validated_at ELSE now() END
      FROM moved WHERE upload.version_id = moved.id
    ), logged AS (
      ${activityInsert({ ...facts, details: { ...facts.details, stage: to } }, Prisma.sql`SELECT addon_id, id FROM moved`)}
      RETURNING id
    )
    SELECT moved.addon_id AS "addonId", moved.channel, logged.id AS "activityId" FROM moved, logged`;
  return moved ?? null;
}
