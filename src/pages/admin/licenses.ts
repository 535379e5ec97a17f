import { html } from 'hono/html';
import {
  AdminDeleteLicenseDocument,
  AdminLicensesPageDocument,
  type AdminLicensesPageQuery,
  AdminLicenseTermsDocument,
  type AdminLicenseTermsQuery,
  AdminUpsertLicenseDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { changed, changedTexts } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { languageAttributes, localText } from '../components/local-text.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedNames, expectedTerms, nameParts, termsParts } from './names.ts';

type Use = NonNullable<AdminLicensesPageQuery['licenseUses']>[number];

const builtinOf = ({ license }: Use): string => license.builtin ?? '';
const editHref = (builtin: string): string => `${adminUrl('licenses')}edit/?${new URLSearchParams({ builtin })}`;

const nameOf = (ui: Ui, { license: { name, builtin } }: Use): Html =>
  name?.value ? localText(ui, name) : html`<bdi dir="ltr">${builtin}</bdi>`;

const urlField = ({ t }: Ui, value: string | null): FormField => ({
  ...{ kind: 'url', name: 'url', label: t('admin.column.url'), value, maxLength: 255 },
});

/** The licences that developers choose from, with their uses. */
export const licensesAdminPage = page({
  path: '/admin/licenses/',
  visitor: 'account',
  document: AdminLicensesPageDocument,
  variables: () => ({}),
  view: ({ licenseUses: uses }, _input, ui) => {
    const { t } = ui;
    return adminPage(ui, {
      tab: 'licenses',
      body: html`<p>${t('admin.licenses.why')}</p>
${uses !== null && uses.length > 0 && table(ui, uses)}
<h2>${t('admin.licenses.add')}</h2>
${formElement(ui, {
  name: 'license-add',
  expected: { ...expectedNames(null), ...expectedTerms(null, false) },
  parts: [
    {
      ...{ kind: 'text', name: 'builtin', label: t('admin.licenses.builtin'), hint: t('admin.licenses.builtin-hint') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 64 },
    },
    ...nameParts(ui, null),
    urlField(ui, null),
    ...termsParts(ui, null, false),
  ],
  submit: t('admin.licenses.submit'),
})}`,
    });
  },
});

function table(ui: Ui, uses: readonly Use[]): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    ...{ id: 'licenses', caption: t('admin.licenses.sum', { count: uses.length }) },
    isStacked: true,
    columns: [
      'admin.column.license',
      'admin.licenses.builtin',
      { number: 'admin.column.addons' },
      { number: 'admin.column.versions' },
    ],
    rows: uses.map((use) => [
      html`<a href="${editHref(builtinOf(use))}">${nameOf(ui, use)}</a>`,
      html`<bdi dir="ltr">${builtinOf(use)}</bdi>`,
      format.number(use.addons),
      format.number(use.versions),
    ]),
  });
}

const useOf = ({ licenseUses }: AdminLicensesPageQuery, builtin: string | null): Use | undefined =>
  licenseUses?.find((each) => builtinOf(each) === builtin);

const termsIn = (read: AdminLicenseTermsQuery | null | undefined) =>
  read?.node != null && 'text' in read.node ? (read.node.text ?? null) : null;

/** One licence: names, address, terms, deletion. */
export const licenseAdminPage = page({
  path: '/admin/licenses/edit/',
  visitor: 'account',
  query: { builtin: labelParam('SPDX identifier of the licence.') },
  document: AdminLicensesPageDocument,
  variables: () => ({}),
  more: {
    document: AdminLicenseTermsDocument,
    variables: (data, { query }) => {
      const use = useOf(data, query.builtin);
      return use === undefined ? null : { id: use.license.id };
    },
  },
  view: (data, { query }, ui, more) => {
    const use = useOf(data, query.builtin);
    if (use === undefined) return null;
    const { t } = ui;
    const { addons, versions, license } = use;
    const builtin = builtinOf(use);
    const [terms, isUsed] = [termsIn(more), addons + versions > 0];
    return adminPage(ui, {
      tab: 'licenses',
      heading: nameOf(ui, use),
      title: builtin,
      body: html`${isUsed && html`<p>${t('admin.licenses.terms')}</p>`}
${formElement(ui, {
  name: 'license',
  hidden: { builtin },
  expected: { ...expectedNames(license.name), url: license.url, ...expectedTerms(terms, isUsed) },
  parts: [...nameParts(ui, license.name), urlField(ui, license.url), ...termsParts(ui, terms, isUsed)],
  submit: t('ui.save'),
})}
${isUsed && shownTerms(ui, terms)}
<h2>${t('admin.delete')}</h2>
${
  isUsed
    ? html`<p>${t('admin.licenses.used', { addons, versions })}</p>`
    : confirmForm(ui, {
        ...{ name: 'license-delete', consequences: [t('admin.licenses.delete-happens')] },
        ...{ submit: t('admin.licenses.delete'), cancelHref: adminUrl('licenses'), hidden: { builtin } },
      })
}`,
    });
  },
});

/** The terms that cannot change, folded. */
const shownTerms = (ui: Ui, terms: ReturnType<typeof termsIn>): Html =>
  html`${terms?.all.map(
    ({
      locale,
      value,
    }) => html`<details><summary>${ui.t('admin.licenses.terms-in', { language: ui.format.languageName(locale) })}</summary>
<p class="thread-text"${languageAttributes(ui, locale)}>${value}</p></details>
`,
  )}`;

export const addLicenseForm = form({
  page: licensesAdminPage,
  name: 'license-add',
  fields: { builtin: textField, name: changedTexts, url: textField, text: changedTexts },
  document: AdminUpsertLicenseDocument,
  variables: (input) => ({ input: { ...input, isNew: true } }),
});

export const editLicenseForm = form({
  page: licenseAdminPage,
  name: 'license',
  fields: { builtin: textField, name: changedTexts, url: changed(textField), text: changedTexts },
  document: AdminUpsertLicenseDocument,
  variables: ({ url, ...input }) => ({ input: { ...input, url: url?.value ?? null } }),
});

export const deleteLicenseForm = form({
  page: licenseAdminPage,
  name: 'license-delete',
  fields: { builtin: textField },
  document: AdminDeleteLicenseDocument,
  variables: (values) => values,
  done: () => doneAt(adminUrl('licenses'), 'license-delete'),
});
