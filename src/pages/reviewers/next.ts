import { ReviewerNextDocument } from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { page, redirect } from '../page.ts';
import { requireQueue } from './frame.ts';
import { reviewHref } from './queue.ts';

/**
 * Leads to the entry of the queue after a version, or to the first one, without those that others have claimed. A version that no longer
 * waits is followed by the first one that was submitted after it.
 */
export const nextPage = page({
  path: '/reviewers/next/',
  visitor: 'account',
  query: { after: recordId('Id of a version; 0 for the first entry.') },
  document: ReviewerNextDocument,
  variables: () => ({}),
  view: ({ reviewQueue: { nodes } }, { query: { after }, viewer }, ui) => {
    requireQueue(ui);
    const place = nodes.findIndex(({ version }) => version.databaseId === after);
    const later = nodes.findIndex(({ version }) => version.databaseId > after);
    const start = place === -1 ? Math.max(later, 0) : place + 1;
    const rest = [...nodes.slice(start), ...nodes.slice(0, place === -1 ? start : place)];
    const next = rest.find(({ claimedBy }) => claimedBy === null || claimedBy.databaseId === viewer?.accountId);
    return redirect(next === undefined ? '/reviewers/' : reviewHref(next.addon, next.version.version), 303);
  },
});
