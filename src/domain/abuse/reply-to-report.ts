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
import { queueMails } from '../mail/queue-mail.ts';
import { noteText } from '../reviewing/review-text.ts';
import type { ReportRow } from './abuse-report.ts';

/**
 * Sends the reporter a mail in the moderator's words (docs/decisions.md D112). The same text is sent once.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit`, {NotFoundError}, {InvalidInputError} for an
 * empty or too long text, and for a reporter who is anonymous or gets no mails.
 */
export async function replyToReport(viewer: Viewer, id: number, input: string): Promise<ReportRow> {
  const moderator = requireModerator(viewer);
  const text = noteText(input, { field: 'text', required: true });
  const cause = `abuse-report:${id}:${createHash('sha256').update(text).digest('hex')}`;
  return db.$transaction(async (tx) => {
    const report = await tx.abuseReport.findUnique({ where: { id } });
    if (report === null) throw new NotFoundError();
    const accountIds = report.reporterId === null ? [] : [report.reporterId];
    const target = await targetName(tx, report);
    const letter = (language: Language) => ({
      subject: `${config.SITE_NAME}: ${translate(MAIL_TEXTS, language, 'report.subject', { target })}`,
      opening: [],
      quotedText: text,
      closing: [],
    });
    const queued = await queueMails(tx, { accountIds, notification: 'individual_contact', cause, letter });
    if (queued.length === 0) {
      if (await wasSent(tx, cause)) return report;
      throw new InvalidInputError(message('abuse.reporter_unreachable'));
    }
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

async function targetName(tx: Transaction, { accountId, addonGuid }: ReportRow): Promise<string> {
  if (accountId === null) return addonGuid ?? '';
  return (await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { username: true } })).username;
}

const wasSent = async (tx: Transaction, cause: string): Promise<boolean> =>
  (await tx.outgoingMail.findFirst({ where: { cause }, select: { id: true } })) !== null;
