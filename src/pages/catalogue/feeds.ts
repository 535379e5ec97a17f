import { config } from '../../config.ts';
import {
  AddonFeedDocument,
  type AddonFeedQuery,
  CatalogueFeedDocument,
  type CatalogueFeedQuery,
  type SearchSort,
} from '../../generated/operations/graphql.ts';
import { application, text } from '../../http/params.ts';
import { type PageRow, page } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE } from './addon-head.ts';
import { atomFeed, type FeedEntry, tagUri } from './atom.ts';
import * as params from './params.ts';

/** The catalogue in an order by date, newest first. */
function catalogueFeed(name: 'new' | 'updated', title: TextKey, sort: SearchSort): PageRow {
  return page({
    path: `/feeds/${name}.atom`,
    visitor: 'all',
    query: { type: params.types, category: text('Slug of a category, with one type.'), app: application },
    document: CatalogueFeedDocument,
    variables: ({ query: { type, category, app } }) => ({
      sort: [sort],
      filter: {
        types: type,
        app: app ?? (category === null ? null : 'DESKTOP_BROWSER'),
        names: { category: type?.length === 1 ? category : null },
      },
    }),
    view: ({ search }, { search: query }, ui) =>
      atomFeed(ui, {
        id: tagUri(`feeds/${name}${query.size > 0 ? `?${query}` : ''}`),
        title: ui.t(title),
        path: ui.path,
        url: `${config.BASE_URL}/search/?sort=${sort.toLowerCase()}`,
        entries: search.nodes.map((addon) => addonEntry(addon, name === 'updated')),
      }),
  });
}

type Found = CatalogueFeedQuery['search']['nodes'][number];

/** An add-on. In the feed of new ones its date is that of its creation, so that a change is not shown as new. */
function addonEntry(addon: Found, isChanged: boolean): FeedEntry {
  const { databaseId, slug, url, created, lastUpdated, name, summary, authors, categories } = addon;
  return {
    id: tagUri(`addon/${databaseId}`),
    title: name?.value ?? slug ?? '',
    url,
    published: created,
    updated: isChanged ? lastUpdated : created,
    authors,
    summary,
    categories: [...new Set(categories.map(({ slug }) => slug))],
  };
}

/** The public versions of an add-on. */
const addonFeedPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/feed.atom',
  document: AddonFeedDocument,
  view: ({ addon }, _input, ui) => {
    if (addon === null || addon.slug === null) return null;
    return atomFeed(ui, {
      id: tagUri(`addon/${addon.databaseId}/versions`),
      title: ui.t('addon.versions.title', { name: addon.name?.value ?? addon.slug }),
      path: `/addon/${encodeURIComponent(addon.slug)}/feed.atom`,
      url: addon.url,
      entries: addon.versions.nodes.map((version) => versionEntry(ui, addon, version)),
    });
  },
});

type FedAddon = NonNullable<AddonFeedQuery['addon']>;

function versionEntry(ui: Ui, addon: FedAddon, version: FedAddon['versions']['nodes'][number]): FeedEntry {
  const date = version.reviewed ?? version.created;
  return {
    id: tagUri(`version/${version.databaseId}`),
    title: ui.t('feed.version', { name: addon.name?.value ?? addon.slug ?? '', version: version.version }),
    url: version.url,
    published: date,
    updated: date,
    authors: addon.authors,
    summary: version.releaseNotes,
    summaryType: 'html',
  };
}

export const feedPages: readonly PageRow[] = [
  catalogueFeed('new', 'feed.new', 'CREATED'),
  catalogueFeed('updated', 'feed.updated', 'UPDATED'),
  addonFeedPage,
];
