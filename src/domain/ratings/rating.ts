import {
  canDecideRating,
  canEditRating,
  canFlagRating,
  canReplyTo,
  canSeeHeldRatings,
  canSeeRating,
  type RatingFacts,
} from '../../auth/rating-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { type AddonRights, addonRights, requireVisible } from '../addons/find-addon.ts';
import { Version } from '../versions/version.ts';

/** A stored rating or reply. */
export interface RatingRow {
  id: number;
  addonId: number;
  versionId: number | null;
  versionNumber: string | null;
  accountId: number;
  /** The rating that a reply belongs to. */
  replyTo: number | null;
  score: number | null;
  body: string | null;
  isLatest: boolean;
  previousCount: number;
  isDeleted: boolean;
  isOnHold: boolean;
  holdReason: 'new_account' | 'text' | 'moderator' | null;
  openFlags: number;
  created: Date;
  modified: Date;
  /** The reply, unless it alone is deleted. */
  replyId: number | null;
}

/** A rating with the facts that permission rules depend on. */
export type LoadedRating = RatingRow & RatingFacts;

// A reply is deleted with its rating, and on hold with it.
/** SQL: the columns of a `RatingRow`, of a rating `r` with `RATING_JOINS`. */
export const RATING_COLUMNS = `r.id, r.addon_id AS "addonId", r.version_id AS "versionId", v.version AS "versionNumber",
  r.account_id AS "accountId", r.reply_to AS "replyTo", r.score::int, r.body, r.is_latest AS "isLatest", r.previous_count AS "previousCount",
  r.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL AS "isDeleted", r.held_at IS NOT NULL OR p.held_at IS NOT NULL AS "isOnHold",
  r.hold_reason AS "holdReason", r.open_flags AS "openFlags", r.created, r.modified,
  CASE WHEN y.deleted_at IS NULL OR r.deleted_at IS NOT NULL THEN y.id END AS "replyId"`;
/** SQL: the version `v`, the rating `p` that a reply is about, and the reply `y` of a rating `r`. */
export const RATING_JOINS = `LEFT JOIN version v ON v.id = r.version_id LEFT JOIN rating p ON p.id = r.reply_to
  LEFT JOIN rating y ON y.reply_to = r.id`;

const readRatings = prepared<RatingRow>(
  lookupPool,
  'ratings-by-id',
  `SELECT ${RATING_COLUMNS} FROM rating r ${RATING_JOINS} WHERE r.id = ANY($1::int[])`,
);

/** @throws {NotFoundError} for a rating of a type of add-on that the request does not know, and what `requireVisible` throws. */
function requireVisibleAddon({ viewer, hiddenTypes }: Context, addon: AddonRights): void {
  if (hiddenTypes?.some((type) => type === addon.type)) throw new NotFoundError();
  requireVisible(viewer, addon);
}

async function visibleRating(context: Context, row: RatingRow | undefined): Promise<LoadedRating> {
  if (row === undefined) throw new NotFoundError();
  const addon = await addonRights(context).load(row.addonId);
  requireVisibleAddon(context, addon);
  const rating = { ...row, isReply: row.replyTo !== null, authors: addon.authors };
  if (!canSeeRating(context.viewer, rating)) throw new NotFoundError();
  return rating;
}

async function loadRatings(ids: readonly number[], context: Context): Promise<(LoadedRating | Error)[]> {
  const found = new Map((await readRatings(ids)).map((row) => [row.id, row]));
  return Promise.all(ids.map((id) => visibleRating(context, found.get(id)).catch((error: Error) => error)));
}

/** A rating or a reply. Resolvers may return an id: it is loaded, or an error for viewers without access. */
export const Rating = loadableNode<LoadedRating>('Rating', loadRatings);

/** Keeps rows that a list has read for the rest of a request, as the loader would load them. */
export async function rememberRatings(context: Context, rows: readonly RatingRow[]): Promise<void> {
  const loader = Rating.getDataloader(context);
  const remember = async (row: RatingRow) =>
    loader.prime(row.id, await visibleRating(context, row).catch((error: Error) => error));
  await Promise.all(rows.map(remember));
}

