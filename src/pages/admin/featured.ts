import { html } from 'hono/html';
import {
  AdminFeaturedPageDocument,
  type AdminFeaturedPageQuery,
  AdminSetFeaturedDocument,
} from '../../generated/operations/graphql.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { addonReference } from '../../graphql/references.ts';
import { labelParam, oneOf, type ParamValues } from '../../http/params.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { type Html, joined } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { APPLICATION_VALUES } from './applications.ts';

type Entry = AdminFeaturedPageQuery['featuredEntries']['nodes'][number];

/** What the form before the page featured, or no longer features, and where. */
const CHANGED = {
  done: labelParam('The form before this page.'),
  addon: labelParam('Slug, GUID or id of the add-on of that form.'),
  app: oneOf('Its application.', APPLICATION_VALUES),
  locale: labelParam('Its language.'),
  category: labelParam('Its category.'),
};

type Changed = ParamValues<typeof CHANGED>;

/** The featured add-ons by place, the newest entries first. Their public order is random (contract, featured), so they have none here. */
export const featuredPage = page({
  path: '/admin/featured/',
  visitor: 'account',
  query: { ...CURSOR_PARAM, ...CHANGED },
  document: AdminFeaturedPageDocument,
  variables: ({ query: { after } }) => ({ before: after }),
  view: ({ featuredEntries: { totalCount, nodes, pageInfo } }, { query, search }, ui) => {
    const { t } = ui;
    const added = query.done === 'feature-addon' ? (nodes.find((entry) => isOf(entry, query)) ?? null) : null;
    const content = adminPage(ui, {
      tab: 'featured',
      body: html`<p>${t('admin.featured.why')} <a href="/">${t('admin.public')}</a></p>
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
      options: APPLICATION_VALUES.map((app) => ({ value: app, text: t(`catalogue.app.${app}`) })),
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
})}
${nodes.length > 0 && table(ui, nodes.toReversed(), totalCount)}
${cursorPager(ui, {
  search,
  // The connection has the oldest first.
  pageInfo: { hasNextPage: pageInfo.hasPreviousPage, endCursor: pageInfo.startCursor },
})}`,
    });
    return {
      ...content,
      doneText: doneText(ui, query, added),
      ...(added !== null && { afterDone: () => ({ actions: removal(ui, added) }) }),
    };
  },
});

function table(ui: Ui, entries: readonly Entry[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'featured', caption: t('admin.featured.sum', { count }) },
    isStacked: true,
    columns: (['addon', 'app', 'locale', 'category', 'actions'] as const).map((name) => t(`admin.column.${name}`)),
    rows: entries.map((entry) => [
      addonLink(ui, entry),
      t(`catalogue.app.${entry.app}`),
      ...placeOf(ui, entry),
      removal(ui, entry),
    ]),
  });
}

const addonLink = (ui: Ui, { addon, addonGuid }: Entry): Html =>
  addon === null
    ? html`<bdi dir="ltr">${addonGuid}</bdi>`
    : html`<a href="${addonPath(addon)}">${hubName(ui, addon)}</a>`;

const removal = (ui: Ui, { addonId, addonGuid, app, locale, category }: Entry): Html =>
  buttonForm(ui, {
    name: 'unfeature-addon',
    hidden: { id: addonId, guid: addonGuid, app, locale: locale ?? '', category: category ?? '' },
    button: html`${ui.t('ui.remove')}<span class="visually-hidden">: <bdi dir="ltr">${addonGuid}</bdi></span>`,
  });

/** Whether an entry is what the form before this page added. */
const isOf = (entry: Entry, { addon, app, locale, category }: Changed): boolean =>
  entry.addonId === globalId('Addon', Number(addon)) &&
  entry.app === app &&
  (entry.locale ?? '').toLowerCase() === (locale ?? '').toLowerCase() &&
  (entry.category ?? '').toLowerCase() === (category ?? '').toLowerCase();

/** The add-on and the place of the form before this page; null after another form. */
function doneText(ui: Ui, { done, addon, app, locale, category }: Changed, added: Entry | null): Html | null {
  if (!addon || app === null) return null;
  const place = placeOf(ui, { locale: locale || null, category: category || null });
  const params = {
    addon:
      added === null
        ? html`<a href="/addon/${encodeURIComponent(addon)}/"><bdi dir="ltr">${addon}</bdi></a>`
        : addonLink(ui, added),
    place: joined([ui.t(`catalogue.app.${app}`), ...place], ' · '),
  };
  if (done === 'feature-addon') return ui.t('admin.featured.featured', params);
  return done === 'unfeature-addon' ? ui.t('admin.featured.unfeatured', params) : null;
}

/** The language and the category of a place. */
const placeOf = ({ t }: Ui, { locale, category }: Pick<Entry, 'locale' | 'category'>): (Html | string)[] => [
  locale === null ? t('admin.featured.all-languages') : html`<bdi dir="ltr">${locale}</bdi>`,
  category === null ? t('admin.featured.no-category') : html`<bdi dir="ltr">${category}</bdi>`,
];

const PLACE = { app: choice(...APPLICATION_VALUES), locale: optionalText, category: optionalText };

/** The list with what was done, by the values of its form. */
function changed(
  done: string,
  { addon, app, locale, category }: Record<'addon' | 'app', string> & Pick<Entry, 'locale' | 'category'>,
) {
  const query = new URLSearchParams({ addon, app, ...(locale && { locale }), ...(category && { category }) });
  return doneAt(`${adminUrl('featured')}?${query}`, done);
}

export const featureForm = form({
  page: featuredPage,
  name: 'feature-addon',
  fields: { addon: textField, ...PLACE },
  document: AdminSetFeaturedDocument,
  variables: ({ addon, ...place }) => ({ input: { addon: addonReference(addon), ...place, isFeatured: true } }),
  done: ({ setFeatured }, _input, values) => {
    const id = 'addonId' in setFeatured ? String(idOf('Addon', setFeatured.addonId, 'addon')) : values.addon;
    return changed('feature-addon', { ...values, addon: id });
  },
});

export const unfeatureForm = form({
  page: featuredPage,
  name: 'unfeature-addon',
  fields: { id: textField, guid: optionalText, ...PLACE },
  document: AdminSetFeaturedDocument,
  variables: ({ id, app, locale, category }) => ({
    input: { addon: { id }, app, locale, category, isFeatured: false },
  }),
  done: (_result, _input, { guid, ...place }) => changed('unfeature-addon', { ...place, addon: guid ?? '' }),
});
