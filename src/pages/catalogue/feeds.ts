import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  AddonFeedDocument,
  type AddonFeedQuery,
  CatalogueFeedDocument,
  type CatalogueFeedQuery,
  CollectionFeedDocument,
  type CollectionFeedQuery,
  type SearchSort,
} from '../../generated/operations/graphql.ts';
import { applicationParam, segmentParam, textParam } from '../../http/params.ts';
import type { Html } from '../html.ts';
import { type PageRow, page, type TextFile } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE } from './addon-head.ts';
import * as params from './params.ts';
import { xmlFile } from './xml.ts';

/** An entry of a feed. Dates are ISO 8601. */
interface FeedEntry {
  id: string;
  title: string | Html;
  url: string;
  published: string;
  updated: string;
  authors: readonly { name: string; url: string | null }[];
  /** Plain text, or sanitised HTML. */
  summary: { value?: string | null; locale?: string | null } | null;
  summaryType?: 'text' | 'html';
  categories?: readonly string[];
}

interface Feed {
  id: string;
  title: string | Html;
  /** The path of the feed itself. */
  path: string;
  /** The page that it is about. */
  url: string;
  entries: readonly FeedEntry[];
}

/** The year is part of the name, which must never change. */
const YEAR = 2026;

/** A name that never changes (RFC 4151): `tag:addons.example.org,2026:addon/12`. */
const tagUri = (name: string): string => `tag:${new URL(config.BASE_URL).hostname},${YEAR}:${name}`;

/** An Atom feed (RFC 4287). Its date is that of the newest entry, so that it changes only with its content. */
function atomFeed(ui: Ui, { id, title, path, url, entries }: Feed): Promise<TextFile> {
  const updated = entries.map((entry) => entry.updated).reduce((one, other) => (one > other ? one : other), '');
  return xmlFile(
    'application/atom+xml',
    html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${ui.language}">
<id>${id}</id>
<title>${title} – ${config.SITE_NAME}</title>
<updated>${updated || '1970-01-01T00:00:00Z'}</updated>
<author><name>${config.SITE_NAME}</name><uri>${config.BASE_URL}/</uri></author>
<link rel="self" type="application/atom+xml" href="${config.BASE_URL}${path}"/>
<link rel="alternate" type="text/html" href="${url}"/>
<icon>${`${config.BASE_URL}/favicon.svg`}</icon>
${entries.map(entryXml)}</feed>
`,
  );
}

function entryXml(entry: FeedEntry): Html {
  const { id, title, url, published, updated, authors, categories = [], summary, summaryType = 'text' } = entry;
  return html`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${published}</published>
<updated>${updated}</updated>
${authors.map(({ name, url: uri }) => html`<author><name>${name}</name>${uri === null ? '' : html`<uri>${uri}</uri>`}</author>`)}${categories.map(
  (category) => html`<category term="${category}"/>
`,
)}${summary?.value ? html`<summary type="${summaryType}" xml:lang="${summary.locale ?? ''}">${summary.value}</summary>` : ''}
</entry>
`;
}

/** The catalogue in an order by date, newest first. */
function catalogueFeed(name: 'new' | 'updated', title: PageTextKey, sort: SearchSort): PageRow {
  return page({
    path: `/feeds/${name}.atom`,
    visitor: 'all',
    query: {
      type: params.typesParam,
      category: textParam('Slug of a category, with one type.'),
      app: applicationParam,
    },
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

/** The add-ons of a collection, the last added first. Paths are those of the pages of collections. */
const collectionFeed = (names: readonly string[]): PageRow =>
  page({
    path: `/collections/${names.map((name) => `:${name}`).join('/')}/feed.atom`,
    visitor: 'all',
    params: Object.fromEntries(names.map((name) => [name, segmentParam('A part of the path of the collection.')])),
    document: CollectionFeedDocument,
    variables: ({ path }) => ({ path: names.map((name) => path[name]).join('/') }),
    view: ({ collection }, _input, ui) => {
      if (collection === null) return null;
      const { path, uuid, url, name, items } = collection;
      return atomFeed(ui, {
        id: tagUri(`collection/${uuid}`),
        title: ui.t('collection.title', { name: name?.value ?? path }),
        path: `${new URL(url).pathname}feed.atom`,
        url,
        entries: items.nodes.map((item) => collectedEntry(uuid, item)),
      });
    },
  });

type Collected = NonNullable<CollectionFeedQuery['collection']>['items']['nodes'][number];

function collectedEntry(uuid: string, { added, notes, addon }: Collected): FeedEntry {
  return {
    id: tagUri(`collection/${uuid}/${addon.databaseId}`),
    title: addon.name?.value ?? addon.slug ?? '',
    url: addon.url,
    published: added,
    updated: added,
    authors: addon.authors,
    summary: notes?.value == null ? addon.summary : notes,
  };
}

export const feedPages: readonly PageRow[] = [
  catalogueFeed('new', 'feed.new', 'CREATED'),
  catalogueFeed('updated', 'feed.updated', 'UPDATED'),
  addonFeedPage,
  ...[collectionFeed(['path']), collectionFeed(['owner', 'path']), collectionFeed(['folder', 'owner', 'path'])],
];
