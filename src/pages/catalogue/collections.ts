import { html } from 'hono/html';
import { CollectionPageDocument, type CollectionPageQuery } from '../../generated/operations/graphql.ts';
import { segment } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { notice } from '../components/notice.ts';
import { type Content, type PageRow, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { cardGrid } from './cards.ts';

const part = segment('A part of the path of the collection.');

/** Paths of collections have one to three parts. */
const collectionPage = (names: readonly string[]): PageRow =>
  page({
    path: `/collections/${names.map((name) => `:${name}`).join('/')}/`,
    visitor: 'all',
    params: Object.fromEntries(names.map((name) => [name, part])),
    document: CollectionPageDocument,
    variables: ({ path }) => ({ path: names.map((name) => path[name]).join('/') }),
    view: ({ collection }, _input, ui) => collection && collectionView(ui, collection),
  });

function collectionView(ui: Ui, { path, addons }: NonNullable<CollectionPageQuery['collection']>): Content {
  const { t } = ui;
  const title = t('collection.title', { name: path });
  return {
    title,
    description: String(t('collection.about')),
    canonical: `/collections/${path.split('/').map(encodeURIComponent).join('/')}/`,
    main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: title }])}
<h1>${t('collection.title', { name: html`<bdi>${path}</bdi>` })}</h1>
<p class="lead">${t('collection.about')} ${addons.length > 0 ? t('search.count', { count: addons.length }) : ''}</p>
${
  addons.length > 0
    ? cardGrid(ui, addons, { level: 2 })
    : notice(ui, {
        kind: 'info',
        text: t('collection.empty'),
        actions: html`<a href="/search/">${t('collection.search')}</a>`,
      })
}`,
  };
}

export const collectionPages: readonly PageRow[] = [
  collectionPage(['path']),
  collectionPage(['owner', 'path']),
  collectionPage(['folder', 'owner', 'path']),
];
