import { ReviewerNextDocument } from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { page, redirect } from '../page.ts';
import { requireReviewerPage } from './frame.ts';
import { reviewHref } from './queue.ts';

/** Leads to the entry of the queue after a version, or to the first one, without those that others have claimed. */
export const nextPage = page({
  path: '/reviewers/next/',
  visitor: 'account',
  query: { after: recordId('Id of a version; 0 for the first entry.') },
  document: ReviewerNextDocument,
  variables: () => ({}),
  view: ({ reviewQueue: { nodes } }, { query: { after }, viewer }, ui) => {
    requireReviewerPage(ui);
    const place = nodes.findIndex(({ version }) => version.databaseId === after);
    const rest = [...nodes.slice(place + 1), ...nodes.slice(0, Math.max(place, 0))];
    const next = rest.find(({ claimedBy }) => claimedBy === null || claimedBy.databaseId === viewer?.accountId);
    return redirect(next === undefined ? '/reviewers/' : reviewHref(next.addon, next.version.version), 303);
  },
});
