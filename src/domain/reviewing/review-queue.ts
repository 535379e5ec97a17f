import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection } from '../../graphql/connections.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ChannelEnum } from '../addons/enums.ts';
import { Version } from '../versions/version.ts';
import { claimReview } from './claim-review.ts';
import { countQueue, type QueueFilter, type QueueItem, readQueue } from './load-queue.ts';

const ReviewQueueItem = builder.objectRef<QueueItem>('ReviewQueueItem').implement({
  description: 'A version that waits for a decision of a reviewer.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the entry in client caches: one per version. `node` does not look it up.',
      resolve: ({ id }) => globalId('ReviewQueueItem', id),
    }),
    version: t.field({ type: Version, description: 'The version to decide about.', resolve: ({ id }) => id }),
    addon: t.field({ type: Addon, description: 'The add-on of the version.', resolve: ({ addonId }) => addonId }),
    waitingSince: t.expose('waitingSince', { type: 'DateTime', description: 'When the version entered the queue.' }),
    claimedBy: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The reviewer who works on it; null when none has claimed it in the last two hours.',
      resolve: ({ claimedBy }, _args, context) => (claimedBy === null ? null : accountSummary(context, claimedBy)),
    }),
    isInformationRequested: t.exposeBoolean('isInformationRequested', {
      description: 'Whether a reviewer has requested information and its developers have not replied yet.',
    }),
    isReferred: t.exposeBoolean('isReferred', {
      description: 'Whether it is referred to an administrator, who decides about it.',
    }),
  }),
});

const ReviewQueueFilter = builder.inputType('ReviewQueueFilter', {
  description: 'Selects a part of the review queue; absent conditions select everything.',
  fields: (t) => ({
    types: t.field({ type: [AddonTypeEnum], description: 'Types of add-ons.' }),
    channel: t.field({ type: ChannelEnum, description: 'Channel of the versions.' }),
    isClaimed: t.boolean({ description: 'Only versions that a reviewer has claimed, or that none has.' }),
    isInformationRequested: t.boolean({
      description: 'Only versions with or without an open request for information.',
    }),
    isReferred: t.boolean({ description: 'Only versions that are, or are not, referred to an administrator.' }),
    olderThanHours: t.int({ description: 'Only versions that have waited for longer than this, in hours.' }),
  }),
});

/** @throws {InvalidInputError} on `olderThanHours` for a negative number. */
function filterOf(given: typeof ReviewQueueFilter.$inferInput | null | undefined): QueueFilter {
  const filter: QueueFilter = givenFields(given ?? {});
  if ((filter.olderThanHours ?? 0) < 0) throw refusedField('olderThanHours', message('field.negative'));
  return filter;
}

builder.queryField('reviewQueue', (t) =>
  t.connection(
    {
      type: ReviewQueueItem,
      description: 'Versions that the viewer may review, oldest first. Empty for viewers without reviewer permissions.',
      args: { filter: t.arg({ type: ReviewQueueFilter, description: 'Selects a part of the queue.' }) },
      resolve: async (_root, { filter: given, ...cursors }, { viewer }) => {
        const filter = filterOf(given);
        return {
          ...(await keysetConnection('reviewQueue', cursors, (page) => readQueue(viewer, filter, page))),
          totalCount: () => countQueue(viewer, filter),
        };
      },
    },
    {
      name: 'ReviewQueueConnection',
      description: 'One page of the review queue.',
      fields: (connection) => ({ totalCount: connection.int({ resolve: ({ totalCount }) => totalCount() }) }),
    },
    { name: 'ReviewQueueEdge', description: 'A waiting version and its cursor.' },
  ),
);

mutation('claimReview', {
  description:
    'Claims a version that waits for review, for two hours, or ends the claim. Others see the claim and cannot take it, but may decide. Requires the reviewer permission of its type and channel.',
  input: 'The version to claim.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    release: t.boolean({ description: 'True ends the claim of the viewer.' }),
  }),
  resolve: async ({ id, release }, { viewer }) => ({
    item: await claimReview(viewer, idOf('Version', id), release ?? false),
  }),
  payloadFields: (t) => ({
    item: t.field({ type: ReviewQueueItem, description: 'The entry of the queue.', resolve: ({ item }) => item }),
  }),
});
