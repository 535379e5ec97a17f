import { requireReviewer, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { accountName } from '../accounts/account-names.ts';
import { type QueueItem, queueItem } from './load-queue.ts';
import { lockVersion, requireWaiting } from './lock-version.ts';

/** A forgotten claim ends after this time; claiming again extends it. */
const CLAIM_HOURS = 2;

/**
 * Claims a version that waits for review, or with `release` ends the viewer's claim. Other reviewers see
 * the claim; it excludes the version from automatic approval, not from their decisions.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} without the reviewer permission of its type and channel,
 * {InvalidInputError} when it does not wait and when another reviewer has claimed it.
 */
export async function claimReview(viewer: Viewer, versionId: number, release: boolean): Promise<QueueItem> {
  requireSignedIn(viewer);
  return db.$transaction(async (tx) => {
    const version = await lockVersion(tx, versionId);
    const { accountId } = requireReviewer(viewer, version.addon, version.channel);
    await requireWaiting(tx, version);
    const claimedBy = (await queueItem(tx, versionId))?.claimedBy ?? null;
    if (claimedBy !== null && claimedBy !== accountId) {
      const claimant = await tx.account.findUniqueOrThrow({ where: { id: claimedBy } });
      throw new InvalidInputError(message('review.claimed', { name: accountName(claimant) }));
    }
    const claimedUntil = new Date(Date.now() + CLAIM_HOURS * 3_600_000);
    const claim = release ? { claimedBy: null, claimedUntil: null } : { claimedBy: accountId, claimedUntil };
    await tx.reviewQueueEntry.update({ where: { versionId }, data: claim });
    const item = await queueItem(tx, versionId);
    if (item === null) throw new Error(`version ${versionId} left the review queue while its add-on was locked`);
    return item;
  });
}
