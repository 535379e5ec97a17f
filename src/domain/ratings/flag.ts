/* Flags of ratings as moderators read them, and the flag of the viewer. */
import { canSeeHeldRatings } from '../../auth/rating-permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { countedFields, type KeysetPage, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import type { FlagReason } from './flag-rating.ts';
import { Rating } from './rating.ts';

interface Flag {
  id: number;
  ratingId: number;
  accountId: number | null;
  reason: FlagReason | 'flood';
  note: string | null;
  created: Date;
  decided: Date | null;
}

const COLUMNS = 'f.id, f.rating_id AS "ratingId", f.account_id AS "accountId", f.reason, f.note, f.created, f.decided';

const RaisedReasonEnum = enumOf<Flag['reason']>('RaisedFlagReason', 'Why a rating is flagged.', {
  spam: 'Spam or other content that is not about the add-on.',
  language: 'Inappropriate language.',
  bug_support: 'A report of a fault or a question that belongs to the support of the add-on.',
  other: 'What the note says.',
  flood: 'The service found many ratings of one star for the add-on within an hour.',
});

const RatingFlag = builder.objectRef<Flag>('RatingFlag').implement({
  description: 'A flag of a rating.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the flag in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('RatingFlag', id),
    }),
    reason: t.expose('reason', { type: RaisedReasonEnum, description: 'What is wrong.' }),
    note: t.exposeString('note', { nullable: true, description: 'Plain text by who flagged it; null without one.' }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'Who flagged it; null for the service itself.',
      resolve: ({ accountId }, _args, context) => (accountId === null ? null : accountSummary(context, accountId)),
    }),
    isByAuthor: t.boolean({
      description: 'Whether an author of the rated add-on flagged it.',
      resolve: async ({ accountId, ratingId }, _args, context) => {
        const { authors } = await Rating.getDataloader(context).load(ratingId);
        return authors.some((author) => author.accountId === accountId);
      },
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was first flagged.' }),
    decided: t.expose('decided', {
      type: 'DateTime',
      nullable: true,
      description: 'When a moderator decided about it; null while it is open.',
    }),
  }),
});

const readOwn = prepared<Flag>(
  lookupPool,
  'own-rating-flags',
  `SELECT ${COLUMNS} FROM rating_flag f WHERE f.rating_id = ANY($1::int[]) AND f.account_id = $2`,
);

const ownFlags = perRequest<number, Flag | null>(async (ids, { viewer }) => {
  const rows = viewer.kind === 'account' ? await readOwn(ids, viewer.accountId) : [];
  const found = new Map(rows.map((flag) => [flag.ratingId, flag]));
  return ids.map((id) => found.get(id) ?? null);
});

const readPages = prepared<Flag & { parentId: number }>(
  lookupPool,
  'rating-flags',
  `SELECT wanted.id AS "parentId", f.* FROM unnest($1::int[]) AS wanted(id) CROSS JOIN LATERAL (
     SELECT ${COLUMNS} FROM rating_flag f WHERE f.rating_id = wanted.id AND ($2::int IS NULL OR f.id < $2) AND ($3::int IS NULL OR f.id > $3)
     ORDER BY CASE WHEN $5 THEN f.id ELSE -f.id END LIMIT $4
   ) f ORDER BY CASE WHEN $5 THEN f.id ELSE -f.id END`,
);

const flagPages = pageLoader<Flag & { parentId: number }, KeysetPage>((ids, { after, before, limit, inverted }) =>
  readPages(ids, after, before, limit, inverted),
);

interface ReasonCount {
  reason: Flag['reason'];
  count: number;
}

const readCounts = prepared<ReasonCount & { id: number; open: number }>(
  lookupPool,
  'rating-flag-counts',
  `SELECT f.rating_id AS id, f.reason, count(*)::int AS count, count(*) FILTER (WHERE f.decided IS NULL)::int AS open
   FROM rating_flag f WHERE f.rating_id = ANY($1::int[]) GROUP BY f.rating_id, f.reason ORDER BY count DESC, f.reason`,
);

const flagCounts = perRequest<number, (ReasonCount & { open: number })[]>(async (ids) => {
  const found = Map.groupBy(await readCounts(ids), ({ id }) => id);
  return ids.map((id) => found.get(id) ?? []);
});

const ReasonCountType = builder.objectRef<ReasonCount & { open: number }>('RatingFlagCount').implement({
  description: 'How many flags of a rating have a reason.',
  fields: (t) => ({
    reason: t.expose('reason', { type: RaisedReasonEnum, description: 'What is wrong.' }),
    count: t.exposeInt('count', { description: 'Number of flags.' }),
    openCount: t.exposeInt('open', { description: 'Those that no moderator has decided about.' }),
  }),
});

const flagsOf = async (context: Context, ratingId: number, cursors: Parameters<typeof keysetConnection>[1]) => ({
  ...(await keysetConnection(`Rating.flags/${ratingId}`, cursors, (page) => flagPages(context, ratingId, page))),
  totalCount: async () => (await flagCounts(context).load(ratingId)).reduce((sum, { count }) => sum + count, 0),
});

builder.objectFields(Rating, (t) => ({
  viewerFlag: t.field({
    type: RatingFlag,
    nullable: true,
    description: 'The flag of the viewer; null without one.',
    resolve: ({ id }, _args, context) => ownFlags(context).load(id),
  }),
  openFlagCount: t.int({
    nullable: true,
    description: 'Number of flags that no moderator has decided about; null for others than moderators.',
    resolve: ({ openFlags }, _args, { viewer }) => (canSeeHeldRatings(viewer) ? openFlags : null),
  }),
  flagCounts: t.field({
    type: [ReasonCountType],
    nullable: true,
    description: 'Its flags by reason, most frequent first; null for others than moderators.',
    resolve: ({ id }, _args, context) => (canSeeHeldRatings(context.viewer) ? flagCounts(context).load(id) : null),
  }),
  flags: t.connection(
    {
      type: RatingFlag,
      nullable: true,
      description: 'Its flags, newest first; null for others than moderators.',
      resolve: ({ id }, cursors, context) => (canSeeHeldRatings(context.viewer) ? flagsOf(context, id, cursors) : null),
    },
    { name: 'RatingFlagConnection', description: 'One page of flags.', fields: (t) => countedFields(t) },
    { name: 'RatingFlagEdge', description: 'A flag and its cursor.' },
  ),
}));
