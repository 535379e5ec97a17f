import { refuse } from '../../auth/permissions.ts';
import { canSeeDeletedRatings } from '../../auth/rating-permissions.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import {
  type CountedConnection,
  countedFields,
  type PagedArguments,
  pageArguments,
  pagedConnection,
} from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { isFound } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import { Account } from '../accounts/account.ts';
import { type AccountRef, AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { Addon } from '../addons/addon.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { findServedAddon, requireVisible } from '../addons/find-addon.ts';
import {
  countRatings,
  ownRatings,
  type RatingParent,
  type RatingQueue,
  type RatingScope,
  ratingSums,
  ratingsOfPage,
} from './list-ratings.ts';
import { moderatedAddon } from './moderated-addon.ts';
import { type LoadedRating, Rating } from './rating.ts';

const RatingFilter = builder.inputType('RatingFilter', {
  description: 'Conditions for ratings; a rating must match all of them.',
  fields: (t) => ({
    version: t.id({
      description: 'Global id of the version that they are about; also earlier ratings of an account.',
    }),
    scores: t.intList({ description: 'With one of these scores, from 1 to 5.' }),
    excludeRatings: t.idList({ description: 'Global ids of ratings to leave out; at most 100.' }),
    includeDeleted: t.boolean({ description: 'Deleted ratings too. Requires Addons:Edit.' }),
    hasText: t.boolean({ description: 'True: only ratings with a text. False is ignored.' }),
    includeOwn: t.boolean({ description: 'With hasText, also the rating of the viewer without a text.' }),
    isAnswered: t.boolean({ description: 'Whether an author of the add-on has replied.' }),
  }),
});

type Filter = typeof RatingFilter.$inferInput;

/** Excluded ids in one request. */
const MAX_EXCLUDED = 100;

/** @throws {InvalidInputError} for values that no rating has, {NotAuthenticatedError} or {NotPermittedError} for deleted ratings. */
function scopeOf({ viewer }: Context, parent: RatingParent, filter: Filter): RatingScope {
  const { scores, excludeRatings, includeDeleted, version, hasText, includeOwn, isAnswered } = filter;
  if (scores?.some((score) => score < 1 || score > 5)) throw refusedField('scores', message('rating.score_range'));
  if ((excludeRatings?.length ?? 0) > MAX_EXCLUDED)
    throw refusedField('excludeRatings', message('field.too_many_entries', { count: MAX_EXCLUDED }));
  if (includeDeleted && !canSeeDeletedRatings(viewer)) throw refuse(viewer);
  return {
    parent,
    versionId: version == null ? null : idOf('Version', version, 'version'),
    scores: scores ?? null,
    excludedIds: excludeRatings?.map((id) => idOf('Rating', id, 'excludeRatings')) ?? null,
    withDeleted: includeDeleted ?? false,
    onlyTexts: hasText ?? false,
    withOwn: includeOwn ?? false,
    isAnswered: isAnswered ?? null,
  };
}

/** A page of ratings. One that becomes invisible after the ids are read is left out. */
async function ratingsPage(
  context: Context,
  list: string,
  parentId: number,
  scope: RatingScope,
  paging: PagedArguments,
) {
  const key = { before: null, after: null, inverted: false };
  const { edges, pageInfo } = await pagedConnection(
    list,
    paging,
    (offset, limit) => ratingsOfPage(context, parentId, scope, { ...key, limit, offset }),
    (page) => ratingsOfPage(context, parentId, scope, { ...page, offset: 0 }),
  );
  const ratings = await Rating.getDataloader(context).loadMany(edges.map(({ node }) => node.id));
  return {
    edges: edges.flatMap(({ cursor }, index) => {
      const node = ratings[index];
      return node !== undefined && isFound<LoadedRating>(node) ? [{ cursor, node }] : [];
    }),
    pageInfo,
    totalCount: () => countRatings(context, parentId, scope),
  };
}

const RatingConnection = builder.connectionObject<typeof Rating, CountedConnection>(
  {
    type: Rating,
    name: 'RatingConnection',
    description: 'One page of a list of ratings.',
    fields: (t) => countedFields(t),
  },
  { name: 'RatingEdge', description: 'A rating and its cursor.' },
);

const GroupedRatings = builder.objectRef<{ score: number; count: number }>('ScoreCount').implement({
  description: 'How many ratings have a score.',
  fields: (t) => ({
    score: t.exposeInt('score', { description: 'From 1 to 5.' }),
    count: t.exposeInt('count', { description: 'Number of ratings.' }),
  }),
});

builder.objectFields(Addon, (t) => ({
  userRatings: t.connection(
    {
      type: Rating,
      description: 'The newest rating of each account for the add-on, newest first.',
      args: { filter: t.arg({ type: RatingFilter, description: 'Which ratings; all by default.' }), ...pageArguments },
      resolve: ({ id }, { filter, ...paging }, context) =>
        ratingsPage(context, `Addon.userRatings/${id}`, id, scopeOf(context, 'addon', filter ?? {}), paging),
    },
    RatingConnection,
  ),
  groupedRatings: t.field({
    type: [GroupedRatings],
    description: 'Number of ratings by score, from 1 to 5. Sums that were imported without ratings have no scores.',
    resolve: async ({ id }, _args, context) => {
      const { scores } = await ratingSums(context).load(id);
      return scores.map((count, index) => ({ score: index + 1, count }));
    },
  }),
  viewerRating: t.field({
    type: Rating,
    nullable: true,
    description: 'The newest rating of the viewer for the add-on, also on hold; null without one.',
    resolve: async ({ id }, _args, context) => {
      const ratingId = await ownRatings(context).load(id);
      return Rating.loadOrNull(context, ratingId);
    },
  }),
  ratingsRevision: t.string({
    description: 'Changes with the ratings of the add-on, also with those of their parts that no sum shows.',
    resolve: async ({ id }, _args, context) => (await ratingSums(context).load(id)).revision,
  }),
}));

builder.prismaObjectField(Account, 'ratings', (t) =>
  t.connection(
    {
      type: Rating,
      description: 'The ratings that the account has written for public add-ons, newest first.',
      args: { filter: t.arg({ type: RatingFilter, description: 'Which ratings; all by default.' }), ...pageArguments },
      resolve: ({ id }, { filter, ...paging }, context) =>
        ratingsPage(context, `Account.ratings/${id}`, id, scopeOf(context, 'account', filter ?? {}), paging),
    },
    RatingConnection,
  ),
);

const QueueEnum = enumOf<RatingQueue>('RatingQueue', 'A list of ratings and replies for moderators.', {
  waiting: 'With flags that no moderator has decided about, or on hold for another reason than a decision.',
  hidden: 'On hold by the decision of a moderator.',
  decided_by_viewer: 'The viewer has decided about them. Deleted ones are included for holders of Addons:Edit.',
});

builder.queryFields((t) => ({
  rating: t.field({
    type: Rating,
    nullable: true,
    description: 'One rating or reply; null with an error when the viewer may not see it.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the rating.' }) },
    resolve: (_root, { id }) => idOf('Rating', id),
  }),
  ratingsToModerate: t.connection(
    {
      type: Rating,
      description:
        'Ratings and replies that wait for a moderator: with flags that none has decided about, or on hold for another reason than a decision; or those of another list. Newest first. For holders of AbuseReports:Edit or Addons:Edit.',
      args: {
        queue: t.arg({ type: QueueEnum, description: 'Which list; WAITING by default.' }),
        addon: t.arg({ type: AddonRefInput, description: 'Only those of this add-on; none of an unknown one.' }),
        addonNamed: t.arg.string({
          description: 'Only those of the add-on that `moderatedAddon` chooses for this text; none if it chooses none.',
        }),
        ...pageArguments,
      },
      resolve: async (_root, { queue: list, addon, addonNamed, ...paging }, context) => {
        const addonId = await moderatedAddon(context, { addon, addonNamed });
        const queue = list ?? 'waiting';
        const withDeleted = queue === 'decided_by_viewer' && canSeeDeletedRatings(context.viewer);
        const scope = { parent: 'service', queue, addonId, withDeleted } as const;
        const name = queue === 'waiting' ? 'ratingsToModerate' : `ratingsToModerate/${queue}`;
        return ratingsPage(context, name, 0, scope, paging);
      },
    },
    RatingConnection,
  ),
  ratings: t.connection(
    {
      type: Rating,
      description:
        'Ratings of an add-on, of an account, or of an account for an add-on, newest first. For an add-on, the newest one of each account, unless the filter names a version.',
      args: {
        addon: t.arg({ type: AddonRefInput, description: 'The add-on; required without an account.' }),
        account: t.arg({ type: AccountRefInput, description: 'The account, which need not be visible itself.' }),
        filter: t.arg({ type: RatingFilter, description: 'Which ratings; all by default.' }),
        ...pageArguments,
      },
      resolve: async (_root, { addon: by, account, filter, ...paging }, context) => {
        const addon = by == null ? null : await findServedAddon(context, by);
        if (addon !== null) requireVisible(context.viewer, addon);
        const addonId = addon?.id ?? null;
        if (account != null) {
          const scope = { ...scopeOf(context, 'account', filter ?? {}), addonId };
          return ratingsPage(context, 'ratings', await accountIdOf(account), scope, paging);
        }
        if (addonId === null) throw new InvalidInputError(message('rating.list_of_nothing'));
        return ratingsPage(context, 'ratings', addonId, scopeOf(context, 'addon', filter ?? {}), paging);
      },
    },
    RatingConnection,
  ),
}));

/** The id of an account, known or not; 0, which none has, for an unknown username. */
async function accountIdOf(account: AccountRef): Promise<number> {
  const key = accountKey(account, 'account');
  if ('id' in key) return key.id;
  const username = comparableText(key.username);
  return (await db.account.findUnique({ where: { username }, select: { id: true } }))?.id ?? 0;
}
