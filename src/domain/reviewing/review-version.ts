import { requireDecider } from '../../auth/review-permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { enqueue, signVersionTask } from '../../jobs/tasks.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage, type MovedVersion } from '../signing/change-stage.ts';
import { setFileStatus } from '../versions/file-status.ts';
import { noteWithDrafts } from './line-drafts.ts';
import { type LockedVersion, lockVersion, requireWaiting } from './lock-version.ts';
import { type NotedVersion, type ReviewTarget, requireExpectedNote } from './review-conflict.ts';
import { queueReviewMails } from './review-mail.ts';

/** Something that a viewer does about a version in review, in a transaction. */
export type ActOnVersion = (
  tx: Transaction,
  viewer: SignedIn,
  target: ReviewTarget,
  comments: string,
) => Promise<NotedVersion>;

const NO_PACKAGE = message('review.package_missing');

type Decision = (tx: Transaction, version: LockedVersion, accountId: number, comments: string) => Promise<MovedVersion>;

/** What distinguishes an approval from a rejection. */
interface DecisionRules {
  decision: Decision;
  /** Action of the audit log. */
  audited: string;
  textRequired: boolean;
}

/** Applies a decision to a version that waits for review. Of two simultaneous decisions, the second is refused. */
async function decide(
  tx: Transaction,
  viewer: Viewer,
  { versionId, expectedNote }: ReviewTarget,
  comments: string,
  { decision, audited, textRequired }: DecisionRules,
): Promise<NotedVersion> {
  const version = await lockVersion(tx, versionId);
  const { addon, channel, queued } = version;
  const account: SignedIn = requireDecider(viewer, addon, channel, queued?.isReferred ?? false);
  await requireExpectedNote(tx, viewer, version, expectedNote);
  const note = await noteWithDrafts(tx, { versionId, account }, comments, { required: textRequired });
  await requireWaiting(tx, version);
  const { activityId } = await decision(tx, version, account.accountId, note.comments);
  await note.send(activityId);
  await recordAudit(tx, account, audited, { addonId: addon.id, versionId, comments: note.comments });
  return { versionId, activityId };
}

/**
 * Approves a version in the transaction that locked it, and enqueues its signing. `accountId` may be the built-in account.
 * @throws {InvalidInputError} when it was imported without its package.
 */
export const approve: Decision = async (tx, { id: versionId }, accountId, comments) => {
  const files = await tx.file.findMany({ where: { versionId }, select: { isStored: true } });
  if (!files.every(({ isStored }) => isStored)) throw new InvalidInputError(NO_PACKAGE);
  const change = { versionId, from: ['awaiting_review'], to: 'signing', action: 'approved' } as const;
  const moved = await changed(tx, { ...change, accountId, comments });
  await enqueue(tx, signVersionTask, { versionId });
  return moved;
};

const reject: Decision = async (tx, { id: versionId, addon }, accountId, comments) => {
  const change = { versionId, from: ['awaiting_review'], to: 'rejected', action: 'rejected' } as const;
  const moved = await changed(tx, { ...change, accountId, comments, reason: comments });
  await setFileStatus(tx, versionId, FILE_STATUS.disabled);
  await refreshAddonStatus(tx, addon.id);
  await publishAddons(tx, [addon.id]);
  await queueReviewMails(tx, moved.activityId);
  return moved;
};

/** Changes the stage of a version that waits, which its lock guarantees. */
async function changed(tx: Transaction, change: Parameters<typeof changeStage>[1]): Promise<MovedVersion> {
  const moved = await changeStage(tx, change);
  if (moved === null) throw new Error(`version ${change.versionId} left the review queue while its add-on was locked`);
  return moved;
}

const APPROVAL: DecisionRules = { decision: approve, audited: 'version-approved', textRequired: false };
const REJECTION: DecisionRules = { decision: reject, audited: 'version-rejected', textRequired: true };

/**
 * Approves a version that waits for review; a job then signs it (contract, States). `comments` may be empty.
 * @throws {NotFoundError}, {NotPermittedError} without the reviewer permission of its type and channel, or `Addons:Edit` for a
 * version referred to an administrator, {ReviewConflictError}, {InvalidInputError} for a text that is too long, when it does not wait
 * for review, or was imported without its package.
 */
export const approveVersion: ActOnVersion = (tx, viewer, target, comments) =>
  decide(tx, viewer, target, comments, APPROVAL);

/**
 * Rejects a version that waits for review, which frees its number (contract, States).
 * @throws what `approveVersion` throws, and {InvalidInputError} on `comments` without a text.
 */
export const rejectVersion: ActOnVersion = (tx, viewer, target, comments) =>
  decide(tx, viewer, target, comments, REJECTION);
