import { reportKey } from '../../auth/report-key.ts';
import { builder, enumOf, INTERNAL, type InputFields, type ObjectFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { CollectionRefInput } from '../collections/find-collection.ts';
import { AbuseReport, AbuseReportStateEnum, type ReportRow } from './abuse-report.ts';
import { decideReport, replyToReport } from './decide-report.ts';
import { submitReport } from './submit-report.ts';

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
  description:
    'Decides about an abuse report, or reopens it. Requires AbuseReports:Edit. Moderators whom the report is about are refused.',
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
  description:
    'Sends the reporter a mail, if the reporter has an account with an address. Requires AbuseReports:Edit. Moderators whom the report is about are refused.',
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
