import { html } from 'hono/html';
import {
  AdminBrowserMappingsPageDocument,
  type AdminBrowserMappingsPageQuery,
  AdminDeleteBrowserMappingDocument,
  AdminUpsertBrowserMappingDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips } from '../components/filter-list.ts';
import { findForm } from '../components/find-form.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';

type Mapping = AdminBrowserMappingsPageQuery['browserMappings']['nodes'][number];

const PATH = '/admin/browser-mappings/';
const FILTERS = ['browser', 'extension'] as const;

const keyOf = ({ browser, extensionId }: Mapping) => ({ browser, extensionId });

const editHref = ({ browser, extensionId }: Mapping): string =>
  `${PATH}edit/?${new URLSearchParams({ browser, extension: extensionId })}`;

const given = (text: string | null): string | null => text?.trim() || null;

/** The add-ons for extensions of other browsers, by browser and id of the extension. */
export const browserMappingsPage = page({
  path: PATH,
  visitor: 'account',
  query: {
    browser: labelParam('Only extensions of this browser.'),
    extension: labelParam('Only the extension with this id.'),
    ...CURSOR_PARAM,
  },
  document: AdminBrowserMappingsPageDocument,
  variables: ({ query: { browser, extension, after } }) => ({
    ...{ browser: given(browser), extensionId: given(extension), after },
  }),
  view: ({ browserMappings: { totalCount, nodes, pageInfo } }, { query, search }, ui) => {
    const { t } = ui;
    const isFiltered = FILTERS.some((name) => given(query[name]) !== null);
    return adminPage(ui, {
      tab: 'browser-mappings',
      body: html`<p>${t('admin.mappings.why')}</p>
${(totalCount > 0 || isFiltered) && finder(ui, search)}
${totalCount === 0 ? html`<p>${t(isFiltered ? 'admin.mappings.none-match' : 'admin.mappings.none')}</p>` : table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.mappings.add')}</h2>
${formElement(ui, {
  name: 'mapping-add',
  parts: [
    {
      ...{ kind: 'text', name: 'browser', label: t('admin.column.browser'), hint: t('admin.mappings.browser-hint') },
      ...{ value: query.browser, isRequired: true, direction: 'ltr', maxLength: 32 },
    },
    {
      ...{ kind: 'text', name: 'extensionId', label: t('admin.mappings.extension') },
      ...{ hint: t('admin.mappings.extension-hint'), isRequired: true, direction: 'ltr', maxLength: 255 },
    },
    guidField(ui, null),
  ],
  submit: t('admin.mappings.submit'),
})}`,
    });
  },
});

const guidField = ({ t }: Ui, value: string | null): FormField => ({
  ...{ kind: 'text', name: 'addonGuid', value, label: t('report.guid'), hint: t('admin.mappings.guid-hint') },
  ...{ isRequired: true, direction: 'ltr', maxLength: 255 },
});

function finder(ui: Ui, search: URLSearchParams): Html {
  const { t } = ui;
  const chips = FILTERS.flatMap((name) => {
    const value = given(search.get(name));
    const href = `${PATH}${changedQuery(search, { [name]: null })}`;
    return value === null ? [] : [{ text: html`<bdi dir="ltr">${value}</bdi>`, href }];
  });
  return html`${filterChips(ui, { items: chips, clearHref: PATH })}
${findForm(ui, {
  ...{ id: 'mapped', action: PATH, search },
  fields: [
    { name: 'browser', label: t('admin.column.browser'), direction: 'ltr' },
    { name: 'extension', label: t('admin.mappings.extension'), direction: 'ltr' },
  ],
  submit: t('admin.mappings.find'),
})}`;
}

function table(ui: Ui, mappings: readonly Mapping[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'mappings', caption: t('admin.mappings.sum', { count }) },
    isStacked: true,
    columns: [t('admin.mappings.extension'), t('admin.column.browser'), t('report.guid')],
    rows: mappings.map((mapping) => [
      html`<a href="${editHref(mapping)}"><bdi dir="ltr">${mapping.extensionId}</bdi></a>`,
      html`<bdi dir="ltr">${mapping.browser}</bdi>`,
      html`<bdi dir="ltr">${mapping.addonGuid}</bdi>`,
    ]),
  });
}

/** One extension of another browser: its add-on here, removal. */
export const browserMappingPage = page({
  path: `${PATH}edit/`,
  visitor: 'account',
  query: { browser: labelParam('The other browser.'), extension: labelParam('The id of the extension there.') },
  document: AdminBrowserMappingsPageDocument,
  variables: ({ query: { browser, extension } }) => ({
    browser: browser ?? '',
    extensionId: extension ?? '',
    after: null,
  }),
  view: ({ browserMappings: { nodes } }, _input, ui) => {
    const [mapping] = nodes;
    if (mapping === undefined) return null;
    const { t } = ui;
    const { browser, extensionId, addonGuid } = mapping;
    return adminPage(ui, {
      tab: 'browser-mappings',
      heading: html`<bdi dir="ltr">${extensionId}</bdi>`,
      title: extensionId,
      body: html`<p class="muted">${t('admin.column.browser')}: <bdi dir="ltr">${browser}</bdi></p>
${formElement(ui, {
  name: 'mapping',
  hidden: keyOf(mapping),
  expected: { addonGuid },
  parts: [guidField(ui, addonGuid)],
  submit: t('ui.save'),
})}
<h2>${t('admin.delete')}</h2>
${confirmForm(ui, {
  ...{ name: 'mapping-delete', consequences: [t('admin.mappings.delete-happens')] },
  ...{ submit: t('admin.mappings.delete'), cancelHref: adminUrl('browser-mappings'), hidden: keyOf(mapping) },
})}`,
    });
  },
});

const KEY = { browser: textField, extensionId: textField };

/** An extension that has an add-on already is not changed. */
export const addMappingForm = form({
  page: browserMappingsPage,
  name: 'mapping-add',
  fields: { ...KEY, addonGuid: textField },
  document: AdminUpsertBrowserMappingDocument,
  variables: (input) => ({ input: { ...input, isNew: true } }),
});

export const editMappingForm = form({
  page: browserMappingPage,
  name: 'mapping',
  fields: { ...KEY, addonGuid: textField, 'expected.addonGuid': textField },
  document: AdminUpsertBrowserMappingDocument,
  variables: ({ 'expected.addonGuid': expectedGuid, ...input }) => ({ input: { ...input, expectedGuid } }),
});

export const deleteMappingForm = form({
  page: browserMappingPage,
  name: 'mapping-delete',
  fields: KEY,
  document: AdminDeleteBrowserMappingDocument,
  variables: (input) => ({ input }),
  done: () => doneAt(adminUrl('browser-mappings'), 'mapping-delete'),
});
