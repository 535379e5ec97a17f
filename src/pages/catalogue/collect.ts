import { html } from 'hono/html';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  CollectAddonDocument,
  CollectAddonPageDocument,
  MakeCollectionDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { COLLECTION_FIELDS, collectionFields, localeOf, newCollection } from '../account/collection-fields.ts';
import { ownCollectionPath } from '../account/collections.ts';
import { formElement } from '../components/form.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonBreadcrumbs, addonName, addonNameHtml, addonPath, toCanonical } from './addon-head.ts';

/** Adds an add-on to a collection of the viewer: the hundred that were changed last, or one that is made here. */
export const collectPage = page({
  ...ADDON_PAGE,
  visitor: 'account',
  path: '/addon/:ref/collect/',
  document: CollectAddonPageDocument,
  view: ({ addon, accountCollections: { nodes } }, input, ui) => {
    if (addon === null) return null;
    const { t } = ui;
    const others = nodes.filter(({ item }) => item === null);
    const isIn = nodes.length - others.length;
    return (
      toCanonical(addon, input, 'collect/') ?? {
        title: t('collect.title', { name: addonName(addon) }),
        robots: 'noindex',
        main: html`${addonBreadcrumbs(ui, addon, t('collect.crumb'))}
<div class="prose"><h1>${t('collect.title', { name: addonNameHtml(ui, addon) })}</h1>
${isIn > 0 && html`<p>${t('collect.in', { count: isIn })}</p>`}
${
  others.length > 0 &&
  formElement(ui, {
    name: 'collect',
    hidden: { locale: localeOf(ui) },
    parts: [
      {
        ...{ kind: 'select', name: 'collection', label: t('collect.collection'), isRequired: true },
        options: others.map(({ id, slug, name }) => ({ value: id, text: name?.value ?? slug })),
      },
      {
        ...{ kind: 'textarea', name: 'notes', label: t('account.collections.notes'), rows: 3, maxLength: 280 },
        hint: t('account.collections.notes-hint'),
      },
    ],
    submit: t('collect.submit'),
  })
}
${others.length === 0 ? html`<p>${t('collect.none')}</p>${newForm(ui)}` : html`<details${ui.form('collect-new') !== null && html` open`}><summary>${t('collect.new')}</summary>${newForm(ui)}</details>`}
<p><a href="${addonPath(addon)}">${t('ui.cancel')}</a></p></div>`,
      }
    );
  },
});

/** The form of a collection that the add-on is then added to. */
const newForm = (ui: Ui): Html =>
  formElement(ui, {
    name: 'collect-new',
    hidden: { locale: localeOf(ui) },
    parts: collectionFields(ui, { language: localeOf(ui) }),
    submit: ui.t('account.collections.make'),
  });

export const collectForm = form({
  page: collectPage,
  name: 'collect',
  fields: { collection: textField, locale: textField, notes: textField },
  document: CollectAddonDocument,
  variables: ({ collection, locale, notes }, { path }) => ({
    input: {
      by: { id: collection },
      addon: addonReference(String(path.ref)),
      notes: notes === '' ? [] : [{ locale, value: notes }],
    },
  }),
  done: ({ addCollectionAddon }) =>
    doneAt(ownCollectionPath(payloadOf(addCollectionAddon, 'collection').collection.slug), 'collect'),
});

/** The new collection is the first of the list, which is in the order of changes. */
export const collectNewForm = form({
  page: collectPage,
  name: 'collect-new',
  fields: COLLECTION_FIELDS,
  document: MakeCollectionDocument,
  variables: newCollection,
  done: (_made, { path }) => doneAt(`/addon/${encodeURIComponent(String(path.ref))}/collect/`, 'collect-new'),
});
