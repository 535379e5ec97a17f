import { createHash } from 'node:crypto';
import { requirePermission } from '../../auth/permissions.ts';
import { reportKey } from '../../auth/report-key.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { builder, enumOf, INTERNAL, type InputFields, type ObjectFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { message } from '../../texts/messages.ts';
import { translate } from '../../texts/translate.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { CollectionRefInput } from '../collections/find-collection.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { AbuseReport, type AbuseReportState, AbuseReportStateEnum, type ReportRow } from './abuse-report.ts';
import { countReplies } from './report-history.ts';
import { reportedName } from './reported-name.ts';
import { submitReport } from './submit-report.ts';

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
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit`, {NotFoundError}, {InvalidInputError} for a
 * note that is too long, on `state` or `note` where another moderator has changed what the viewer read, and as `sendReply` does, on
 * fields of `reply`. Then nothing is saved or sent.
 */
async function decideReport(viewer: Viewer, id: number, { reply, ...decision }: Decision): Promise<ReportRow> {
  const moderator = requirePermission(viewer, 'AbuseReports:Edit');
  const note = decision.note == null ? undefined : noteText(decision.note, { field: 'note', required: false });
  return db.$transaction(async (tx) => {
    const before = await lockReport(tx, id);
    const kept = { state: decision.state, note: note === undefined ? before.note : note || null };
    const after = await saveDecision(tx, moderator, { before, kept, expected: decision.expected ?? {} });
    if (reply != null) await sendReply(tx, moderator, after, { ...reply, path: 'reply.' });
    return after;
  });
}

/** Writes a mail to the reporter (docs/decisions.md D112). @throws as `decideReport` does for a reply. */
async function replyToReport(viewer: Viewer, id: number, reply: Reply): Promise<ReportRow> {
  const moderator = requirePermission(viewer, 'AbuseReports:Edit');
  return db.$transaction(async (tx) => {
    const report = await lockReport(tx, id);
    await sendReply(tx, moderator, report, { ...reply, path: '' });
    return report;
  });
}

/** @throws {NotFoundError} */
async function lockReport(tx: Transaction, id: number): Promise<ReportRow> {
  await tx.$queryRaw`SELECT FROM abuse_report WHERE id = ${id} FOR UPDATE`;
  const report = await tx.abuseReport.findUnique({ where: { id } });
  if (report === null) throw new NotFoundError();
  return report;
}

type Moderator = ReturnType<typeof requirePermission>;

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
  await recordActivity(tx, { action: 'abuse-report-decided', accountId: moderator.accountId, details });
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

/** What a report returns: the report, and the key of its sender. */
const newReport = (t: ObjectFields<{ report: ReportRow }>) => ({
  report: t.field({ type: AbuseReport, description: 'The new report.', resolve: ({ report }) => report }),
  key: t.string({
    description: 'Secret with which its sender reads the state of the report, in abuseReportStatus. It is shown once.',
    resolve: ({ report }) => reportKey(report.id),
  }),
});

mutation('reportAddon', {
  description:
    'Reports an add-on to the moderators. Signing in is optional; 20 reports a day and reporter are accepted.',
  input: 'A report about an add-on.',
  inputFields: (t) => ({
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on. Its guid may be unknown here.' }),
    message: t.string({ required: true, description: 'Plain text, at most 10,000 characters.' }),
  }),
  resolve: async ({ addon, ...texts }, context) => ({
    report: await submitReport(context, 'addon', new Map(Object.entries(texts)), { addon }),
  }),
  payloadFields: newReport,
});

mutation('reportAccount', {
  description:
    'Reports an account to the moderators. Signing in is optional; 20 reports a day and reporter are accepted.',
  input: 'A report about an account.',
  inputFields: (t) => ({
    account: t.field({ type: AccountRefInput, required: true, description: 'The account.' }),
    message: t.string({ required: true, description: 'Plain text, at most 10,000 characters.' }),
  }),
  resolve: async ({ account, ...texts }, context) => ({
    report: await submitReport(context, 'user', new Map(Object.entries(texts)), { account }),
  }),
  payloadFields: newReport,
});

mutation('reportCollection', {
  description:
    'Reports a collection to the moderators. Signing in is optional; 20 reports a day and reporter are accepted.',
  input: 'A report about a collection.',
  inputFields: (t) => ({
    collection: t.field({ type: CollectionRefInput, required: true, description: 'The collection.' }),
    message: t.string({ required: true, description: 'Plain text, at most 10,000 characters.' }),
  }),
  resolve: async ({ collection, ...texts }, context) => ({
    report: await submitReport(context, 'collection', new Map(Object.entries(texts)), { collection }),
  }),
  payloadFields: newReport,
});

mutation('reportRating', {
  description:
    'Reports a rating, or a reply to one, to the moderators. Signing in is optional; 20 reports a day and reporter are accepted.',
  input: 'A report about a rating.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the rating.' }),
    message: t.string({ required: true, description: 'Plain text, at most 10,000 characters.' }),
  }),
  resolve: async ({ id, ...texts }, context) => ({
    report: await submitReport(context, 'rating', new Map(Object.entries(texts)), { rating: { id } }),
  }),
  payloadFields: newReport,
});

const ReportKindEnum = enumOf('AbuseReportKind', 'What a report is about.', {
  addon: 'An add-on.',
  user: 'An account.',
  collection: 'A collection.',
  rating: 'A rating, or a reply to one.',
});

builder.mutationField('submitAbuseReport', (t) =>
  t.field({
    type: AbuseReport,
    description: 'Stores a report from the unchecked values of a REST body.',
    subGraphs: INTERNAL,
    args: {
      kind: t.arg({ type: ReportKindEnum, required: true, description: 'What the report is about.' }),
      values: t.arg({ type: 'JSON', required: true, description: 'The values by name.' }),
    },
    resolve: (_root, { kind, values }, context) =>
      submitReport(context, kind, new Map(Object.entries(values as Record<string, unknown>))),
  }),
);

const ExpectedDecisionInput = builder.inputType('ExpectedAbuseReportInput', {
  description: 'A report as the client read it. Absent fields are not compared.',
  fields: (t) => ({
    state: t.field({ type: AbuseReportStateEnum, description: 'The state.' }),
    note: t.string({ description: 'The note; null or an empty text for none.' }),
  }),
});

/** What both mutations with a reply take. */
const replyFields = (t: InputFields) => ({
  text: t.string({ required: true, description: 'Plain text, at most 10,000 characters.' }),
  replyCount: t.int({
    description: 'The number of replies that the client read. If there are others now, nothing is sent.',
  }),
});

const ReplyInput = builder.inputType('AbuseReportReplyInput', {
  description: 'A reply by mail to the reporter of an abuse report.',
  fields: replyFields,
});

mutation('decideAbuseReport', {
  description: 'Decides about an abuse report, or reopens it. Requires AbuseReports:Edit.',
  input: 'A decision about an abuse report.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the report.' }),
    state: t.field({
      type: AbuseReportStateEnum,
      required: true,
      description: 'The decision; OPEN reopens the report.',
    }),
    note: t.string({ description: 'Plain text for other moderators, at most 10,000 characters.' }),
    expected: t.field({
      type: ExpectedDecisionInput,
      description: 'What the client read. If another moderator has decided since, nothing is changed.',
    }),
    reply: t.field({
      type: ReplyInput,
      description: 'Sent with the decision, as by replyToAbuseReport. If it is refused, the decision is not saved.',
    }),
  }),
  resolve: async ({ id, expected, ...decision }, { viewer }) => ({
    report: await decideReport(viewer, idOf('AbuseReport', id), { ...decision, expected: expected ?? {} }),
  }),
  payloadFields: (t) => ({
    report: t.field({
      type: AbuseReport,
      description: 'The report after the decision.',
      resolve: ({ report }: { report: ReportRow }) => report,
    }),
  }),
});

mutation('replyToAbuseReport', {
  description: 'Sends the reporter a mail, if the reporter has an account with an address. Requires AbuseReports:Edit.',
  input: 'A reply to a reporter.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the report.' }),
    ...replyFields(t),
  }),
  resolve: async ({ id, ...reply }, { viewer }) => ({
    report: await replyToReport(viewer, idOf('AbuseReport', id), reply),
  }),
  payloadFields: (t) => ({
    report: t.field({
      type: AbuseReport,
      description: 'The report.',
      resolve: ({ report }: { report: ReportRow }) => report,
    }),
  }),
});
