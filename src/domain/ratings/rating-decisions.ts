/* What moderators have decided about a rating, rows of the activity log. */
import { canDecideRating } from '../../auth/rating-permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { type KeysetPage, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import type { RatingDecision } from './flag-rating.ts';
import { Rating } from './rating.ts';

export const DecisionEnum = enumOf<RatingDecision>('RatingDecision', 'What becomes of a rating or reply.', {
  keep: 'It is shown.',
  hide: 'It is on hold: its writer and moderators alone see it.',
  delete: 'It is deleted.',
});

interface MadeDecision {
  id: number;
  /** The moderator; null once the account is deleted. */
  accountId: number | null;
  decision: RatingDecision;
  note: string | null;
  created: Date;
}

// The index `activity_rating_decisions` has these conditions.
const readPages = prepared<MadeDecision & { parentId: number }>(
  lookupPool,
  'rating-decisions',
  `SELECT wanted.id AS "parentId", d.* FROM unnest($1::int[]) AS wanted(id) CROSS JOIN LATERAL (
     SELECT a.id, a.account_id AS "accountId", a.details->>'decision' AS decision, a.details->>'note' AS note, a.created FROM activity a
     WHERE a.action = 'rating-decided' AND (a.details->>'ratingId')::int = wanted.id
       AND ($2::int IS NULL OR a.id < $2) AND ($3::int IS NULL OR a.id > $3)
     ORDER BY CASE WHEN $5 THEN a.id ELSE -a.id END LIMIT $4
   ) d ORDER BY CASE WHEN $5 THEN d.id ELSE -d.id END`,
);

const decisionPages = pageLoader<MadeDecision & { parentId: number }, KeysetPage>(
  (ratingIds, { after, before, limit, inverted }) => readPages(ratingIds, after, before, limit, inverted),
);

const MadeDecisionType = builder.objectRef<MadeDecision>('MadeRatingDecision').implement({
  description: 'A decision of a moderator about a rating or reply.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the decision in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('MadeRatingDecision', id),
    }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The moderator; null once the account is deleted.',
      resolve: ({ accountId }, _args, context) => (accountId === null ? null : accountSummary(context, accountId)),
    }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'What was decided.' }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'Plain text by the moderator for others; null without one.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was decided.' }),
  }),
});

builder.objectField(Rating, 'decisions', (t) =>
  t.connection(
    {
      type: MadeDecisionType,
      nullable: true,
      description: 'Decisions of moderators about it, newest first; null for viewers who do not decide about it.',
      resolve: (rating, cursors, context) =>
        canDecideRating(context.viewer, rating)
          ? keysetConnection(`Rating.decisions/${rating.id}`, cursors, (page) =>
              decisionPages(context, rating.id, page),
            )
          : null,
    },
    { name: 'MadeRatingDecisionConnection', description: 'One page of decisions about a rating.' },
    { name: 'MadeRatingDecisionEdge', description: 'A decision and its cursor.' },
  ),
);
