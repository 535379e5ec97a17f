import { requireReviewer } from '../../auth/permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import type { Transaction } from '../../infra/db.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type NoteWithLines, noteWithDrafts } from './line-drafts.ts';
import { type LockedVersion, lockVersion, requireNewest, requireWaiting } from './lock-version.ts';
import { requireExpectedNote } from './review-conflict.ts';
import { queueReviewMails } from './review-mail.ts';
import type { ActOnVersion } from './review-version.ts';

/** What distinguishes the notes of reviewers that are no decisions (docs/decisions.md D116). */
interface NoteRules {
  action: 'more-information-requested' | 'super-review-requested' | 'comment';
  /** Action of the audit log. */
  audited: string;
  textRequired: boolean;
  /** Whether it sends the drafts of the reviewer about lines: authors read them. */
  sendsDrafts: boolean;
  /** @throws {InvalidInputError} when the version may not have such a note now. */
  check(tx: Transaction, version: LockedVersion): Promise<void>;
  /** The mark in the queue that the note sets. */
  mark?: { isInformationRequested: true } | { isReferred: true };
}

const REQUEST: NoteRules = {
  action: 'more-information-requested',
  audited: 'version-information-requested',
  textRequired: true,
  sendsDrafts: true,
  check: requireWaiting,
  mark: { isInformationRequested: true },
};

const REFERRAL: NoteRules = {
  action: 'super-review-requested',
  audited: 'version-referred',
  textRequired: false,
  sendsDrafts: false,
  check: requireWaiting,
  mark: { isReferred: true },
};

const COMMENT: NoteRules = {
  action: 'comment',
  audited: 'version-commented',
  textRequired: true,
  sendsDrafts: false,
  check: requireNewest,
};

/** The text of a note, with drafts about lines where the note sends them. */
async function noteOf(
  tx: Transaction,
  owner: { versionId: number; account: SignedIn },
  comments: string,
  { textRequired: required, sendsDrafts }: NoteRules,
): Promise<NoteWithLines> {
  if (sendsDrafts) return noteWithDrafts(tx, owner, comments, { required });
  return { comments: noteText(comments, { required }), send: async () => {} };
}

/** The act that writes a note of a reviewer. */
const writeNote =
  (rules: NoteRules): ActOnVersion =>
  async (tx, viewer, { versionId, expectedNote }, comments) => {
    const version = await lockVersion(tx, versionId);
    const reviewer = requireReviewer(viewer, version.addon, version.channel);
    await requireExpectedNote(tx, viewer, version, expectedNote);
    const note = await noteOf(tx, { versionId, account: reviewer }, comments, rules);
    await rules.check(tx, version);
    if (rules.mark) await tx.reviewQueueEntry.update({ where: { versionId }, data: rules.mark });
    const { action, audited } = rules;
    const addonId = version.addon.id;
    const { accountId } = reviewer;
    const activityId = await recordActivity(tx, { action, accountId, addonId, versionId, comments: note.comments });
    await note.send(activityId);
    await queueReviewMails(tx, activityId);
    await recordAudit(tx, reviewer, audited, { addonId, versionId, comments: note.comments });
    return { versionId, activityId };
  };

/**
 * Requests information from the developers of a version that waits for review, which stays in the queue with a mark.
 * @throws {NotFoundError}, {NotPermittedError} without the reviewer permission of its type and channel, {ReviewConflictError},
 * {InvalidInputError} for the text and when it does not wait.
 */
export const requestInformation = writeNote(REQUEST);

/** Refers a version that waits for review to an administrator. @throws what `requestInformation` throws; the text is optional. */
export const referVersion = writeNote(REFERRAL);

/**
 * Comments on a version, for reviewers only.
 * @throws what `requestInformation` throws, but {InvalidInputError} unless it is the newest version of its channel.
 */
export const commentOnVersion = writeNote(COMMENT);
