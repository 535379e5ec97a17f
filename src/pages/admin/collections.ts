import { html } from 'hono/html';
import {
  AdminCollectionPageDocument,
  AdminCollectionsPageDocument,
  AdminDeleteCollectionDocument,
  AdminUpsertCollectionDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { formElement } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { page } from '../page.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedList, guidList, guidsField, LIST_FIELDS, listAfterMove, MOVE_FIELDS } from './guid-list.ts';

const publicHref = (path: string): string => `/collections/${path.split('/').map(encodeURIComponent).join('/')}/`;
const editHref = (path: string): string => `${adminUrl('collections')}edit/?${new URLSearchParams({ path })}`;

/** All collections. */
export const collectionsPage = page({
  path: '/admin/collections/',
  visitor: 'account',
  query: CURSOR_PARAM,
  document: AdminCollectionsPageDocument,
  variables: ({ query }) => query,
  view: ({ collections: { totalCount, nodes, pageInfo } }, { search }, ui) => {
    const { t, format } = ui;
    return adminPage(ui, {
      tab: 'collections',
      body: html`<p>${t('admin.collections.why')}</p>
${
  nodes.length > 0 &&
  dataTable(ui, {
    ...{ id: 'collections', caption: t('admin.collections.sum', { count: totalCount }) },
    isStacked: true,
    columns: ['admin.column.path', { number: 'admin.column.addons' }, 'admin.column.actions'],
    rows: nodes.map(({ path, guids }) => [
      html`<a href="${editHref(path)}"><bdi dir="ltr">${path}</bdi></a>`,
      format.number(guids.length),
      html`<a href="${publicHref(path)}">${t('admin.public')}<span class="visually-hidden">: <bdi dir="ltr">${path}</bdi></span></a>`,
    ]),
  })
}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.collections.add')}</h2>
${formElement(ui, {
  name: 'collection-add',
  parts: [
    {
      ...{ kind: 'text', name: 'path', label: t('admin.column.path'), hint: t('admin.collections.path-hint') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 255 },
    },
    { ...guidsField(ui, []), isRequired: true },
  ],
  submit: t('admin.collections.submit'),
})}`,
    });
  },
});

/** One collection: order, content, deletion. */
export const collectionPage = page({
  path: '/admin/collections/edit/',
  visitor: 'account',
  query: { path: labelParam('Path of the collection.') },
  document: AdminCollectionPageDocument,
  variables: ({ query }) => ({ path: query.path ?? '' }),
  view: ({ collection }, _input, ui) => {
    if (collection === null) return null;
    const { t } = ui;
    const { path, guids, addons } = collection;
    return adminPage(ui, {
      tab: 'collections',
      heading: html`<bdi dir="ltr">${path}</bdi>`,
      title: path,
      body: html`<p><a href="${publicHref(path)}">${t('admin.public')}</a></p>
${guidList(ui, { name: 'collection', caption: t('admin.collections.order'), guids, addons, hidden: { path }, keepsLast: true })}
<h2>${t('admin.delete')}</h2>
${confirmForm(ui, {
  name: 'collection-delete',
  consequences: [t('admin.collections.delete-happens')],
  submit: t('admin.collections.delete'),
  cancelHref: adminUrl('collections'),
  hidden: { path },
})}`,
    });
  },
});

/** A collection of this path that exists is not replaced. */
export const addCollectionForm = form({
  page: collectionsPage,
  name: 'collection-add',
  fields: { path: textField, guids: LIST_FIELDS.guids },
  document: AdminUpsertCollectionDocument,
  variables: (input) => ({ input: { ...input, isNew: true } }),
});

export const editCollectionForm = form({
  page: collectionPage,
  name: 'collection',
  fields: { path: textField, ...LIST_FIELDS },
  document: AdminUpsertCollectionDocument,
  variables: (values) => ({ input: { path: values.path, guids: values.guids, expected: expectedList(values) } }),
});

export const moveCollectionForm = form({
  page: collectionPage,
  name: 'collection-move',
  fields: { path: textField, ...MOVE_FIELDS },
  document: AdminUpsertCollectionDocument,
  variables: (values) => ({
    input: { path: values.path, guids: listAfterMove(values), expected: expectedList(values) },
  }),
});

export const deleteCollectionForm = form({
  page: collectionPage,
  name: 'collection-delete',
  fields: { path: textField },
  document: AdminDeleteCollectionDocument,
  variables: (values) => values,
  done: () => doneAt(adminUrl('collections'), 'collection-delete'),
});
