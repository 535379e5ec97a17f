import { mailViewer } from '../../auth/credential-account.ts';
import { requireReplier } from '../../auth/review-permissions.ts';
import { NotPermittedError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type NoteWithLines, noteWithDrafts } from './line-drafts.ts';
import { lockVersion, requireNewest } from './lock-version.ts';
import { type NotedVersion, type ReviewTarget, requireExpectedNote } from './review-conflict.ts';
import { queueReviewMails } from './review-mail.ts';

/** A reply to a review, by the API or by mail. */
interface ReviewReply {
  versionId: number;
  accountId: number;
  expectedNote?: ReviewTarget['expectedNote'];
  /** Whether it sends the drafts of the account about lines; with drafts, the text may be empty. */
  sendsDrafts?: true;
  /** Plain text, 1 to 10,000 characters without surrounding white space. */
  text: string;
}

/**
 * Adds the reply of an author or a reviewer to the thread of a version. A reply of an author ends the open requests for information
 * about the versions of its channel, older ones included, because those take no replies (docs/decisions.md D116). Checks the account's
 * current permissions and queues the mails about the reply.
 * @throws {NotFoundError} for an unknown or deleted version, {NotPermittedError} for other accounts and for disabled or deleted
 * ones, {ReviewConflictError}, {InvalidInputError} for the text and unless the version is the newest of its channel.
 */
export async function recordReply(
  tx: Transaction,
  { versionId, accountId, expectedNote, sendsDrafts, text }: ReviewReply,
): Promise<NotedVersion> {
  const viewer = await mailViewer(tx, accountId);
  if (viewer === null) throw new NotPermittedError();
  const version = await lockVersion(tx, versionId);
  const { isAuthor } = requireReplier(viewer, version.addon, version.channel);
  await requireExpectedNote(tx, viewer, version, expectedNote);
  const { comments, send }: NoteWithLines = sendsDrafts
    ? await noteWithDrafts(tx, { versionId, account: viewer }, text, { required: true })
    : { comments: noteText(text, { required: true }), send: async () => {} };
  await requireNewest(tx, version);
  if (isAuthor) {
    const open = { addonId: version.addon.id, channel: version.channel, isInformationRequested: true };
    await tx.reviewQueueEntry.updateMany({ where: open, data: { isInformationRequested: false } });
  }
  const activityId = await recordActivity(tx, {
    action: 'review-note',
    accountId,
    addonId: version.addon.id,
    versionId,
    comments,
    details: { by: isAuthor ? 'developer' : 'reviewer' },
  });
  await send(activityId);
  await queueReviewMails(tx, activityId);
  if (!isAuthor) {
    await recordAudit(tx, viewer, 'version-reply-sent', { addonId: version.addon.id, versionId, comments });
  }
  return { versionId, activityId };
}
