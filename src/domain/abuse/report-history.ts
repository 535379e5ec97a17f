/* What moderators have done about an abuse report: decisions and replies by mail, rows of the activity log. */
import { canModerate } from '../../auth/operator-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { type ConnectionArguments, countedFields, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared, type Transaction } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { AbuseReport, type AbuseReportState, AbuseReportStateEnum, type ReportRow } from './abuse-report.ts';
import { seesReporter } from './report-facts.ts';

interface Reply {
  id: number;
  /** The moderator; null once the account is deleted. */
  accountId: number | null;
  recipientId: number | null;
  /** Of a reply the mail, of a decision the note that came with it, empty without one. */
  text: string;
  created: Date;
}

/** A decision, which has both states, or a reply, which has none. */
interface ReportEvent extends Reply {
  stateBefore: AbuseReportState | null;
  stateAfter: AbuseReportState | null;
}

const COLUMNS = `r.id, r.account_id AS "accountId", (r.details->>'recipientId')::int AS "recipientId", r.comments AS text, r.created,
  r.details->>'from' AS "stateBefore", r.details->>'to' AS "stateAfter"`;

/** Reads rows of the log about reports, of the actions that `isIncluded` names; it is the condition of an index. */
function logOf<Row extends Reply>(name: string, isIncluded: string) {
  const rowsOf = `FROM activity r WHERE ${isIncluded} AND r.details->>'reportId' = of.id::text`;
  const select = (direction: 'ASC' | 'DESC') =>
    prepared<Row & { parentId: number }>(
      lookupPool,
      `${name}-${direction}`,
      `SELECT of.id AS "parentId", n.* FROM unnest($1::int[]) AS of(id) CROSS JOIN LATERAL (
         SELECT ${COLUMNS} ${rowsOf} AND ($2::int IS NULL OR r.id < $2) AND ($3::int IS NULL OR r.id > $3)
         ORDER BY r.id ${direction} LIMIT $4) n`,
    );
  const [newestFirst, oldestFirst] = [select('DESC'), select('ASC')];
  const pages = pageLoader<Row & { parentId: number }>((reportIds, { after, before, limit, inverted }) =>
    (inverted ? oldestFirst : newestFirst)(reportIds, after, before, limit),
  );
  const count = `SELECT of.id, (SELECT count(*)::int ${rowsOf}) AS count FROM unnest($1::int[]) AS of(id)`;
  const readCounts = prepared<{ id: number; count: number }>(lookupPool, `count-${name}`, count);
  const counts = perRequest<number, number>(async (reportIds) => {
    const found = new Map((await readCounts(reportIds)).map((row) => [row.id, row.count]));
    return reportIds.map((id) => found.get(id) ?? 0);
  });
  return {
    count,
    /** A page of the field `field` of a report; null for viewers who are no moderators. */
    async connection(context: Context, report: ReportRow, field: string, cursors: ConnectionArguments) {
      if (!canModerate(context.viewer)) return null;
      const { id } = report;
      const page = await keysetConnection(`AbuseReport.${field}/${id}`, cursors, async (each) => {
        const [rows, isShown] = await Promise.all([pages(context, id, each), seesReporter(context, report)]);
        return isShown ? rows : rows.map((row) => ({ ...row, recipientId: null }));
      });
      return { ...page, totalCount: () => counts(context).load(id) };
    },
  };
}

const replies = logOf<Reply>('abuse-replies', "r.action = 'abuse-reply-sent'");
const events = logOf<ReportEvent>('abuse-history', "r.action IN ('abuse-report-decided', 'abuse-reply-sent')");

/** The number of replies in a transaction that has locked the report. */
export async function countReplies(tx: Transaction, reportId: number): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ count: number }[]>(replies.count, [reportId]);
  return row?.count ?? 0;
}

const summaryOf = async (context: Context, accountId: number | null) =>
  accountId === null ? null : accountSummary(context, accountId);

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
      description: 'The moderator; null once the account is deleted.',
      resolve: ({ accountId }, _args, context) => summaryOf(context, accountId),
    }),
    recipient: t.field({
      type: AccountSummary,
      nullable: true,
      description:
        'Who got the mail: the reporter at that time. Null for moderators whom the report of another is about.',
      resolve: ({ recipientId }, _args, context) => summaryOf(context, recipientId),
    }),
    text: t.exposeString('text', { description: 'Plain text by the moderator.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When the mail was queued.' }),
  }),
});

const ReportEventType = builder.objectRef<ReportEvent>('AbuseReportEvent').implement({
  description: 'What a moderator did about an abuse report: a decision, or a reply to its reporter.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the event in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('AbuseReportEvent', id),
    }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The moderator; null once the account is deleted.',
      resolve: ({ accountId }, _args, context) => summaryOf(context, accountId),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it happened.' }),
    stateBefore: t.field({
      type: AbuseReportStateEnum,
      nullable: true,
      description: 'The state before a decision; null for a reply.',
      resolve: ({ stateBefore }) => stateBefore,
    }),
    stateAfter: t.field({
      type: AbuseReportStateEnum,
      nullable: true,
      description: 'The state after a decision; the same as before when it changed the note alone. Null for a reply.',
      resolve: ({ stateAfter }) => stateAfter,
    }),
    note: t.string({
      nullable: true,
      description: 'The note for other moderators that came with a decision; null without one, and for a reply.',
      resolve: ({ stateAfter, text }) => (stateAfter === null ? null : text || null),
    }),
    reply: t.field({
      type: AbuseReply,
      nullable: true,
      description: 'The reply; null for a decision.',
      resolve: (event) => (event.stateAfter === null ? event : null),
    }),
  }),
});

builder.objectFields(AbuseReport, (t) => ({
  replies: t.connection(
    {
      type: AbuseReply,
      nullable: true,
      description: 'Replies of moderators to its reporter, newest first; null for viewers without AbuseReports:Edit.',
      resolve: (report, cursors, context) => replies.connection(context, report, 'replies', cursors),
    },
    {
      name: 'AbuseReportReplyConnection',
      description: 'One page of the replies to an abuse report.',
      fields: (c) => countedFields(c),
    },
    { name: 'AbuseReportReplyEdge', description: 'A reply and its cursor.' },
  ),
  history: t.connection(
    {
      type: ReportEventType,
      nullable: true,
      description: 'Decisions and replies of moderators, newest first; null for viewers without AbuseReports:Edit.',
      resolve: (report, cursors, context) => events.connection(context, report, 'history', cursors),
    },
    {
      name: 'AbuseReportEventConnection',
      description: 'One page of the history of an abuse report.',
      fields: (c) => countedFields(c),
    },
    { name: 'AbuseReportEventEdge', description: 'An event and its cursor.' },
  ),
}));
