import { enumOf, type ObjectFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { Addon } from '../addons/addon.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { VersionRefInput } from '../versions/queries.ts';
import { decideRating, type FlagReason, flagRating } from './flag-rating.ts';
import { Rating } from './rating.ts';
import { DecisionEnum } from './rating-decisions.ts';
import { createRating, deleteRating, replyToRating, updateRating } from './write-rating.ts';

const BODY = 'Plain text, at most 10,000 characters.';
const changedRating = (t: ObjectFields<{ id: number }>) => ({
  rating: t.field({ type: Rating, description: 'The rating after the change.', resolve: ({ id }) => id }),
});

mutation('createRating', {
  description:
    'Rates a public version of an add-on: one rating for each account and version. Authors of an add-on cannot rate it.',
  input: 'A rating of an add-on.',
  inputFields: (t) => ({
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on.' }),
    version: t.field({ type: VersionRefInput, required: true, description: 'A public listed version of it.' }),
    score: t.int({ required: true, description: 'From 1 to 5 stars.' }),
    body: t.string({ description: BODY }),
  }),
  resolve: async (values, context) => ({ id: await createRating(context, values) }),
  payloadFields: changedRating,
});

mutation('updateRating', {
  description:
    'Changes the score or text of a rating, or the text of a reply. For its writer and for holders of Addons:Edit who are no authors of the add-on.',
  input: 'A change of a rating. Absent fields stay.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the rating.' }),
    score: t.int({ description: 'From 1 to 5 stars; ignored for a reply. Null: unchanged.' }),
    body: t.string({ description: `${BODY} Null or blank: no text.` }),
  }),
  resolve: async ({ id, ...change }, context) => {
    const key = idOf('Rating', id);
    await updateRating(context, key, change);
    return { id: key };
  },
  payloadFields: changedRating,
});

mutation('deleteRating', {
  description:
    'Deletes a rating with its reply, or a reply. For its writer and for holders of Addons:Edit who are no authors of the add-on.',
  input: 'A rating to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the rating.' }) }),
  resolve: ({ id }, context) => deleteRating(context, idOf('Rating', id)),
  payloadFields: (t) => ({
    addon: t.field({ type: Addon, description: 'The add-on after the change.', resolve: ({ addonId }) => addonId }),
  }),
});

mutation('replyToRating', {
  description: 'Replies to a rating, or replaces the reply. For authors of the add-on and holders of Addons:Edit.',
  input: 'A reply to a rating.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the rating.' }),
    body: t.string({ required: true, description: BODY }),
  }),
  resolve: async ({ id, body }, context) => ({ id: await replyToRating(context, idOf('Rating', id), body) }),
  payloadFields: (t) => ({
    reply: t.field({ type: Rating, description: 'The reply.', resolve: ({ id }: { id: number }) => id }),
  }),
});

const FlagReasonEnum = enumOf<FlagReason>('RatingFlagReason', 'What is wrong with a rating.', {
  spam: 'Spam or other content that is not about the add-on.',
  language: 'Inappropriate language.',
  bug_support: 'A report of a fault or a question that belongs to the support of the add-on.',
  other: 'What the note says.',
});

mutation('flagRating', {
  description: 'Flags a rating or reply for the moderators, or changes the flag. For every account but its writer.',
  input: 'A flag of a rating.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the rating.' }),
    reason: t.field({ type: FlagReasonEnum, required: true, description: 'What is wrong; OTHER with a note.' }),
    note: t.string({ description: 'Plain text for the moderators, required for OTHER; at most 10,000 characters.' }),
  }),
  resolve: async ({ id, ...flag }, context) => {
    const key = idOf('Rating', id);
    await flagRating(context, key, flag);
    return { id: key };
  },
  payloadFields: changedRating,
});

mutation('decideRating', {
  description:
    'Decides about the flags of a rating or reply, and whether it is shown. For holders of AbuseReports:Edit or Addons:Edit who are neither its writer nor authors of the add-on.',
  input: 'A decision about a rating.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the rating.' }),
    decision: t.field({ type: DecisionEnum, required: true, description: 'The decision.' }),
    note: t.string({ description: 'Plain text for moderators and the audit log, at most 10,000 characters.' }),
    openFlags: t.int({
      description: 'The number of open flags that the client read. If there are others now, nothing is changed.',
    }),
    includeFlood: t.boolean({
      description:
        'Decide alike about the other ratings of the add-on with an open flag FLOOD: the newest 200, without those of the viewer.',
    }),
  }),
  resolve: ({ id, ...decision }, context) => decideRating(context, idOf('Rating', id), decision),
  payloadFields: (t) => ({
    addon: t.field({ type: Addon, description: 'The add-on after the decision.', resolve: ({ addonId }) => addonId }),
  }),
});
