import { html } from 'hono/html';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  ChangeOwnCollectionDocument,
  ChangeOwnCollectionNotesDocument,
  DeleteOwnCollectionDocument,
  MakeCollectionDocument,
  OwnCollectionPageDocument,
  type OwnCollectionPageQuery,
  OwnCollectionsPageDocument,
  type OwnCollectionsPageQuery,
  RemoveFromOwnCollectionDocument,
} from '../../generated/operations/graphql.ts';
import { recordId, segmentParam } from '../../http/params.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { pageNumber } from '../catalogue/params.ts';
import { badge } from '../components/badge.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { localText, textInLanguage } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import { day } from '../components/time.ts';
import { integerField, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage } from './account-page.ts';
import { COLLECTION_FIELDS, collectionFields, collectionInput, localeOf, newCollection } from './collection-fields.ts';
import { rowRefusal } from './parts.ts';

const LIST = '/account/collections/';
const PAGE_SIZE = 25;

/** The page on which an account changes one of its collections. */
export const ownCollectionPath = (slug: string): string => `${LIST}${encodeURIComponent(slug)}/`;

/** The collections of the viewer, and the form for a new one. */
export const ownCollectionsPage = page({
  path: LIST,
  visitor: 'account',
  query: { page: pageNumber },
  document: OwnCollectionsPageDocument,
  variables: ({ query }) => ({ page: query.page }),
  view: ({ accountCollections: { nodes, totalCount } }, { query }, ui) =>
    accountPage(
      ui,
      'collections',
      html`<p>${ui.t('account.collections.why')}</p>
${nodes.length > 0 && collectionTable(ui, nodes)}
${pager(ui, { page: query.page, pageCount: Math.ceil(totalCount / PAGE_SIZE), hrefOf: (each) => `${LIST}?page=${each}` })}
<section aria-labelledby="new"><h2 id="new">${ui.t('account.collections.new')}</h2>
${formElement(ui, {
  name: 'collection-new',
  hidden: { locale: localeOf(ui) },
  parts: collectionFields(ui, { language: localeOf(ui) }),
  submit: ui.t('account.collections.make'),
})}</section>`,
    ),
});

type Listed = OwnCollectionsPageQuery['accountCollections']['nodes'][number];

function collectionTable(ui: Ui, collections: readonly Listed[]): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    id: 'collections',
    caption: t('account.collections.title'),
    isCaptionHidden: true,
    columns: [
      'account.collections.name',
      { number: 'admin.column.addons' },
      'account.collections.shown',
      'account.collections.changed',
      'account.collections.page',
    ],
    rows: collections.map(({ slug, url, name, addonCount, isPublic, modified }) => [
      html`<a href="${ownCollectionPath(slug)}">${name === null ? slug : localText(ui, name)}</a>`,
      format.number(addonCount),
      badge(ui, {
        kind: isPublic ? 'ok' : 'plain',
        text: t(isPublic ? 'account.collections.shown-all' : 'account.collections.shown-me'),
      }),
      day(ui, modified),
      html`<a href="${pathOf(url)}">${t('account.collections.open')}<span class="visually-hidden">: ${name === null ? slug : localText(ui, name)}</span></a>`,
    ]),
  });
}

export const newCollectionForm = form({
  page: ownCollectionsPage,
  name: 'collection-new',
  fields: COLLECTION_FIELDS,
  document: MakeCollectionDocument,
  variables: newCollection,
  done: ({ createCollection }) =>
    doneAt(ownCollectionPath(payloadOf(createCollection, 'collection').collection.slug), 'collection-new'),
});

type Own = NonNullable<OwnCollectionPageQuery['collection']>;
type Item = Own['items']['nodes'][number];

/** One collection of the viewer: its texts, its add-ons, deletion. */
export const ownCollectionPage = page({
  path: `${LIST}:slug/`,
  visitor: 'account',
  params: { slug: segmentParam('Slug of the collection.') },
  query: { page: pageNumber, notes: recordId('Id of the add-on whose notes are changed.') },
  document: OwnCollectionPageDocument,
  variables: ({ path, query, viewer }) => ({
    ...{ slug: path.slug, page: query.page },
    account: { databaseId: viewer?.accountId ?? 0 },
  }),
  view: ({ collection }, { query }, ui) => {
    if (collection === null) return null;
    const { t } = ui;
    const { slug, url, isPublic, defaultLocale: language, name, description, id } = collection;
    const noted = collection.items.nodes.find(({ addon }) => addon.databaseId === query.notes);
    const shown = name?.value ?? slug;
    return accountPage(
      ui,
      'collections',
      html`<p><a href="${pathOf(url)}">${t('account.collections.open')}</a></p>
${noted && notesForm(ui, collection, noted)}
${itemSection(ui, collection, query.page)}
<section aria-labelledby="texts"><h2 id="texts">${t('account.collections.texts')}</h2>
${formElement(ui, {
  name: 'collection-change',
  hidden: { id, locale: language },
  parts: collectionFields(ui, {
    ...{ slug, isPublic, language },
    ...{ name: textInLanguage(name, language), description: textInLanguage(description, language) },
  }),
  submit: t('ui.save'),
})}</section>
<section aria-labelledby="delete"><h2 id="delete">${t('admin.delete')}</h2>
${confirmForm(ui, {
  name: 'collection-remove',
  consequences: [t('account.collections.delete-happens')],
  submit: t('admin.collections.delete'),
  cancelHref: LIST,
  hidden: { id },
})}</section>`,
      { key: 'account.collections.of', name: shown },
    );
  },
});

