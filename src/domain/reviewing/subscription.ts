/*
 * Reviewers subscribe to an add-on, and get a mail when one of its versions enters the queue and when its developers reply. A job mails
 * what has entered the queue since the last time, so that no path into the queue has to; a second run finds nothing new.
 */
import { canReview, permit, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetClause, keysetConnection } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { Addon } from '../addons/addon.ts';
import { addonRights, requireVisible } from '../addons/find-addon.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { queueReviewMails } from './review-mail.ts';

/** Whether a viewer decides about versions of this type of add-on in any channel. */
const reviews = (viewer: Viewer, addon: { type: string }): boolean =>
  canReview(viewer, addon, 'listed') || canReview(viewer, addon, 'unlisted');

/**
 * Subscribes a reviewer to an add-on, or ends that, which needs no right to the add-on. Repeating it has no effect.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError} without a reviewer permission for the add-on, and for
 * viewers who may not see it, unless they were subscribed.
 */
async function setSubscription(context: Context, addonId: number, isSubscribed: boolean): Promise<void> {
  const { viewer } = context;
  const { accountId: subscriberId } = requireSignedIn(viewer);
  if (!isSubscribed) {
    const ended = await db.reviewSubscription.deleteMany({ where: { accountId: subscriberId, addonId } });
    if (ended.count > 0) return;
  }
  requireVisible(viewer, await addonRights(context).load(addonId));
  await db.$transaction(async (tx) => {
    const { accountId } = permit(viewer, reviews(viewer, await lockExistingAddon(tx, addonId)));
    const key = { accountId, addonId };
    if (isSubscribed)
      await tx.reviewSubscription.upsert({ where: { accountId_addonId: key }, create: key, update: {} });
  });
}

/** Add-ons that are looked at in one run. */
const BATCH = 100;

/** Queues mails about the versions that have entered the queue since the last run to the subscribers of their add-ons. */
export async function mailSubscribers(): Promise<void> {
  if (await isReadOnly()) return;
  const rows = await db.$queryRaw<{ addonId: number }[]>`
    SELECT DISTINCT s.addon_id AS "addonId" FROM review_subscription s
    JOIN review_queue q ON q.addon_id = s.addon_id AND q.waiting_since > s.mailed_until
    JOIN addon a ON a.id = s.addon_id AND a.deleted_at IS NULL LIMIT ${BATCH}`;
  for (const { addonId } of rows) await mailSubscribersOf(addonId);
}

async function mailSubscribersOf(addonId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockExistingAddon(tx, addonId);
    const waiting = await tx.$queryRaw<{ activityId: number | null; since: Date }[]>`
      SELECT q.waiting_since AS since, (SELECT max(r.id) FROM activity r
          WHERE r.version_id = q.version_id AND r.action = 'review-requested') AS "activityId"
      FROM review_queue q WHERE q.addon_id = ${addonId} AND q.waiting_since > (
        SELECT min(s.mailed_until) FROM review_subscription s WHERE s.addon_id = ${addonId})
      ORDER BY q.waiting_since`;
    for (const { activityId } of waiting) if (activityId !== null) await queueReviewMails(tx, activityId);
    const last = waiting.at(-1)?.since;
    if (last !== undefined) {
      await tx.reviewSubscription.updateMany({
        where: { addonId, mailedUntil: { lt: last } },
        data: { mailedUntil: last },
      });
    }
  });
}

/** By add-on id, for the viewer. */
const isSubscribed = perRequest<number, boolean>(async (addonIds, { viewer }) => {
  if (viewer.kind === 'anonymous') return addonIds.map(() => false);
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT addon_id AS id FROM review_subscription
    WHERE account_id = ${viewer.accountId} AND addon_id IN (${Prisma.join([...addonIds])})`;
  const found = new Set(rows.map(({ id }) => id));
  return addonIds.map((id) => found.has(id));
});

builder.objectField(Addon, 'isSubscribedToReviews', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Whether the viewer gets mails about its reviews; null for viewers who may not decide about its versions, and for a deleted add-on.',
    resolve: async ({ id }, _args, context) => {
      const addon = await addonRights(context).load(id);
      return addon.deletedAt !== null || !reviews(context.viewer, addon) ? null : isSubscribed(context).load(id);
    },
  }),
);

mutation('setReviewSubscription', {
  description:
    'Subscribes a reviewer to an add-on: a mail when one of its versions enters the review queue and when its developers reply. Requires a reviewer permission for the type of the add-on, or that for unlisted versions; it ends without them. Every subscriber may end a subscription.',
  input: 'The add-on, and whether to get mails.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    isSubscribed: t.boolean({ required: true, description: 'False ends the subscription.' }),
  }),
  resolve: async ({ id, isSubscribed: wanted }, context) => {
    const addonId = idOf('Addon', id);
    await setSubscription(context, addonId, wanted);
    return { addonId, isSubscribed: wanted };
  },
  payloadFields: (t) => ({
    addonId: t.id({
      description: 'Global id of the add-on, which the viewer need not see to end a subscription.',
      resolve: ({ addonId }) => globalId('Addon', addonId),
    }),
    isSubscribed: t.exposeBoolean('isSubscribed', { description: 'Whether the viewer gets mails now.' }),
  }),
});

interface Subscription {
  /** Of the add-on. */
  id: number;
  guid: string;
  created: Date;
}

const ReviewSubscription = builder.objectRef<Subscription>('ReviewSubscription').implement({
  description: 'A subscription of the viewer to the reviews of an add-on.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the subscription in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('ReviewSubscription', id),
    }),
    addonId: t.id({
      description: 'Global id of the add-on, for setReviewSubscription.',
      resolve: ({ id }) => globalId('Addon', id),
    }),
    addonGuid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null for viewers who may not see it any more.',
      resolve: ({ id }, _args, context) => Addon.loadOrNull(context, id),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

builder.queryField('reviewSubscriptions', (t) =>
  t.connection(
    {
      type: ReviewSubscription,
      description:
        'The add-ons whose reviews the viewer has subscribed to, also those that they may not see or review any more. For signed-in viewers.',
      resolve: (_root, cursors, { viewer }) => {
        const { accountId } = requireSignedIn(viewer);
        return keysetConnection(
          'reviewSubscriptions',
          cursors,
          (page) => db.$queryRaw<Subscription[]>`
            SELECT a.id, a.guid::text AS guid, s.created FROM review_subscription s JOIN addon a ON a.id = s.addon_id
            WHERE s.account_id = ${accountId} ${keysetClause('s.addon_id', 'ASC', page)}`,
        );
      },
    },
    { name: 'ReviewSubscriptionConnection', description: 'One page of the subscriptions of the viewer.' },
    { name: 'ReviewSubscriptionEdge', description: 'A subscription and its cursor.' },
  ),
);
