import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { countedFields, keysetConnection } from '../../graphql/connections.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ChannelEnum } from '../addons/enums.ts';
import { Version } from '../versions/version.ts';
import { claimReview } from './claim-review.ts';
import {
  countQueue,
  type PartSummary,
  type QueueFilter,
  type QueueItem,
  type QueuePart,
  type QueueSort,
  readQueue,
  summarizeQueue,
} from './load-queue.ts';
import { countDecisions, type DecisionCounts } from './load-review-facts.ts';

const decisionCounts = perRequest<number, DecisionCounts>(async (ids, { viewer }) => {
  const counts = await countDecisions(viewer, ids);
  return ids.map((id) => counts.get(id) ?? { approved: 0, rejected: 0 });
});

const readVersionNumbers = prepared<{ id: number; version: string }>(
  lookupPool,
  'version-numbers',
  'SELECT id, version FROM version WHERE id = ANY($1)',
);

/** The numbers of public versions, which every viewer may see. */
const versionNumbers = perRequest<number, string>(async (ids) => {
  const rows = await readVersionNumbers(ids);
  const numbers = new Map(rows.map(({ id, version }) => [id, version]));
  return ids.map((id) => numbers.get(id) ?? new Error(`version ${id} is missing`));
});

const DecisionCountsType = builder.objectRef<DecisionCounts>('DecisionCounts').implement({
  description:
    'Numbers of decisions about versions, as far as the viewer may review them; of all for holders of Addons:Edit.',
  fields: (t) => ({
    approvedCount: t.exposeInt('approved', { description: 'Number of approvals.' }),
    rejectedCount: t.exposeInt('rejected', { description: 'Number of rejections.' }),
  }),
});

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
    isInformationGiven: t.exposeBoolean('isInformationGiven', {
      description: 'Whether reviewers have requested information and its developers have replied.',
    }),
    isReferred: t.exposeBoolean('isReferred', {
      description: 'Whether it is referred to an administrator, who decides about it.',
    }),
    authorDecisions: t.field({
      type: DecisionCountsType,
      description: 'Numbers of the decisions about this add-on and the others of its authors.',
      resolve: ({ addonId }, _args, context) => decisionCounts(context).load(addonId),
    }),
    isFirstVersion: t.exposeBoolean('isFirstVersion', {
      description: 'Whether no version of the add-on was approved before.',
    }),
    base: t.field({
      type: Version,
      nullable: true,
      description: 'The newest public version of the channel before it; null without one.',
      resolve: ({ baseId }) => baseId,
    }),
    baseVersion: t.string({
      nullable: true,
      description: 'The version number of base. Lists that show nothing else of it are loaded faster with this field.',
      resolve: ({ baseId }, _args, context) => (baseId === null ? null : versionNumbers(context).load(baseId)),
    }),
  }),
});

const PartEnum = enumOf<QueuePart>(
  'ReviewQueuePart',
  'A part of the review queue. Every waiting version is in one of them.',
  {
    listed: 'Listed versions of extensions and of other types without a part of their own.',
    unlisted: 'Unlisted versions.',
    themes: 'Listed versions of themes.',
    'information-requested': 'Versions whose developers have not replied to a request for information.',
    referred: 'Versions that are referred to an administrator.',
  },
);

const SortEnum = enumOf<QueueSort>('ReviewQueueSort', 'Order of the review queue.', {
  oldest: 'The version that has waited longest is first.',
  newest: 'The version that has waited shortest is first.',
  users: 'The version of the add-on with the most daily users is first.',
});

const PartSummaryType = builder.objectRef<PartSummary>('ReviewQueuePartSummary').implement({
  description: 'What waits in a part of the review queue.',
  fields: (t) => ({
    part: t.expose('part', { type: PartEnum, description: 'The part.' }),
    count: t.exposeInt('count', { description: 'Number of versions that the viewer may review.' }),
    oldest: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest of them waits; null without one.',
    }),
    isAwaitingDecision: t.exposeBoolean('isAwaitingDecision', {
      description:
        'Whether its versions wait for a decision that the viewer makes: neither for their developers nor for an administrator.',
    }),
  }),
});

builder.queryField('reviewQueueParts', (t) =>
  t.field({
    type: [PartSummaryType],
    description:
      'The parts of the review queue with versions that the viewer may review, empty parts too. Holders of Addons:Edit have the part of referred versions. Empty for others.',
    resolve: (_root, _args, { viewer }) => summarizeQueue(viewer),
  }),
);

const ReviewQueueFilter = builder.inputType('ReviewQueueFilter', {
  description: 'Selects a part of the review queue; absent conditions select everything.',
  fields: (t) => ({
    part: t.field({ type: PartEnum, description: 'Part of the queue.' }),
    types: t.field({ type: [AddonTypeEnum], description: 'Types of add-ons.' }),
    channel: t.field({ type: ChannelEnum, description: 'Channel of the versions.' }),
    author: t.field({
      type: AccountRefInput,
      description:
        'Only versions of add-ons with this author. Unlisted authors count for holders of Addons:Edit alone.',
    }),
    isFirstVersion: t.boolean({
      description: 'Only versions of add-ons no version of which was approved before, or only of others.',
    }),
    isClaimedByViewer: t.boolean({
      description: 'Only versions that the viewer has claimed, or that the viewer has not.',
    }),
    isClaimed: t.boolean({ description: 'Only versions that a reviewer has claimed, or that none has.' }),
    isInformationRequested: t.boolean({
      description: 'Only versions with or without an open request for information.',
    }),
    isReferred: t.boolean({ description: 'Only versions that are, or are not, referred to an administrator.' }),
    isAwaitingDecision: t.boolean({
      description:
        'Only versions that wait for a decision that the viewer makes, or only the others: those whose developers have not replied to a request for information, and referred ones that the viewer does not decide about.',
    }),
    isAvailable: t.boolean({
      description:
        'Only versions that the viewer can decide about now, or only the others: those that another reviewer has claimed, those whose developers have not replied to a request for information, and referred ones that the viewer does not decide about.',
    }),
    olderThanHours: t.int({ description: 'Only versions that have waited for longer than this, in hours.' }),
  }),
});

/** @throws {InvalidInputError} on `olderThanHours` for a negative number. */
function filterOf(given: typeof ReviewQueueFilter.$inferInput | null | undefined): QueueFilter {
  const { author, ...same } = givenFields(given ?? {});
  if ((same.olderThanHours ?? 0) < 0) throw refusedField('olderThanHours', message('field.negative'));
  return { ...same, ...(author && { author: accountKey(author) }) };
}

builder.queryField('reviewQueue', (t) =>
  t.connection(
    {
      type: ReviewQueueItem,
      description:
        'Versions that the viewer may review; for holders of Addons:Edit also those that are referred to an administrator. Empty for others.',
      args: {
        filter: t.arg({ type: ReviewQueueFilter, description: 'Selects a part of the queue.' }),
        sort: t.arg({ type: SortEnum, defaultValue: 'oldest', description: 'Order of the versions.' }),
      },
      resolve: async (_root, { filter: given, sort: order, ...cursors }, { viewer }) => {
        const [filter, sort] = [filterOf(given), order ?? 'oldest'];
        const list = sort === 'oldest' ? 'reviewQueue' : `reviewQueue/${sort}`;
        return {
          ...(await keysetConnection(list, cursors, (page) => readQueue(viewer, { filter, sort }, page))),
          totalCount: () => countQueue(viewer, filter),
        };
      },
    },
    { name: 'ReviewQueueConnection', description: 'One page of the review queue.', fields: (t) => countedFields(t) },
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
