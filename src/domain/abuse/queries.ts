import { requirePermission } from '../../auth/permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { countedFields, type KeysetPage, keysetClause, keysetConnection } from '../../graphql/connections.ts';
import { db, Prisma } from '../../infra/db.ts';
import { AbuseReport } from './abuse-report.ts';
import { AbuseReportFilter, isMatching } from './report-filter.ts';

/** SQL: from FROM on, the reports that match a condition. */
const matching = (condition: Prisma.Sql, sort: Sort): Prisma.Sql =>
  Prisma.sql`FROM abuse_report r WHERE ${condition} ${sort === 'decided' ? Prisma.sql`AND r.decided IS NOT NULL` : Prisma.empty}`;

/** The end of a statement that reads a page of decided reports, from AND to LIMIT. */
function byDecision({ before, after, limit, inverted }: KeysetPage): Prisma.Sql {
  const place = (id: number) => Prisma.sql`(SELECT p.decided, p.id FROM abuse_report p WHERE p.id = ${id})`;
  const start = after === null ? Prisma.empty : Prisma.sql`AND (r.decided, r.id) < ${place(after)}`;
  const end = before === null ? Prisma.empty : Prisma.sql`AND (r.decided, r.id) > ${place(before)}`;
  const direction = Prisma.raw(inverted ? 'ASC' : 'DESC');
  return Prisma.sql`${start} ${end} ORDER BY r.decided ${direction}, r.id ${direction} LIMIT ${limit}`;
}

async function readPage(condition: Prisma.Sql, sort: Sort, page: KeysetPage) {
  const end = sort === 'decided' ? byDecision(page) : keysetClause('r.id', 'DESC', page);
  const ids = await db.$queryRaw<{ id: number }[]>`SELECT r.id ${matching(condition, sort)} ${end}`;
  const rows = await db.abuseReport.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  return ids.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
}

async function count(condition: Prisma.Sql, sort: Sort): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(condition, sort)}`;
  return row?.count ?? 0;
}

const SortEnum = enumOf('AbuseReportSort', 'The order of abuse reports.', {
  created: 'The newest report first.',
  decided: 'Decided reports alone, the newest decision first.',
});

type Sort = (typeof SortEnum)['$inferType'];

builder.queryField('abuseReports', (t) =>
  t.connection(
    {
      type: AbuseReport,
      description: 'Abuse reports. Requires AbuseReports:Edit.',
      args: {
        filter: t.arg({ type: AbuseReportFilter, description: 'Which reports; all by default.' }),
        sort: t.arg({ type: SortEnum, description: 'The order; CREATED by default.' }),
      },
      resolve: async (_root, { filter, sort, ...cursors }, context) => {
        requirePermission(context.viewer, 'AbuseReports:Edit');
        const [condition, order] = [await isMatching(context, filter ?? {}), sort ?? 'created'];
        return {
          ...(await keysetConnection('abuseReports', cursors, (page) => readPage(condition, order, page))),
          totalCount: () => count(condition, order),
        };
      },
    },
    {
      name: 'AbuseReportConnection',
      description: 'One page of abuse reports.',
      fields: (t) => countedFields(t),
    },
    { name: 'AbuseReportEdge', description: 'An abuse report and its cursor.' },
  ),
);
