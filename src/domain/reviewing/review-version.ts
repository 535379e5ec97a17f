import { requireSignedIn } from '../../auth/permissions.ts';
import { requireDecider } from '../../auth/review-permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { signVersionTask } from '../../jobs/tasks.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage, type MovedVersion } from '../signing/change-stage.ts';
import { setFileStatus } from '../versions/file-status.ts';
import { type LockedVersion, lockVersion, requireWaiting } from './lock-version.ts';
import { queueReviewMails } from './review-mail.ts';
import { noteText } from './review-text.ts';

/** A version and the activity row of the note that was written on it. */
export interface Noted {
  versionId: number;
  activityId: number;
}

const NO_PACKAGE = message('review.package_missing');

type Decision = (tx: Transaction, version: LockedVersion, accountId: number, comments: string) => Promise<MovedVersion>;

/** Applies a decision to a version that waits for review. Of two simultaneous decisions, the second is refused. */
async function decide(
  viewer: Viewer,
  versionId: number,
  comments: string,
  { decision, action, textRequired }: { decision: Decision; action: string; textRequired: boolean },
): Promise<Noted> {
  requireSignedIn(viewer);
  return db.$transaction(async (tx) => {
    const version = await lockVersion(tx, versionId);
    const { addon, channel, queued } = version;
    const account: SignedIn = requireDecider(viewer, addon, channel, queued?.isReferred ?? false);
    const text = noteText(comments, { required: textRequired });
    await requireWaiting(tx, version);
    const { activityId } = await decision(tx, version, account.accountId, text);
    await recordAudit(tx, account, action, { addonId: addon.id, versionId, comments: text });
    return { versionId, activityId };
  });
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

/**
 * Approves a version that waits for review; a job then signs it (contract, States). `comments` may be empty.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} without the reviewer permission of its type and channel, or
 * `Addons:Edit` for a version referred to an administrator, {InvalidInputError} for a text that is too long, when it does not
 * wait for review, or was imported without its package.
 */
export function approveVersion(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  return decide(viewer, versionId, comments, { decision: approve, action: 'version-approved', textRequired: false });
}

/**
 * Rejects a version that waits for review, which frees its number (contract, States).
 * @throws what `approveVersion` throws, and {InvalidInputError} on `comments` without a text.
 */
export function rejectVersion(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  return decide(viewer, versionId, comments, { decision: reject, action: 'version-rejected', textRequired: true });
}