function itemSection(ui: Ui, { id, slug, items }: Own, current: number): Html {
  const { t } = ui;
  const { nodes, totalCount } = items;
  if (totalCount === 0) {
    return notice(ui, {
      ...{ kind: 'info', text: t('account.collections.empty') },
      actions: html`<a href="/search/">${t('collection.search')}</a>`,
    });
  }
  return html`<h2>${t('admin.column.addons')}</h2>
${rowRefusal(ui, 'collection-take')}
${dataTable(ui, {
  id: 'collection-addons',
  caption: t('admin.column.addons'),
  isCaptionHidden: true,
  columns: ['account.column.addon', 'account.column.action', 'account.collections.notes'],
  rows: nodes.map(({ addon, notes }) => [
    html`<a href="${pathOf(addon.url)}">${nameOf(ui, addon)}</a>`,
    html`<div class="cluster"><a class="button small" href="?notes=${addon.databaseId}#notes">${t('account.collections.edit-notes')}<span class="visually-hidden">: ${nameOf(ui, addon)}</span></a>
${buttonForm(ui, {
  name: 'collection-take',
  hidden: { id, addon: String(addon.databaseId) },
  button: html`${t('account.collections.take')}<span class="visually-hidden">: ${nameOf(ui, addon)}</span>`,
})}</div>`,
    localText(ui, notes),
  ]),
})}
${pager(ui, {
  ...{ page: current, pageCount: Math.ceil(totalCount / PAGE_SIZE) },
  hrefOf: (each) => `${ownCollectionPath(slug)}?page=${each}`,
})}`;
}

const nameOf = (ui: Ui, { name, slug }: Item['addon']): Html =>
  name?.value == null ? html`${slug ?? ''}` : localText(ui, name);

const notesForm = (
  ui: Ui,
  { id, defaultLocale: language }: Own,
  { addon, notes }: Item,
): Html => html`<section aria-labelledby="notes"><h2 id="notes">${ui.t('account.collections.notes-on', { name: nameOf(ui, addon) })}</h2>
${formElement(ui, {
  name: 'collection-notes',
  hidden: { id, addon: String(addon.databaseId), locale: language },
  parts: [
    {
      ...{ kind: 'textarea', name: 'notes', label: ui.t('account.collections.notes'), rows: 3, maxLength: 280 },
      ...{ hint: ui.t('account.collections.notes-hint'), value: textInLanguage(notes, language), language },
    },
  ],
  submit: ui.t('ui.save'),
})}</section>`;

export const changeCollectionForm = form({
  page: ownCollectionPage,
  name: 'collection-change',
  fields: { id: textField, ...COLLECTION_FIELDS },
  document: ChangeOwnCollectionDocument,
  variables: ({ id, ...typed }) => ({ input: { by: { id }, ...collectionInput(typed) } }),
  done: ({ updateCollection }) =>
    doneAt(ownCollectionPath(payloadOf(updateCollection, 'collection').collection.slug), 'collection-change'),
});

export const collectionNotesForm = form({
  page: ownCollectionPage,
  name: 'collection-notes',
  fields: { id: textField, addon: integerField, locale: textField, notes: textField },
  document: ChangeOwnCollectionNotesDocument,
  variables: ({ id, addon, locale, notes }) => ({
    input: { by: { id }, addon: { databaseId: addon ?? 0 }, notes: [{ locale, value: notes }] },
  }),
  done: (_result, { path }) => doneAt(ownCollectionPath(String(path.slug)), 'collection-notes'),
});

export const takeFromCollectionForm = form({
  page: ownCollectionPage,
  name: 'collection-take',
  fields: { id: textField, addon: integerField },
  document: RemoveFromOwnCollectionDocument,
  variables: ({ id, addon }) => ({ id, addon: addon ?? 0 }),
});

export const removeCollectionForm = form({
  page: ownCollectionPage,
  name: 'collection-remove',
  fields: { id: textField },
  document: DeleteOwnCollectionDocument,
  variables: (values) => values,
  done: () => doneAt(LIST, 'collection-remove'),
});
