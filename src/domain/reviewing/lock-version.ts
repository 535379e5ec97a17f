import { InvalidInputError, NotFoundError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { accountName } from '../accounts/account-names.ts';
import { NO_ADDON } from '../addons/find-addon.ts';
import { isOneOf, NOT_A_VERSION, type Stage } from '../addons/stages.ts';
import { type LockedAddon, lockExistingAddon } from '../listing/lock-addon.ts';

/** A version whose add-on is locked, with its marks in the review queue; `queued` is null when it does not wait. */
export interface LockedVersion {
  id: number;
  /** Its version number. */
  number: string;
  channel: Channel;
  stage: Stage;
  addon: LockedAddon;
  queued: { isReferred: boolean; claimedBy: number | null; claimedUntil: Date | null } | null;
}

/**
 * Locks the add-on of a version and reads the version, so that concurrent changes of it run one after the other.
 * @throws {NotFoundError} for an unknown or deleted version or add-on, and for an upload that is no version.
 */
export async function lockVersion(tx: Transaction, id: number): Promise<LockedVersion> {
  const found = await tx.version.findUnique({ where: { id }, select: { addonId: true, stage: true, deletedAt: true } });
  const isReviewable = found !== null && found.deletedAt === null && !isOneOf(NOT_A_VERSION, found.stage);
  // The same statements follow for every version that is not found.
  const addon = await lockExistingAddon(tx, isReviewable ? found.addonId : NO_ADDON);
  const queued = { select: { isReferred: true, claimedBy: true, claimedUntil: true } };
  const version = await tx.version.findUniqueOrThrow({
    where: { id },
    select: { version: true, channel: true, stage: true, deletedAt: true, queued },
  });
  if (version.deletedAt !== null || isOneOf(NOT_A_VERSION, version.stage)) throw new NotFoundError();
  const { version: number, channel, stage } = version;
  return { id, number, addon, queued: version.queued, channel: channel as Channel, stage: stage as Stage };
}

/** @throws {InvalidInputError} unless the version waits for review; the message names the decision that was made. */
export async function requireWaiting(tx: Transaction, { id, queued }: LockedVersion): Promise<void> {
  if (queued !== null) return;
  const decision = await tx.activity.findFirst({
    where: { versionId: id, action: { in: ['approved', 'rejected'] } },
    orderBy: { id: 'desc' },
    select: { action: true, account: true },
  });
  if (decision === null) throw new InvalidInputError(message('review.not_waiting'));
  const isApproved = decision.action === 'approved';
  if (decision.account === null) {
    throw new InvalidInputError(message(isApproved ? 'review.approved' : 'review.rejected'));
  }
  const name = accountName(decision.account);
  throw new InvalidInputError(message(isApproved ? 'review.approved_by' : 'review.rejected_by', { name }));
}

/** @throws {InvalidInputError} unless the version is the newest of its channel; rejected ones count, failed uploads do not. */
export async function requireNewest(tx: Transaction, { id, channel, addon }: LockedVersion): Promise<void> {
  const newest = await tx.version.findFirst({
    where: { addonId: addon.id, channel, deletedAt: null, stage: { notIn: [...NOT_A_VERSION] } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  if (newest?.id !== id) throw new InvalidInputError(message('review.not_latest_version'));
}
