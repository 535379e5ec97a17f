/* The replies that moderators have sent to the reporter of an abuse report: rows of the activity log. */
import { canModerate } from '../../auth/operator-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared, type Transaction } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { AbuseReport } from './abuse-report.ts';

interface Reply {
  id: number;
  /** The moderator; null once the account is gone. */
  accountId: number | null;
  recipientId: number | null;
  text: string;
  created: Date;
}

/** SQL: the replies to report `of.id`; the condition of the index `activity_abuse_replies`. */
const OF_REPORT = `FROM activity r WHERE r.action = 'abuse-reply-sent' AND r.details->>'reportId' = of.id::text`;

const selectPages = (name: string, direction: 'ASC' | 'DESC') =>
  prepared<Reply & { parentId: number }>(
    lookupPool,
    name,
    `SELECT of.id AS "parentId", n.* FROM unnest($1::int[]) AS of(id) CROSS JOIN LATERAL (
       SELECT r.id, r.account_id AS "accountId", (r.details->>'recipientId')::int AS "recipientId", r.comments AS text, r.created
       ${OF_REPORT} AND ($2::int IS NULL OR r.id < $2) AND ($3::int IS NULL OR r.id > $3)
       ORDER BY r.id ${direction} LIMIT $4) n`,
  );

const [newestFirst, oldestFirst] = [selectPages('abuse-replies', 'DESC'), selectPages('abuse-replies-reversed', 'ASC')];

const replies = pageLoader<Reply & { parentId: number }>((reportIds, { after, before, limit, inverted }) =>
  (inverted ? oldestFirst : newestFirst)(reportIds, after, before, limit),
);

const COUNT = `SELECT of.id, (SELECT count(*)::int ${OF_REPORT}) AS count FROM unnest($1::int[]) AS of(id)`;
const readCounts = prepared<{ id: number; count: number }>(lookupPool, 'count-abuse-replies', COUNT);

const replyCounts = perRequest<number, number>(async (reportIds) => {
  const counts = new Map((await readCounts(reportIds)).map(({ id, count }) => [id, count]));
  return reportIds.map((id) => counts.get(id) ?? 0);
});

/** The number of replies in a transaction that has locked the report. */
export async function countReplies(tx: Transaction, reportId: number): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ count: number }[]>(COUNT, [reportId]);
  return row?.count ?? 0;
}

const AbuseReply = builder.objectRef<Reply>('AbuseReportReply').implement({
  description: 'A reply by mail to the reporter of an abuse report.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the reply in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('AbuseReportReply', id),
    }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The moderator; null once the account is gone.',
      resolve: ({ accountId }, _args, context) => (accountId === null ? null : accountSummary(context, accountId)),
    }),
    recipient: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'Who got the mail: the reporter at that time.',
      resolve: ({ recipientId }, _args, context) =>
        recipientId === null ? null : accountSummary(context, recipientId),
    }),
    text: t.exposeString('text', { description: 'Plain text by the moderator.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When the mail was queued.' }),
  }),
});

builder.objectField(AbuseReport, 'replies', (t) =>
  t.connection(
    {
      type: AbuseReply,
      nullable: true,
      description: 'Replies of moderators to its reporter, newest first; null for viewers without AbuseReports:Edit.',
      resolve: async ({ id }, cursors, context) => {
        if (!canModerate(context.viewer)) return null;
        const load = (page: Parameters<typeof replies>[2]) => replies(context, id, page);
        const page = await keysetConnection(`AbuseReport.replies/${id}`, cursors, load);
        return { ...page, totalCount: () => replyCounts(context).load(id) };
      },
    },
    {
      name: 'AbuseReportReplyConnection',
      description: 'One page of the replies to an abuse report.',
      fields: (t) => countedFields(t),
    },
    { name: 'AbuseReportReplyEdge', description: 'A reply and its cursor.' },
  ),
);
