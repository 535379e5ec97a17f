/* The state of an abuse report for its reporter. */
import { isReportKey } from '../../auth/report-key.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { type AbuseReportState, AbuseReportStateEnum, ReportedRating, type ReportRow } from './abuse-report.ts';

/** The report of this number; null unless the viewer has sent it, or has its key. */
async function findForReporter(viewer: Viewer, id: number, key: string | null): Promise<ReportRow | null> {
  const report = await db.abuseReport.findUnique({ where: { id } });
  if (report === null) return null;
  const isOwn = viewer.kind === 'account' && viewer.accountId === report.reporterId;
  return isOwn || (key !== null && isReportKey(key, id)) ? report : null;
}

const AbuseReportStatus = builder.objectRef<ReportRow>('AbuseReportStatus').implement({
  description: 'What the reporter of an abuse report sees of it.',
  fields: (t) => ({
    number: t.exposeInt('id', { description: 'The number of the report.' }),
    state: t.field({
      type: AbuseReportStateEnum,
      description: 'The decision about the report.',
      resolve: ({ state }) => state as AbuseReportState,
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was reported.' }),
    decided: t.expose('decided', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided; null while it is open.',
    }),
    addonGuid: t.exposeString('addonGuid', {
      nullable: true,
      description: 'The guid of the reported add-on; null in a report about an account.',
    }),
    collectionPath: t.exposeString('collectionPath', {
      nullable: true,
      description: 'Username and slug of the reported collection; null in a report about something else.',
    }),
    rating: t.field({
      type: ReportedRating,
      nullable: true,
      description: 'The reported rating or reply; null in a report about something else.',
      resolve: ({ ratingId }) => (ratingId === null ? null : { id: ratingId }),
    }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description:
        'The reported account, or that of the reported collection or rating; null in a report about an add-on.',
      resolve: ({ accountId }, _args, context) => (accountId === null ? null : accountSummary(context, accountId)),
    }),
    isOwn: t.boolean({
      description: 'Whether the viewer has sent it with the account that is signed in.',
      resolve: ({ reporterId }, _args, { viewer }) => viewer.kind === 'account' && viewer.accountId === reporterId,
    }),
  }),
});

builder.queryField('abuseReportStatus', (t) =>
  t.field({
    type: AbuseReportStatus,
    nullable: true,
    description: 'The state of an abuse report, for its reporter. Null for others, and for an unknown number.',
    args: {
      number: t.arg.int({ required: true, description: 'The number of the report.' }),
      key: t.arg.string({
        description: 'The key that the report was confirmed with. The account that has sent it needs none.',
      }),
    },
    resolve: (_root, { number, key }, { viewer }) => findForReporter(viewer, databaseId(String(number)), key ?? null),
  }),
);
