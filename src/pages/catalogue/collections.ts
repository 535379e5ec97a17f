import { html } from 'hono/html';
import { CollectionPageDocument, type CollectionPageQuery } from '../../generated/operations/graphql.ts';
import { segmentParam } from '../../http/params.ts';
import { ownCollectionPath } from '../account/collections.ts';
import { addonCard } from '../components/addon-card.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { icon } from '../components/icon.ts';
import { languageAttributes, localText } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { type PageContent, type PageRow, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { pathOf } from './addresses.ts';
import { badgesOf } from './cards.ts';
import { pageNumber } from './params.ts';

const part = segmentParam('A part of the path of the collection.');

const PAGE_SIZE = 24;

/** Paths of collections have one to three parts; those of people are the username and the slug. */
const collectionPage = (names: readonly string[]): PageRow =>
  page({
    path: `/collections/${names.map((name) => `:${name}`).join('/')}/`,
    visitor: 'all',
    params: Object.fromEntries(names.map((name) => [name, part])),
    query: { page: pageNumber },
    document: CollectionPageDocument,
    variables: ({ path, query }) => ({ path: names.map((name) => path[name]).join('/'), page: query.page }),
    view: ({ collection }, { query }, ui) => collection && collectionView(ui, collection, query.page),
  });

type Shown = NonNullable<CollectionPageQuery['collection']>;

/** The address of a collection on this site. */
export const collectionPath = (path: string): string =>
  `/collections/${path.split('/').map(encodeURIComponent).join('/')}/`;

/** Whether it is one of the built-in account of the operator, whose id is negative. */
const isOfOperator = ({ author }: Shown): boolean => author.databaseId < 0;

function collectionView(ui: Ui, collection: Shown, current: number): PageContent {
  const { t } = ui;
  const { path, name, description, items, isPublic, uuid } = collection;
  const plain = name?.value ?? path;
  const own = collectionPath(path);
  const heading = name?.value == null ? html`<bdi>${path}</bdi>` : localText(ui, name);
  return {
    title: t('collection.title', { name: plain }),
    description: description?.value ?? String(t('collection.about')),
    canonical: own,
    ...(isPublic ? {} : { robots: 'noindex' as const }),
    feeds: [{ title: t('collection.feed', { name: plain }), href: `${own}feed.atom` }],
    main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: heading }])}
<h1>${t('collection.title', { name: heading })}</h1>
${!isPublic && badge(ui, { kind: 'plain', text: t('account.collections.shown-me') })}
<p class="muted">${author(ui, collection)} · ${t('search.count', { count: items.totalCount })}</p>
${description?.value != null && html`<p class="user-text prose"${languageAttributes(ui, description.locale)}>${description.value}</p>`}
${isOfOperator(collection) && description === null && html`<p class="lead">${t('collection.about')}</p>`}
<p class="cluster">${collection.canEdit && html`<a class="button" href="${editHref(collection)}">${t('collection.edit')}</a>`}
<a href="${own}feed.atom">${t('collection.feed-link')}</a>
${!isOfOperator(collection) && html`<a href="/report/collection/${uuid}/">${t('collection.report')}</a>`}</p>
${
  items.nodes.length > 0
    ? html`<ul class="cards">${items.nodes.map((item) => html`<li>${itemCard(ui, item, uuid)}</li>`)}</ul>`
    : items.totalCount === 0 &&
      notice(ui, {
        kind: 'info',
        text: t('collection.empty'),
        actions: html`<a href="/search/">${t('collection.search')}</a>`,
      })
}
${pager(ui, {
  ...{ page: current, pageCount: Math.ceil(items.totalCount / PAGE_SIZE) },
  hrefOf: (each) => (each === 1 ? own : `${own}?page=${each}`),
})}`,
  };
}

const author = (ui: Ui, { author: { name, url } }: Shown): Html =>
  html`${ui.t('addon.by')} ${url === null ? html`<bdi>${name}</bdi>` : html`<a href="${pathOf(url)}"><bdi>${name}</bdi></a>`}`;

const editHref = (collection: Shown): string =>
  isOfOperator(collection)
    ? `/admin/collections/edit/?${new URLSearchParams({ path: collection.path })}`
    : ownCollectionPath(collection.slug);

type Item = Shown['items']['nodes'][number];

/** An add-on with the notes of the collection on it, and a link that installs it and is counted for the collection. */
function itemCard(ui: Ui, { addon, notes }: Item, uuid: string): Html {
  const url = addon.currentVersion?.files[0]?.url;
  const counted = `src=collection&collection_id=${uuid}`;
  const install =
    url === undefined || addon.hasEula || !addon.isInstallable
      ? html``
      : html`<a class="button small" href="${url}${url.includes('?') ? '&' : '?'}${counted}" type="application/x-xpinstall">${icon(ui, 'download')}<span>${ui.t('addon.install')}</span><span class="visually-hidden">: ${addon.name?.value == null ? addon.slug : localText(ui, addon.name)}</span></a>`;
  return addonCard(ui, {
    ...{ addon, level: 2 as const, badges: badgesOf(ui, addon) },
    actions: html`${notes?.value != null && html`<p class="user-text"${languageAttributes(ui, notes.locale)}>${notes.value}</p>`}${install}`,
  });
}

export const collectionPages: readonly PageRow[] = [
  collectionPage(['path']),
  collectionPage(['owner', 'path']),
  collectionPage(['folder', 'owner', 'path']),
];
