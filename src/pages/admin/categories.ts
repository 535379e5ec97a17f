import { html } from 'hono/html';
import {
  AdminCategoriesPageDocument,
  type AdminCategoriesPageQuery,
  AdminDeleteCategoryDocument,
  AdminUpsertCategoryDocument,
} from '../../generated/operations/graphql.ts';
import { enumValues, labelParam, wordParam } from '../../http/params.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import { appTabs } from '../catalogue/categories.ts';
import { changed, changedTexts } from '../changes.ts';
import { categoryName } from '../components/category-name.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { choice, integerField, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { APPLICATION_PARAM, APPLICATION_VALUES } from './applications.ts';
import { expectedNames, nameParts } from './names.ts';

type Use = NonNullable<AdminCategoriesPageQuery['categoryUses']>[number];
type Category = Use['category'];

const TYPES = ADDON_TYPES.map((type) => type.toUpperCase() as Uppercase<typeof type>);

const keyOf = ({ app, type, slug }: Category) => ({ app, type, slug });

function editHref({ app, type, slug }: Category): string {
  const query = new URLSearchParams({ app: app.toLowerCase(), type: type.toLowerCase(), slug });
  return `${adminUrl('categories')}edit/?${query}`;
}

const publicHref = ({ app, type, slug }: Category): string =>
  `/category/${type.toLowerCase()}/${slug}/?app=${app.toLowerCase()}`;

/** The categories of an application, with their uses. */
export const categoriesAdminPage = page({
  path: '/admin/categories/',
  visitor: 'account',
  query: { app: APPLICATION_PARAM },
  document: AdminCategoriesPageDocument,
  variables: ({ query }) => ({ app: query.app ?? 'DESKTOP_BROWSER' }),
  view: ({ categoryUses: uses }, { query }, ui) => {
    const { t } = ui;
    const app = query.app ?? 'DESKTOP_BROWSER';
    return adminPage(ui, {
      tab: 'categories',
      body: html`${appTabs(ui, app, (each) => `${adminUrl('categories')}?app=${each}`)}
${uses !== null && uses.length > 0 && table(ui, uses)}
<h2>${t('admin.categories.add')}</h2>
${formElement(ui, {
  name: 'category-add',
  hidden: { app },
  expected: expectedNames(null),
  parts: [
    {
      ...{ kind: 'select', name: 'type', label: t('admin.column.type'), isRequired: true },
      options: TYPES.map((type) => ({ value: type, text: t(`catalogue.type.${type}`) })),
    },
    {
      ...{ kind: 'text', name: 'slug', label: t('admin.column.slug'), hint: t('admin.categories.slug-hint') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 64 },
    },
    ...nameParts(ui, null),
    weightField(ui, null),
  ],
  submit: t('admin.categories.submit'),
})}`,
    });
  },
});

const weightField = ({ t }: Ui, weight: number | null): FormField => ({
  ...{ kind: 'number', name: 'weight', value: weight === null ? null : String(weight) },
  ...{ label: t('admin.column.weight'), hint: t('admin.categories.weight-hint') },
});

function table(ui: Ui, uses: readonly Use[]): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    ...{ id: 'categories', caption: t('admin.categories.sum', { count: uses.length }) },
    isStacked: true,
    columns: [
      ...(['category', 'slug', 'type'] as const).map((name) => t(`admin.column.${name}`)),
      ...(['weight', 'addons', 'featured'] as const).map((name) => ({ number: t(`admin.column.${name}`) })),
      'admin.column.actions',
    ],
    rows: uses.map(({ category, addons, featuredEntries }) => [
      html`<a href="${editHref(category)}">${categoryName(ui, category)}</a>`,
      html`<bdi dir="ltr">${category.slug}</bdi>`,
      t(`catalogue.type.${category.type}`),
      ...[category.weight, addons, featuredEntries].map((number) => format.number(number)),
      html`<a href="${publicHref(category)}">${t('admin.public')}<span class="visually-hidden">: <bdi dir="ltr">${category.slug}</bdi></span></a>`,
    ]),
  });
}

/** One category: names, weight, deletion. */
export const categoryAdminPage = page({
  path: '/admin/categories/edit/',
  visitor: 'account',
  query: {
    app: APPLICATION_PARAM,
    type: wordParam('Type of the add-ons.', enumValues(ADDON_TYPES)),
    slug: labelParam('Short name of the category.'),
  },
  document: AdminCategoriesPageDocument,
  variables: ({ query }) => ({ app: query.app ?? 'DESKTOP_BROWSER' }),
  view: ({ categoryUses: uses }, { query: { type, slug } }, ui) => {
    const use = uses?.find(({ category }) => category.type === type && category.slug === slug);
    if (use === undefined) return null;
    const { t } = ui;
    const { category, addons, featuredEntries } = use;
    return adminPage(ui, {
      tab: 'categories',
      heading: categoryName(ui, category),
      title: category.slug,
      body: html`<p><a href="${publicHref(category)}">${t('admin.public')}</a></p>
${formElement(ui, {
  name: 'category',
  hidden: keyOf(category),
  expected: { ...expectedNames(category.name), weight: String(category.weight) },
  parts: [...nameParts(ui, category.name), weightField(ui, category.weight)],
  submit: t('ui.save'),
})}
<h2>${t('admin.delete')}</h2>
${
  addons + featuredEntries > 0
    ? html`<p>${t('admin.categories.used', { addons, featured: featuredEntries })}</p>`
    : confirmForm(ui, {
        ...{ name: 'category-delete', consequences: [t('admin.categories.delete-happens')] },
        ...{ submit: t('admin.categories.delete'), cancelHref: adminUrl('categories'), hidden: keyOf(category) },
      })
}`,
    });
  },
});

const KEY = { app: choice(...APPLICATION_VALUES), type: choice(...TYPES), slug: textField };

export const addCategoryForm = form({
  page: categoriesAdminPage,
  name: 'category-add',
  fields: { ...KEY, name: changedTexts, weight: integerField },
  document: AdminUpsertCategoryDocument,
  variables: (input) => ({ input: { ...input, isNew: true } }),
});

export const editCategoryForm = form({
  page: categoryAdminPage,
  name: 'category',
  fields: { ...KEY, name: changedTexts, weight: changed(integerField) },
  document: AdminUpsertCategoryDocument,
  variables: ({ weight, ...input }) => ({ input: { ...input, weight: weight?.value ?? null } }),
});

export const deleteCategoryForm = form({
  page: categoryAdminPage,
  name: 'category-delete',
  fields: KEY,
  document: AdminDeleteCategoryDocument,
  variables: (input) => ({ input }),
  done: () => doneAt(adminUrl('categories'), 'category-delete'),
});
