import { requireReviewer } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { signVersionTask } from '../../jobs/tasks.ts';
import { type Channel, FILE_STATUS } from '../../package/words.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from '../signing/change-stage.ts';

const NO_PACKAGE = 'The package of this version is missing: it was imported without it.';

async function versionUnderReview(id: number) {
  return db.version.findUnique({ where: { id }, include: { addon: { include: { authors: true } }, files: true } });
}

type UnderReview = NonNullable<Awaited<ReturnType<typeof versionUnderReview>>>;
type Decision = (tx: Transaction, version: UnderReview, accountId: number, comments: string) => Promise<boolean>;

/** Applies a decision to a version that waits for review. Of two simultaneous decisions, the second is refused. */
async function decide(viewer: Viewer, versionId: number, comments: string, decision: Decision): Promise<number> {
  const version = await versionUnderReview(versionId);
  if (version === null || version.deletedAt || version.addon.deletedAt) throw new NotFoundError();
  const { accountId } = requireReviewer(viewer, version.addon, version.channel as Channel);
  const decided = await db.$transaction(async (tx) => {
    await lockExistingAddon(tx, version.addonId);
    return decision(tx, version, accountId, comments);
  });
  if (!decided) throw new InvalidInputError('This version is not waiting for a review.');
  return version.id;
}

/**
 * Approves a version that waits for review; a job then signs it (contract, States).
 * @throws {NotFoundError}, {NotPermittedError} without the reviewer permission of its type and channel,
 * {InvalidInputError} when it does not wait for review or was imported without its package.
 */
export function approveVersion(viewer: Viewer, versionId: number, comments: string): Promise<number> {
  return decide(viewer, versionId, comments, async (tx, version, accountId) => {
    const change = {
      versionId,
      from: ['awaiting_review'],
      to: 'signing',
      action: 'approved',
      accountId,
      comments,
    } as const;
    if (!(await changeStage(tx, change))) return false;
    if (!version.files.every(({ isStored }) => isStored)) throw new InvalidInputError(NO_PACKAGE);
    await enqueue(tx, signVersionTask, { versionId });
    return true;
  });
}

/**
 * Rejects a version that waits for review, which frees its number (contract, States).
 * @throws what `approveVersion` throws.
 */
export function rejectVersion(viewer: Viewer, versionId: number, comments: string): Promise<number> {
  return decide(viewer, versionId, comments, async (tx, version, accountId) => {
    const reason = comments === '' ? 'Rejected by a reviewer.' : comments;
    const change = { from: ['awaiting_review'], to: 'rejected', action: 'rejected' } as const;
    if (!(await changeStage(tx, { ...change, versionId, accountId, comments, reason }))) return false;
    await tx.file.updateMany({ where: { versionId }, data: { status: FILE_STATUS.disabled } });
    await refreshAddonStatus(tx, version.addonId);
    await publishAddons(tx, [version.addonId]);
    return true;
  });
}
