/* The revisions of pages about one add-on: what a page shows to anonymous visitors changes only with its revision. */
import type { AddonHeaderStateFragment, AddonPageStateFragment } from '../../generated/operations/graphql.ts';

/** Of a page that shows the header and fields of the add-on's document; null for an add-on that was never published. */
export function headerRevision({ revision, publicVersionCount, authors }: AddonHeaderStateFragment): string | null {
  return revision && JSON.stringify([revision, publicVersionCount, authors.map(({ url }) => url)]);
}

/** Of the page of an add-on. */
export function addonPageRevision(addon: AddonPageStateFragment): string | null {
  const { currentVersion, recommendations, othersByAuthors } = addon;
  const header = headerRevision(addon);
  const cards = [...recommendations.results, null, ...othersByAuthors].map((card) => card && [card.id, card.revision]);
  const added = [currentVersion?.newPermissions, currentVersion?.newDataCollectionPermissions];
  return header && JSON.stringify([header, added, recommendations.outcome, cards]);
}
