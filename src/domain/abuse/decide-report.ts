/* What moderators do about a report: decisions, notes and replies by mail. */
import { createHash } from 'node:crypto';
import { requirePermission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { message } from '../../texts/messages.ts';
import { translate } from '../../texts/translate.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { queueMails } from '../mail/queue-mail.ts';
import type { AbuseReportState, ReportRow } from './abuse-report.ts';
import { requireReportDecider } from './report-facts.ts';
import { countReplies } from './report-history.ts';
import { reportedName } from './reported-name.ts';

type Moderator = ReturnType<typeof requirePermission>;

interface Decision {
  state: AbuseReportState;
  /** Absent: the note stays. */
  note?: string | null;
  /** State and note that the moderator read; absent ones are not compared. */
  expected?: { state?: AbuseReportState | null; note?: string | null };
  /** Sent with the decision; null for none. */
  reply?: Reply | null;
}

interface Reply {
  text: string;
  /** The number of replies that the moderator has read. */
  replyCount?: number | null;
}

/**
 * Decides about a report, or reopens it, and sends the reporter a reply with it, if there is one. A repeated decision changes nothing.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit` and in a report about the viewer, {NotFoundError},
 * {InvalidInputError} for a note that is too long, on `state` or `note` where another moderator has changed what the viewer read, and as
 * `sendReply` does, on fields of `reply`. Then nothing is saved or sent.
 */
export async function decideReport(viewer: Viewer, id: number, { reply, ...decision }: Decision): Promise<ReportRow> {
  const moderator = requirePermission(viewer, 'AbuseReports:Edit');
  const note = decision.note == null ? undefined : noteText(decision.note, { field: 'note', required: false });
  return db.$transaction(async (tx) => {
    const before = await lockReport(tx, moderator, id);
    const kept = { state: decision.state, note: note === undefined ? before.note : note || null };
    const after = await saveDecision(tx, moderator, { before, kept, expected: decision.expected ?? {} });
    if (reply != null) await sendReply(tx, moderator, after, { ...reply, path: 'reply.' });
    return after;
  });
}

/** Writes a mail to the reporter (docs/decisions.md D112). @throws as `decideReport` does for a reply. */
export async function replyToReport(viewer: Viewer, id: number, reply: Reply): Promise<ReportRow> {
  const moderator = requirePermission(viewer, 'AbuseReports:Edit');
  return db.$transaction(async (tx) => {
    const report = await lockReport(tx, moderator, id);
    await sendReply(tx, moderator, report, { ...reply, path: '' });
    return report;
  });
}

/** Locks a report that the moderator decides about. @throws {NotFoundError}, {NotPermittedError}. */
async function lockReport(tx: Transaction, moderator: Moderator, id: number): Promise<ReportRow> {
  await tx.$queryRaw`SELECT FROM abuse_report WHERE id = ${id} FOR UPDATE`;
  const report = await tx.abuseReport.findUnique({ where: { id } });
  if (report === null) throw new NotFoundError();
  await requireReportDecider(tx, moderator, report);
  return report;
}

async function saveDecision(
  tx: Transaction,
  moderator: Moderator,
  {
    before,
    kept,
    expected,
  }: { before: ReportRow; kept: Pick<ReportRow, 'state' | 'note'>; expected: NonNullable<Decision['expected']> },
): Promise<ReportRow> {
  if (kept.state === before.state && kept.note === before.note) return before;
  requireExpected({ expected, present: before, wanted: kept });
  const isOpen = kept.state === 'open';
  const decided = isOpen ? null : new Date();
  const after = await tx.abuseReport.update({
    where: { id: before.id },
    data: { ...kept, decided, decidedBy: isOpen ? null : moderator.accountId },
  });
  const details = { reportId: before.id, from: before.state, to: after.state };
  const comments = after.note === before.note ? '' : (after.note ?? '');
  await recordActivity(tx, { action: 'abuse-report-decided', accountId: moderator.accountId, details, comments });
  await recordAudit(tx, moderator, 'abuse-report-decided', { ...details, note: after.note });
  return after;
}

/**
 * Queues a mail to the reporter in the moderator's words. The same text is sent once. `path` precedes the names of fields in errors.
 * @throws {InvalidInputError} for an empty or too long text, for a reporter who is anonymous or gets no mails, and on `replyCount` after
 * a reply of another moderator.
 */
async function sendReply(
  tx: Transaction,
  moderator: Moderator,
  report: ReportRow,
  { text: input, replyCount, path }: Reply & { path: string },
): Promise<void> {
  const text = noteText(input, { field: `${path}text`, required: true });
  const cause = `abuse-report:${report.id}:${createHash('sha256').update(text).digest('hex')}`;
  if (await wasSent(tx, cause)) return;
  if (replyCount != null && (await countReplies(tx, report.id)) !== replyCount) throw repliedSince(`${path}replyCount`);
  const accountIds = report.reporterId === null ? [] : [report.reporterId];
  const targetIn = await reportedName(tx, report);
  const letter = (language: Language, locale: string) => ({
    subject: `${config.SITE_NAME}: ${translate(MAIL_TEXTS, language, 'report.subject', { target: targetIn(language, locale) })}`,
    opening: [],
    quotedText: text,
    closing: [],
  });
  const queued = await queueMails(tx, { accountIds, notification: 'individual_contact', cause, letter });
  if (queued.length === 0) throw new InvalidInputError(message('abuse.reporter_unreachable'));
  const details = { reportId: report.id, recipientId: report.reporterId };
  await recordActivity(tx, { action: 'abuse-reply-sent', accountId: moderator.accountId, details, comments: text });
  await recordAudit(tx, moderator, 'abuse-reply-sent', details);
}

function repliedSince(field: string): InvalidInputError {
  const text = message('abuse.replied_since');
  return new InvalidInputError(text, { [field]: [text] }, [field]);
}

const wasSent = async (tx: Transaction, cause: string): Promise<boolean> =>
  (await tx.outgoingMail.findFirst({ where: { cause }, select: { id: true } })) !== null;
