import { refuse } from '../../auth/permissions.ts';
import { isReviewer } from '../../auth/review-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import {
  findAuthor,
  type ReviewedAddon,
  type ReviewedAuthor,
  readAuthorAddons,
  readAuthorDecisions,
} from './load-author.ts';
import { DecisionHistoryType } from './review-facts.ts';

const ReviewedAddonType = builder.objectRef<ReviewedAddon>('ReviewedAddon').implement({
  description: 'An add-on of an author, as reviewers see it.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the item in client caches: one per add-on. `node` does not look it up.',
      resolve: ({ id }) => globalId('ReviewedAddon', id),
    }),
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ id }) => id }),
    waitingCount: t.exposeInt('waitingCount', { description: 'Number of versions that wait for review.' }),
    rejectedCount: t.exposeInt('rejectedCount', { description: 'Number of rejected versions.' }),
    importedRejectionCount: t.exposeInt('importedRejectionCount', {
      description:
        'Number of rejected versions without a decision in `decisions`, because they were imported as rejected.',
    }),
    reportCount: t.exposeInt('reportCount', { description: 'Number of abuse reports about it.' }),
  }),
});

const ReviewedAuthorType = builder.objectRef<ReviewedAuthor>('ReviewedAuthor').implement({
  description: 'The author of add-ons, as reviewers see it.',
  fields: (t) => ({
    account: t.field({
      type: AccountSummary,
      description: 'The account.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    reportCount: t.exposeInt('reportCount', { description: 'Number of abuse reports about the account.' }),
    decisions: t.field({
      type: DecisionHistoryType,
      description: 'Decisions about versions of the add-ons.',
      resolve: ({ accountId }, _args, { viewer }) => readAuthorDecisions(viewer, accountId),
    }),
    addons: t.connection(
      {
        type: ReviewedAddonType,
        description: 'The add-ons that the viewer may see as a reviewer, newest first.',
        resolve: ({ accountId }, cursors, { viewer }) =>
          keysetConnection(`ReviewedAuthor.addons/${accountId}`, cursors, (page) =>
            readAuthorAddons(viewer, accountId, page),
          ),
      },
      { name: 'ReviewedAddonConnection', description: 'One page of the add-ons of an author.' },
      { name: 'ReviewedAddonEdge', description: 'An add-on and its cursor.' },
    ),
  }),
});

builder.queryField('reviewedAuthor', (t) =>
  t.field({
    type: ReviewedAuthorType,
    nullable: true,
    description:
      'An author with add-ons that the viewer may review; null for accounts without one. For reviewers of any type and channel. Unlisted authors of an add-on count for holders of Addons:Edit alone.',
    args: { by: t.arg({ type: AccountRefInput, required: true, description: 'What names the account.' }) },
    resolve: (_root, { by }, { viewer }) => {
      if (!isReviewer(viewer)) throw refuse(viewer);
      return findAuthor(viewer, accountKey(by));
    },
  }),
);
