import { ReviewerNextDocument } from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { page, redirect } from '../page.ts';
import { othersOf, requireQueue, reviewVersionUrl } from './reviewer-page.ts';

/**
 * Leads to the entry of the queue after a version, of those that the viewer can decide about now. A version that is none of them, because
 * it was decided or waits for its developers, is followed by the one that has waited longest.
 */
export const nextReviewPage = page({
  path: '/reviewers/next/',
  visitor: 'account',
  query: { after: recordId('Id of a version; 0 for the first entry.') },
  document: ReviewerNextDocument,
  variables: () => ({}),
  view: ({ reviewQueue: { nodes } }, { query: { after } }, ui) => {
    requireQueue(ui);
    const place = nodes.findIndex(({ version }) => version.databaseId === after);
    const start = Math.max(place, 0);
    const [next] = othersOf([...nodes.slice(start), ...nodes.slice(0, start)], after);
    return redirect(next === undefined ? '/reviewers/' : reviewVersionUrl(next.addon, next.version.version), 303);
  },
});
