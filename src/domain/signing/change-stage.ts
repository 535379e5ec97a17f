import type { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { type Database, Prisma, type Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import { type Message, message } from '../../texts/messages.ts';
import { type ActivityFacts, activityInsert } from '../activity/record-activity.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import type { Stage } from '../addons/stages.ts';
import { publishAddons } from '../listing/publish-addons.ts';

/** Why a version has its stage: a message of the service, or the words of a reviewer. */
export type StageReason = Message | string;

/** SQL that sets the reason of a stage: the words of a reviewer as text, a message of the service as code and parameters. */
export function setReason(reason: StageReason | null): Prisma.Sql {
  const words = typeof reason === 'string' ? reason : null;
  const json = reason === null || typeof reason === 'string' ? null : JSON.stringify(reason);
  return Prisma.sql`reason = ${words}, reason_message = ${json}::jsonb`;
}

/** SQL: whether the account that uploaded version `v` is disabled. */
export const isUploaderDisabled = Prisma.sql`EXISTS (SELECT FROM upload JOIN account ON account.id = upload.account_id
    WHERE upload.version_id = v.id AND account.disabled_at IS NOT NULL)`;

const jsonOf = (code: 'signing.addon_deleted' | 'signing.addon_disabled' | 'signing.uploader_disabled') =>
  Prisma.sql`${JSON.stringify(message(code))}::jsonb`;

/** SQL: the message why version `v` of add-on `a` may not be signed or published, as JSON; NULL when it may. */
export const blockReason = Prisma.sql`CASE
  WHEN a.deleted_at IS NOT NULL THEN ${jsonOf('signing.addon_deleted')}
  WHEN a.status = 'disabled' THEN ${jsonOf('signing.addon_disabled')}
  WHEN ${isUploaderDisabled} THEN ${jsonOf('signing.uploader_disabled')} END`;

/**
 * Locks the uploader's account and the add-on of a version until the end of the transaction, in the order of all other
 * changes. Returns whether the version is blocked: it may be neither signed nor published while the add-on is deleted or the
 * operator disables either.
 */
export async function lockForSigning(tx: Transaction, versionId: number): Promise<{ isBlocked: boolean }> {
  await tx.$queryRaw`
    SELECT FROM account JOIN upload ON upload.account_id = account.id
    WHERE upload.version_id = ${versionId} FOR SHARE OF account`;
  const [row] = await tx.$queryRaw<{ reason: Message | null }[]>`
    SELECT ${blockReason} AS reason FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.id = ${versionId} FOR NO KEY UPDATE OF a`;
  return { isBlocked: row?.reason !== null };
}

/** Why an upload ends in `error` when the store no longer has the bytes of its package: neither a validator nor the signer may use others. */
export const unusableReason = ({ problem }: StoredFileError): Message =>
  message(problem === 'lost' ? 'package.lost' : 'package.replaced');

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

/**
 * Takes a version in the stage `valid` to its next stage: listed versions wait for a reviewer, unlisted ones are signed, unless
 * they are blocked. Returns whether to sign now.
 */
export async function advanceValidVersion(
  tx: Transaction,
  { id: versionId, addonId, channel }: { id: number; addonId: number; channel: Channel },
): Promise<boolean> {
  const { isBlocked } = await lockForSigning(tx, versionId);
  if (channel === 'listed') {
    await changeStage(tx, { versionId, from: ['valid'], to: 'awaiting_review', action: 'review-requested' });
    await refreshAddonStatus(tx, addonId);
    await publishAddons(tx, [addonId]);
    return false;
  }
  if (isBlocked) return false;
  return (await changeStage(tx, { versionId, from: ['valid'], to: 'signing', action: 'signing-started' })) !== null;
}
