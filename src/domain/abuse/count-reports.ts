/* The sizes of the lists of abuse reports, in one statement. */
import { requirePermission } from '../../auth/permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { db, type Prisma } from '../../infra/db.ts';
import type { AbuseReportState } from './abuse-report.ts';
import { AbuseReportFilter, isMatching } from './report-filter.ts';

type Counts = Record<AbuseReportState | 'decidedByViewer', number>;

/** Each part has an index, so that reports without further conditions are counted in indexes alone. */
async function countReports({ accountId }: SignedIn, condition: Prisma.Sql): Promise<Counts> {
  const rows = await db.$queryRaw<{ name: keyof Counts; count: number }[]>`
    SELECT r.state AS name, count(*)::int AS count FROM abuse_report r WHERE ${condition} GROUP BY r.state
    UNION ALL SELECT 'decidedByViewer', count(*)::int FROM abuse_report r WHERE r.decided_by = ${accountId} AND ${condition}`;
  const none: Counts = { open: 0, valid: 0, dismissed: 0, duplicate: 0, decidedByViewer: 0 };
  return Object.assign(none, Object.fromEntries(rows.map(({ name, count }) => [name, count])));
}

const AbuseReportCounts = builder.objectRef<Counts>('AbuseReportCounts').implement({
  description: 'Numbers of abuse reports.',
  fields: (t) => ({
    open: t.exposeInt('open', { description: 'Those that wait for a decision.' }),
    valid: t.exposeInt('valid', { description: 'Justified ones.' }),
    dismissed: t.exposeInt('dismissed', { description: 'Those that are not justified.' }),
    duplicate: t.exposeInt('duplicate', { description: 'Those that another report covers.' }),
    all: t.int({
      description: 'Those in all states.',
      resolve: ({ open, valid, dismissed, duplicate }) => open + valid + dismissed + duplicate,
    }),
    decidedByViewer: t.exposeInt('decidedByViewer', {
      description: 'Those whose present decision the viewer has made.',
    }),
  }),
});

builder.queryField('abuseReportCounts', (t) =>
  t.field({
    type: AbuseReportCounts,
    description: 'How many abuse reports match a filter, by state. Requires AbuseReports:Edit.',
    args: { filter: t.arg({ type: AbuseReportFilter, description: 'Which reports; all by default.' }) },
    resolve: async (_root, { filter }, context) => {
      const moderator = requirePermission(context.viewer, 'AbuseReports:Edit');
      return countReports(moderator, await isMatching(context, filter ?? {}));
    },
  }),
);