const RatedVersion = builder.objectRef<{ versionId: number; versionNumber: string }>('RatedVersion').implement({
  description: 'The version that a rating is about.',
  fields: (t) => ({
    databaseId: t.exposeInt('versionId', { description: 'The id of the version in REST.' }),
    number: t.exposeString('versionNumber', { description: 'The version number, such as 1.0.2.' }),
    version: t.field({
      type: Version,
      nullable: true,
      description: 'The version; null when the viewer may not see it any more.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
  }),
});

const HoldReasonEnum = enumOf('RatingHoldReason', 'Why a rating waits for a moderator before it is shown.', {
  new_account: 'Its account is new and has rated often.',
  text: 'It has a word or a link that the operator wants to be checked.',
  moderator: 'A moderator has hidden it.',
});

const RIGHTS = {
  edit: canEditRating,
  delete: canEditRating,
  reply: (viewer: Viewer, { isReply, isDeleted, isOnHold, authors }: RatingFacts) =>
    !isReply && !isDeleted && !isOnHold && canReplyTo(viewer, authors),
  flag: canFlagRating,
  decide: canDecideRating,
};

const RatingRightEnum = enumOf<keyof typeof RIGHTS>('RatingRight', 'Something that a viewer may do with a rating.', {
  edit: 'Edit its score and text.',
  delete: 'Delete it.',
  reply: 'Reply to it, or replace the reply.',
  flag: 'Flag it for the moderators.',
  decide: 'Decide about its flags, and hide or show it.',
});

const RIGHT_NAMES = Object.keys(RIGHTS) as (keyof typeof RIGHTS)[];

builder.objectType(Rating, {
  description: 'A rating of an add-on by an account, or the reply of an author of the add-on to one.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    addon: t.field({ type: Addon, description: 'The rated add-on.', resolve: ({ addonId }) => addonId }),
    version: t.field({
      type: RatedVersion,
      nullable: true,
      description: 'The rated version; null for a reply, and for an imported rating without one.',
      resolve: ({ versionId, versionNumber }) =>
        versionId === null || versionNumber === null ? null : { versionId, versionNumber },
    }),
    user: t.field({
      type: AccountSummary,
      description: 'Who wrote it.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    score: t.exposeInt('score', { nullable: true, description: 'From 1 to 5 stars; null for a reply.' }),
    body: t.exposeString('body', { nullable: true, description: 'Plain text; null without one.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was written.' }),
    updated: t.expose('modified', { type: 'DateTime', description: 'When its score or text was last changed.' }),
    isReply: t.exposeBoolean('isReply', { description: 'Whether it is a reply to a rating.' }),
    isLatest: t.boolean({
      description: 'Whether it counts: the newest of its account for the add-on that is shown. A reply always is.',
      resolve: ({ isLatest, isReply }) => isLatest || isReply,
    }),
    previousCount: t.exposeInt('previousCount', {
      description: 'Number of earlier ratings of its account for the add-on.',
    }),
    isDeleted: t.exposeBoolean('isDeleted', {
      description: 'Whether it is deleted, which holders of Addons:Edit alone see.',
    }),
    isOnHold: t.exposeBoolean('isOnHold', {
      description: 'Whether it waits for a moderator. Its writer and moderators alone see it.',
    }),
    holdReason: t.field({
      type: HoldReasonEnum,
      nullable: true,
      description: 'Why it waits for a moderator; null for others than moderators.',
      resolve: ({ holdReason }, _args, { viewer }) => (canSeeHeldRatings(viewer) ? holdReason : null),
    }),
    reply: t.field({
      type: Rating,
      nullable: true,
      description: 'The reply of the authors of the add-on; null without one.',
      resolve: ({ replyId }, _args, context) => Rating.loadOrNull(context, replyId),
    }),
    repliedTo: t.field({
      type: Rating,
      nullable: true,
      description: 'The rating that a reply belongs to; null for a rating.',
      resolve: ({ replyTo }, _args, context) => Rating.loadOrNull(context, replyTo),
    }),
    viewerRights: t.field({
      type: [RatingRightEnum],
      description: 'What the viewer may do with it, for front ends that offer only that.',
      resolve: (rating, _args, { viewer }) => RIGHT_NAMES.filter((name) => RIGHTS[name](viewer, rating)),
    }),
  }),
});
