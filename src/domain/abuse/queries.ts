import { requirePermission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { countedFields, type KeysetPage, keysetClause, keysetConnection } from '../../graphql/connections.ts';
import { idOf } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import { type AccountRef, AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { AbuseReport, AbuseReportStateEnum } from './abuse-report.ts';
import { isDecidableBy } from './report-facts.ts';

const AbuseReportTargetEnum = enumOf('AbuseReportTarget', 'What reports are about.', {
  addon: 'Add-ons of this service.',
  unknown_addon: 'Add-ons that this service did not have when they were reported.',
  account: 'Accounts.',
  collection: 'Collections.',
  rating: 'Ratings, and replies to them.',
});

const AbuseReportFilter = builder.inputType('AbuseReportFilter', {
  description: 'Conditions for abuse reports; a report must match all of them.',
  fields: (t) => ({
    state: t.field({ type: AbuseReportStateEnum, description: 'The state of the report.' }),
    addon: t.field({ type: AddonRefInput, description: 'The reported add-on.' }),
    account: t.field({ type: AccountRefInput, description: 'The reported account.' }),
    collection: t.id({ description: 'Global id of the reported collection.' }),
    rating: t.id({ description: 'Global id of the reported rating or reply.' }),
    decidedBy: t.field({ type: AccountRefInput, description: 'The moderator who made the present decision.' }),
    target: t.field({ type: AbuseReportTargetEnum, description: 'What they are about.' }),
    olderThanHours: t.int({ description: 'Only reports that were sent longer ago than this, in hours.' }),
    isDecidable: t.boolean({
      description:
        'Only reports that the viewer decides about, or only the others: those about the viewer, an add-on of the viewer or a rating of such an add-on.',
    }),
  }),
});

interface Filter {
  state?: string | null;
  addon?: AddonRef | null;
  account?: AccountRef | null;
  decidedBy?: AccountRef | null;
  collection?: string | null;
  rating?: string | null;
  target?: keyof typeof TARGETS | null;
  olderThanHours?: number | null;
  isDecidable?: boolean | null;
}

const TARGETS = {
  addon: Prisma.sql`r.addon_id IS NOT NULL`,
  unknown_addon: Prisma.sql`r.addon_guid IS NOT NULL AND r.addon_id IS NULL`,
  account: Prisma.sql`r.account_id IS NOT NULL AND r.collection_path IS NULL AND r.rating_id IS NULL`,
  collection: Prisma.sql`r.collection_path IS NOT NULL`,
  rating: Prisma.sql`r.rating_id IS NOT NULL`,
};

/** Longer than any report waits; PostgreSQL refuses times long before our era. */
const MAX_HOURS = 1_000_000;

const EVERY = Prisma.sql`true`;

/** A report about a guid may be older than the add-on. */
function isAbout({ id, databaseId, slug, guid }: AddonRef): Prisma.Sql {
  if (id != null) return Prisma.sql`r.addon_id = ${idOf('Addon', id, 'addon')}`;
  if (databaseId != null) return Prisma.sql`r.addon_id = ${databaseId}`;
  if (guid == null)
    return Prisma.sql`r.addon_id IN (SELECT id FROM addon WHERE slug = ${comparableText(slug ?? '')}::citext)`;
  return Prisma.sql`(lower(r.addon_guid) = lower(${comparableText(guid)})
    OR r.addon_id IN (SELECT id FROM addon WHERE guid = ${comparableText(guid)}::citext))`;
}

/** SQL: the column of `r` has the id of an account. */
function isAccount(column: 'account_id' | 'decided_by', by: AccountRef): Prisma.Sql {
  const key = accountKey(by, column === 'account_id' ? 'account' : 'decidedBy');
  const id = Prisma.raw(`r.${column}`);
  if ('id' in key) return Prisma.sql`${id} = ${key.id}`;
  return Prisma.sql`${id} IN (SELECT id FROM account WHERE username = ${comparableText(key.username)}::citext)`;
}

function isOlderThan(hours: number): Prisma.Sql {
  if (hours < 0) throw refusedField('olderThanHours', message('field.negative'));
  return Prisma.sql`r.created < now() - make_interval(hours => ${Math.min(hours, MAX_HOURS)}::int)`;
}

function matching(viewer: Viewer, filter: Filter, sort: Sort): Prisma.Sql {
  const { state, addon, account, decidedBy, collection, rating, target, olderThanHours, isDecidable } = filter;
  const conditions = [
    ...(sort === 'decided' ? [Prisma.sql`r.decided IS NOT NULL`] : []),
    ...(state == null ? [] : [Prisma.sql`r.state = ${state}`]),
    ...(addon == null ? [] : [isAbout(addon)]),
    ...(account == null ? [] : [isAccount('account_id', account)]),
    ...(decidedBy == null ? [] : [isAccount('decided_by', decidedBy)]),
    ...(collection == null ? [] : [Prisma.sql`r.collection_id = ${idOf('Collection', collection, 'collection')}`]),
    ...(rating == null ? [] : [Prisma.sql`r.rating_id = ${idOf('Rating', rating, 'rating')}`]),
    ...(target == null ? [] : [TARGETS[target]]),
    ...(olderThanHours == null ? [] : [isOlderThan(olderThanHours)]),
    ...(isDecidable == null ? [] : [Prisma.sql`${isDecidableBy(viewer)} = ${isDecidable}`]),
  ];
  return Prisma.sql`FROM abuse_report r WHERE ${Prisma.join([EVERY, ...conditions], ' AND ')}`;
}

/** The end of a statement that reads a page of decided reports, from AND to LIMIT. */
function byDecision({ before, after, limit, inverted }: KeysetPage): Prisma.Sql {
  const place = (id: number) => Prisma.sql`(SELECT p.decided, p.id FROM abuse_report p WHERE p.id = ${id})`;
  const start = after === null ? Prisma.empty : Prisma.sql`AND (r.decided, r.id) < ${place(after)}`;
  const end = before === null ? Prisma.empty : Prisma.sql`AND (r.decided, r.id) > ${place(before)}`;
  const direction = Prisma.raw(inverted ? 'ASC' : 'DESC');
  return Prisma.sql`${start} ${end} ORDER BY r.decided ${direction}, r.id ${direction} LIMIT ${limit}`;
}

async function readPage(viewer: Viewer, filter: Filter, sort: Sort, page: KeysetPage) {
  const end = sort === 'decided' ? byDecision(page) : keysetClause('r.id', 'DESC', page);
  const ids = await db.$queryRaw<{ id: number }[]>`SELECT r.id ${matching(viewer, filter, sort)} ${end}`;
  const rows = await db.abuseReport.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  return ids.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
}

async function count(viewer: Viewer, filter: Filter, sort: Sort): Promise<number> {
  const [row] = await db.$queryRaw<
    { count: number }[]
  >`SELECT count(*)::int AS count ${matching(viewer, filter, sort)}`;
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
      resolve: async (_root, { filter, sort, ...cursors }, { viewer }) => {
        requirePermission(viewer, 'AbuseReports:Edit');
        const [conditions, order] = [filter ?? {}, sort ?? 'created'];
        return {
          ...(await keysetConnection('abuseReports', cursors, (page) => readPage(viewer, conditions, order, page))),
          totalCount: () => count(viewer, conditions, order),
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
