import { html } from 'hono/html';
import {
  AdminFeaturedPageDocument,
  type AdminFeaturedPageQuery,
  AdminSetFeaturedDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/addon-frame.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { APPS } from './applications.ts';
import { adminPage } from './frame.ts';

type Entry = AdminFeaturedPageQuery['featuredEntries']['nodes'][number];

/** The featured add-ons by place. Their public order is random (contract, featured), so they have none here. */
export const featuredPage = page({
  path: '/admin/featured/',
  visitor: 'account',
  query: AFTER,
  document: AdminFeaturedPageDocument,
  variables: ({ query }) => query,
  view: ({ featuredEntries: { totalCount, nodes, pageInfo } }, { search }, ui) => {
    const { t } = ui;
    return adminPage(ui, {
      tab: 'featured',
      body: html`<p>${t('admin.featured.why')} <a href="/">${t('admin.public')}</a></p>
${nodes.length > 0 && table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.featured.add')}</h2>
${formElement(ui, {
  name: 'feature-addon',
  parts: [
    {
      kind: 'text',
      name: 'addon',
      label: t('admin.column.addon'),
      hint: t('admin.addon.hint'),
      isRequired: true,
      direction: 'ltr',
      maxLength: 255,
    },
    {
      ...{ kind: 'select', name: 'app', label: t('admin.column.app') },
      options: APPS.map((app) => ({ value: app, text: t(`catalogue.app.${app}`) })),
      isRequired: true,
    },
    {
      kind: 'text',
      name: 'locale',
      label: t('admin.column.locale'),
      hint: t('admin.featured.locale-hint'),
      direction: 'ltr',
      maxLength: 20,
    },
    {
      kind: 'text',
      name: 'category',
      label: t('admin.column.category'),
      hint: t('admin.featured.category-hint'),
      direction: 'ltr',
      maxLength: 64,
    },
  ],
  submit: t('admin.featured.submit'),
})}`,
    });
  },
});

function table(ui: Ui, entries: readonly Entry[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'featured', caption: t('admin.featured.sum', { count }) },
    columns: (['addon', 'app', 'locale', 'category', 'actions'] as const).map((name) => t(`admin.column.${name}`)),
    rows: entries.map((entry) => [
      entry.addon === null
        ? html`<bdi dir="ltr">${entry.addonGuid}</bdi>`
        : html`<a href="/addon/${encodeURIComponent(entry.addon.slug ?? String(entry.addon.databaseId))}/">${hubName(ui, entry.addon)}</a>`,
      t(`catalogue.app.${entry.app}`),
      entry.locale === null ? t('admin.featured.all-languages') : html`<bdi dir="ltr">${entry.locale}</bdi>`,
      entry.category === null ? t('admin.featured.no-category') : html`<bdi dir="ltr">${entry.category}</bdi>`,
      buttonForm(ui, {
        name: 'unfeature-addon',
        hidden: { id: entry.addonId, app: entry.app, locale: entry.locale ?? '', category: entry.category ?? '' },
        button: html`${t('ui.remove')}<span class="visually-hidden">: <bdi dir="ltr">${entry.addonGuid}</bdi></span>`,
      }),
    ]),
  });
}

const PLACE = { app: choice(...APPS), locale: optionalText, category: optionalText };

export const featureForm = form({
  page: featuredPage,
  name: 'feature-addon',
  fields: { addon: textField, ...PLACE },
  document: AdminSetFeaturedDocument,
  variables: ({ addon, ...place }) => ({ input: { addon: addonReference(addon), ...place, isFeatured: true } }),
});

export const unfeatureForm = form({
  page: featuredPage,
  name: 'unfeature-addon',
  fields: { id: textField, ...PLACE },
  document: AdminSetFeaturedDocument,
  variables: ({ id, ...place }) => ({ input: { addon: { id }, ...place, isFeatured: false } }),
});
