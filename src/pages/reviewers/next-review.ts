import { ReviewerNextDocument, type ReviewerNextQuery } from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { page, redirect } from '../page.ts';
import { othersOf, requireQueue, reviewVersionUrl } from './reviewer-page.ts';

type Item = ReviewerNextQuery['reviewQueue']['nodes'][number];

/**
 * Leads to the entry of the queue after a version, of those that the viewer can decide about now. A version that is none of them, because
 * it was decided or waits for its developers, is followed by the one that has waited longest. Of several versions of an add-on in a
 * channel, the newest has the place of the one that has waited longest; the others follow once it is decided.
 */
export const nextReviewPage = page({
  path: '/reviewers/next/',
  visitor: 'account',
  query: { after: recordId('Id of a version; 0 for the first entry.') },
  document: ReviewerNextDocument,
  variables: () => ({}),
  view: ({ reviewQueue: { nodes } }, { query: { after } }, ui) => {
    requireQueue(ui);
    const groups = byChannel(nodes);
    const start = Math.max(
      groups.findIndex((group) => group.some(({ version }) => version.databaseId === after)),
      0,
    );
    const newest = [...groups.slice(start), ...groups.slice(0, start)].map(newestOf);
    const [next] = othersOf([...newest, ...nodes], after);
    return redirect(next === undefined ? '/reviewers/' : reviewVersionUrl(next.addon, next.version.version), 303);
  },
});

type Group = [Item, ...Item[]];

/** Entries of the same add-on and channel together, in the order of the first ones. */
function byChannel(items: readonly Item[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = `${item.addon.databaseId} ${item.version.channel}`;
    groups.set(key, [...(groups.get(key) ?? []), item] as Group);
  }
  return [...groups.values()];
}

const newestOf = (group: Group): Item => group.reduce((known, item) => (isNewer(item, known) ? item : known));

function isNewer({ version: one }: Item, { version: other }: Item): boolean {
  const later = Date.parse(one.created) - Date.parse(other.created);
  return later > 0 || (later === 0 && one.databaseId > other.databaseId);
}
