import { requireModerator } from '../../auth/operator-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { type KeysetPage, keysetClause, keysetConnection } from '../../graphql/connections.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';
import { AbuseReport, AbuseReportStateEnum } from './abuse-report.ts';

const AbuseReportFilter = builder.inputType('AbuseReportFilter', {
  description: 'Conditions for abuse reports; a report must match all of them.',
  fields: (t) => ({
    state: t.field({ type: AbuseReportStateEnum, description: 'The state of the report.' }),
    addon: t.string({ description: 'Database id, slug or guid of the reported add-on.' }),
    user: t.string({ description: 'Database id or username of the reported account.' }),
  }),
});

interface Filter {
  state?: string | null;
  addon?: string | null;
  user?: string | null;
}

const EVERY = Prisma.sql`true`;

/** A condition for a text that may be an id; texts that no row can have match nothing. */
function named(
  text: string | null | undefined,
  byId: (id: number) => Prisma.Sql,
  byName: (name: string) => Prisma.Sql,
) {
  if (text == null) return EVERY;
  if (/^\d+$/.test(text)) return byId(databaseId(text));
  return text.includes('\0') ? Prisma.sql`false` : byName(text.toWellFormed());
}

function matching({ state, addon, user }: Filter): Prisma.Sql {
  const isAddon = named(
    addon,
    (id) => Prisma.sql`r.addon_id = ${id}`,
    (name) => Prisma.sql`(lower(r.addon_guid) = lower(${name})
      OR r.addon_id IN (SELECT id FROM addon WHERE slug = ${name}::citext OR guid = ${name}::citext))`,
  );
  const isUser = named(
    user,
    (id) => Prisma.sql`r.account_id = ${id}`,
    (name) => Prisma.sql`r.account_id IN (SELECT id FROM account WHERE username = ${name}::citext)`,
  );
  const isState = state == null ? EVERY : Prisma.sql`r.state = ${state}`;
  return Prisma.sql`FROM abuse_report r WHERE ${isState} AND ${isAddon} AND ${isUser}`;
}

async function readPage(filter: Filter, page: KeysetPage) {
  const ids = await db.$queryRaw<
    { id: number }[]
  >`SELECT r.id ${matching(filter)} ${keysetClause('r.id', 'DESC', page)}`;
  const rows = await db.abuseReport.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  return ids.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
}

async function count(filter: Filter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(filter)}`;
  return row?.count ?? 0;
}

builder.queryField('abuseReports', (t) =>
  t.connection(
    {
      type: AbuseReport,
      description: 'Abuse reports, newest first. Requires AbuseReports:Edit.',
      args: { filter: t.arg({ type: AbuseReportFilter, description: 'Which reports; all by default.' }) },
      resolve: async (_root, { filter, ...cursors }, { viewer }) => {
        requireModerator(viewer);
        return {
          ...(await keysetConnection('abuseReports', cursors, (page) => readPage(filter ?? {}, page))),
          totalCount: () => count(filter ?? {}),
        };
      },
    },
    {
      name: 'AbuseReportConnection',
      description: 'One page of abuse reports.',
      fields: (connection) => ({ totalCount: connection.int({ resolve: ({ totalCount }) => totalCount() }) }),
    },
    { name: 'AbuseReportEdge', description: 'An abuse report and its cursor.' },
  ),
);
