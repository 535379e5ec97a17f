import { createHash } from 'node:crypto';
import { requireModerator } from '../../auth/operator-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { message } from '../../texts/messages.ts';
import { translate } from '../../texts/translate.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { noteText } from '../reviewing/review-text.ts';
import type { AbuseReportState, ReportRow } from './abuse-report.ts';
import { countReplies } from './replies.ts';

interface Decision {
  state: AbuseReportState;
  /** Absent: the note stays. */
  note?: string | null;
  /** State and note that the moderator read; absent ones are not compared. */
  expected?: { state?: AbuseReportState | null; note?: string | null };
}

/**
 * Decides about a report, or reopens it. A repeated decision changes nothing.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit`, {NotFoundError}, {InvalidInputError} for a
 * note that is too long, and on `state` or `note` where another moderator has changed what the viewer read.
 */
export async function decideReport(viewer: Viewer, id: number, decision: Decision): Promise<ReportRow> {
  const moderator = requireModerator(viewer);
  const note = decision.note == null ? undefined : noteText(decision.note, { field: 'note', required: false });
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM abuse_report WHERE id = ${id} FOR UPDATE`;
    const before = await tx.abuseReport.findUnique({ where: { id } });
    if (before === null) throw new NotFoundError();
    const kept = { state: decision.state, note: note === undefined ? before.note : note || null };
    if (kept.state === before.state && kept.note === before.note) return before;
    requireExpected({ expected: decision.expected ?? {}, present: before, wanted: kept });
    const isOpen = kept.state === 'open';
    const decided = isOpen ? null : new Date();
    const after = await tx.abuseReport.update({
      where: { id },
      data: { ...kept, decided, decidedBy: isOpen ? null : moderator.accountId },
    });
    const details = { reportId: id, from: before.state, to: after.state };
    await recordActivity(tx, { action: 'abuse-report-decided', accountId: moderator.accountId, details });
    await recordAudit(tx, moderator, 'abuse-report-decided', { ...details, note: after.note });
    return after;
  });
}

/**
 * Sends the reporter a mail in the moderator's words (docs/decisions.md D112). The same text is sent once. `replyCount` is the number
 * of replies that the moderator has read.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit`, {NotFoundError}, {InvalidInputError} for an
 * empty or too long text, for a reporter who is anonymous or gets no mails, and on `replyCount` after a reply of another moderator.
 */
export async function replyToReport(
  viewer: Viewer,
  id: number,
  { text: input, replyCount }: { text: string; replyCount?: number | null },
): Promise<ReportRow> {
  const moderator = requireModerator(viewer);
  const text = noteText(input, { field: 'text', required: true });
  const cause = `abuse-report:${id}:${createHash('sha256').update(text).digest('hex')}`;
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM abuse_report WHERE id = ${id} FOR UPDATE`;
    const report = await tx.abuseReport.findUnique({ where: { id } });
    if (report === null) throw new NotFoundError();
    if (await wasSent(tx, cause)) return report;
    if (replyCount != null && (await countReplies(tx, id)) !== replyCount) throw repliedSince();
    const accountIds = report.reporterId === null ? [] : [report.reporterId];
    const target = await targetName(tx, report);
    const letter = (language: Language) => ({
      subject: `${config.SITE_NAME}: ${translate(MAIL_TEXTS, language, 'report.subject', { target })}`,
      opening: [],
      quotedText: text,
      closing: [],
    });
    const queued = await queueMails(tx, { accountIds, notification: 'individual_contact', cause, letter });
    if (queued.length === 0) throw new InvalidInputError(message('abuse.reporter_unreachable'));
    const details = { reportId: id, recipientId: report.reporterId };
    await recordActivity(tx, {
      action: 'abuse-reply-sent',
      accountId: moderator.accountId,
      details,
      comments: text,
    });
    await recordAudit(tx, moderator, 'abuse-reply-sent', details);
    return report;
  });
}

function repliedSince(): InvalidInputError {
  const text = message('abuse.replied_since');
  return new InvalidInputError(text, { replyCount: [text] }, ['replyCount']);
}

async function targetName(tx: Transaction, { accountId, addonGuid }: ReportRow): Promise<string> {
  if (accountId === null) return addonGuid ?? '';
  return (await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { username: true } })).username;
}

const wasSent = async (tx: Transaction, cause: string): Promise<boolean> =>
  (await tx.outgoingMail.findFirst({ where: { cause }, select: { id: true } })) !== null;
