/* The add-ons whose ratings wait for moderators, and floods among these. */
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { db, Prisma } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { openRatings } from './list-ratings.ts';
import { moderatedAddon } from './moderated-addon.ts';
import { Rating } from './rating.ts';

interface WaitingRatings {
  addonId: number;
  count: number;
  floodCount: number;
  /** Of a rating of the flood; null without a flood. */
  floodId: number | null;
}

const MAX_ADDONS = 20;

async function waitingByAddon({ viewer }: Context, addonId: number | null): Promise<WaitingRatings[]> {
  const accountId = viewer.kind === 'account' ? viewer.accountId : null;
  const isChosen = addonId === null ? Prisma.empty : Prisma.sql`AND r.addon_id = ${addonId}`;
  return db.$queryRaw`
    SELECT addon_id AS "addonId", count(*)::int AS count, count(flood)::int AS "floodCount",
      max(id) FILTER (WHERE flood AND account_id IS DISTINCT FROM ${accountId}::int) AS "floodId"
    FROM (
      SELECT r.id, r.addon_id, r.account_id, (SELECT true FROM rating_flag f
        WHERE f.rating_id = r.id AND f.reason = 'flood' AND f.decided IS NULL LIMIT 1) AS flood
      ${openRatings(viewer)} ${isChosen}
    ) AS waiting GROUP BY addon_id ORDER BY count DESC, addon_id LIMIT ${MAX_ADDONS}`;
}

const WaitingRatingsType = builder.objectRef<WaitingRatings>('WaitingRatings').implement({
  description: 'How many ratings and replies of an add-on wait for a moderator.',
  fields: (t) => ({
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addonId }) => addonId }),
    count: t.exposeInt('count', { description: 'Number of ratings and replies.' }),
    floodCount: t.exposeInt('floodCount', {
      description: 'Those that the service has flagged as a flood; a decision about one can include the others.',
    }),
    flood: t.field({
      type: Rating,
      nullable: true,
      description: 'The newest rating of the flood that another than the viewer wrote; null without one.',
      resolve: ({ floodId }, _args, context) => Rating.loadOrNull(context, floodId),
    }),
  }),
});

builder.queryField('ratingsToModerateByAddon', (t) =>
  t.field({
    type: [WaitingRatingsType],
    extensions: { items: MAX_ADDONS },
    description: `The add-ons with most of ratingsToModerate, at most ${MAX_ADDONS}. For holders of AbuseReports:Edit or Addons:Edit.`,
    args: {
      addon: t.arg({ type: AddonRefInput, description: 'Only this add-on.' }),
      addonNamed: t.arg.string({ description: 'Only the add-on that `moderatedAddon` chooses for this text.' }),
    },
    resolve: async (_root, by, context) => waitingByAddon(context, await moderatedAddon(context, by)),
  }),
);
