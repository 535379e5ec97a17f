import { requireReviewer, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type LockedVersion, lockVersion, requireNewest, requireWaiting } from './lock-version.ts';
import { recordReply } from './reply.ts';
import { queueReviewMails } from './review-mail.ts';
import { noteText } from './review-text.ts';
import type { Noted } from './review-version.ts';

/** What distinguishes the notes of reviewers that are no decisions (docs/decisions.md D116). */
interface NoteRules {
  action: 'more-information-requested' | 'super-review-requested' | 'comment';
  /** Action of the audit log. */
  audited: string;
  textRequired: boolean;
  /** @throws {InvalidInputError} when the version may not have such a note now. */
  check(tx: Transaction, version: LockedVersion): Promise<void>;
  /** The mark in the queue that the note sets. */
  mark?: { isInformationRequested: true } | { isReferred: true };
}

const REQUEST: NoteRules = {
  action: 'more-information-requested',
  audited: 'version-information-requested',
  textRequired: true,
  check: requireWaiting,
  mark: { isInformationRequested: true },
};

const REFERRAL: NoteRules = {
  action: 'super-review-requested',
  audited: 'version-referred',
  textRequired: false,
  check: requireWaiting,
  mark: { isReferred: true },
};

const COMMENT: NoteRules = {
  action: 'comment',
  audited: 'version-commented',
  textRequired: true,
  check: requireNewest,
};

/** Writes a note of a reviewer. */
async function writeNote(viewer: Viewer, versionId: number, comments: string, rules: NoteRules): Promise<Noted> {
  const { accountId } = requireSignedIn(viewer);
  await consumeLimit('review-note-minute', accountId);
  return db.$transaction(async (tx) => {
    const version = await lockVersion(tx, versionId);
    const reviewer = requireReviewer(viewer, version.addon, version.channel);
    const text = noteText(comments, { required: rules.textRequired });
    await rules.check(tx, version);
    if (rules.mark) await tx.reviewQueueEntry.update({ where: { versionId }, data: rules.mark });
    const { action, audited } = rules;
    const addonId = version.addon.id;
    const activityId = await recordActivity(tx, { action, accountId, addonId, versionId, comments: text });
    await queueReviewMails(tx, activityId);
    await recordAudit(tx, reviewer, audited, { addonId, versionId, comments: text });
    return { versionId, activityId };
  });
}

/**
 * Requests information from the developers of a version that waits for review, which stays in the queue with a mark.
 * @throws {NotAuthenticatedError}, {ThrottledError}, {NotFoundError}, {NotPermittedError} without the reviewer permission of its type
 * and channel, {InvalidInputError} for the text and when it does not wait.
 */
export function requestInformation(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  return writeNote(viewer, versionId, comments, REQUEST);
}

/** Refers a version that waits for review to an administrator. @throws what `requestInformation` throws; the text is optional. */
export function referVersion(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  return writeNote(viewer, versionId, comments, REFERRAL);
}

/**
 * Comments on a version, for reviewers only.
 * @throws what `requestInformation` throws, but {InvalidInputError} unless it is the newest version of its channel.
 */
export function commentOnVersion(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  return writeNote(viewer, versionId, comments, COMMENT);
}

/** Replies in the thread of a version. @throws {NotAuthenticatedError}, {ThrottledError}, and what `recordReply` throws. */
export async function replyToReview(viewer: Viewer, versionId: number, comments: string): Promise<Noted> {
  const { accountId } = requireSignedIn(viewer);
  await consumeLimit('review-note-minute', accountId);
  const { activityId } = await db.$transaction((tx) => recordReply(tx, { versionId, accountId, text: comments }));
  return { versionId, activityId };
}
