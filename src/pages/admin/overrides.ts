import { html } from 'hono/html';
import { NotFoundError, refusedField } from '../../errors.ts';
import {
  AdminDeleteOverrideDocument,
  AdminOverridesPageDocument,
  type AdminOverridesPageQuery,
  AdminUpsertOverrideDocument,
  type CompatOverrideRangeInput,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { type FieldReader, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { APPLICATION_VALUES } from './applications.ts';
import { linesField } from './guid-list.ts';

type Override = AdminOverridesPageQuery['compatOverrides']['nodes'][number];

const editHref = (guid: string): string => `${adminUrl('overrides')}edit/?${new URLSearchParams({ guid })}`;

/** The ranges as lines such as `1.0..1.5 desktop_browser 40.0..*`, as the command has them. */
const linesOf = ({ versionRanges }: Pick<Override, 'versionRanges'>): string[] =>
  versionRanges.flatMap(({ addonMinVersion, addonMaxVersion, applications }) =>
    applications.map(
      ({ app, minVersion, maxVersion }) =>
        `${addonMinVersion}..${addonMaxVersion} ${app.toLowerCase()} ${minVersion}..${maxVersion}`,
    ),
  );

const RANGE = /^([^\s.]\S*?)\.\.(\S+) (\w+) (\S+?)\.\.(\S+)$/;

function rangeOf(line: string, field: string): CompatOverrideRangeInput {
  const [, addonMinVersion = '', addonMaxVersion = '', name = '', minVersion = '', maxVersion = ''] =
    RANGE.exec(line) ?? [];
  const app = APPLICATION_VALUES.find((each) => each.toLowerCase() === name);
  if (app === undefined)
    throw refusedField(field, message('override.invalid_line', { line: printable(line.slice(0, 100)) }));
  return { addonMinVersion, addonMaxVersion, applications: [{ app, minVersion, maxVersion }] };
}

/** Ranges, one a line. @throws {InvalidInputError} for another line. */
const rangesField: FieldReader<CompatOverrideRangeInput[]> = {
  read: (typed, name) => linesField.read(typed, name).map((line) => rangeOf(line, name)),
};

/** The compat overrides: versions of add-ons that do not work in versions of applications. */
export const overridesPage = page({
  path: '/admin/overrides/',
  visitor: 'account',
  query: CURSOR_PARAM,
  document: AdminOverridesPageDocument,
  variables: ({ query }) => query,
  view: ({ compatOverrides: { totalCount, nodes, pageInfo } }, { search }, ui) => {
    const { t } = ui;
    return adminPage(ui, {
      tab: 'overrides',
      body: html`<p>${t('admin.overrides.why')}</p>
${nodes.length > 0 && table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.overrides.add')}</h2>
${formElement(ui, {
  name: 'override-add',
  parts: [
    {
      ...{ kind: 'text', name: 'guid', label: t('admin.overrides.guid') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 255 },
    },
    ...parts(ui, { name: '', versionRanges: [] }),
  ],
  submit: t('admin.overrides.submit'),
})}`,
    });
  },
});

const parts = ({ t }: Ui, override: Pick<Override, 'name' | 'versionRanges'>): FormPart[] => [
  {
    ...{ kind: 'text', name: 'name', value: override.name, label: t('admin.overrides.name') },
    maxLength: 255,
  },
  {
    ...{ kind: 'textarea', name: 'versionRanges', value: linesOf(override).join('\n'), rows: 5, isRequired: true },
    ...{ label: t('admin.overrides.ranges'), hint: t('admin.overrides.ranges-hint') },
  },
];

function table(ui: Ui, overrides: readonly Override[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'overrides', caption: t('admin.overrides.sum', { count }) },
    isStacked: true,
    columns: ['admin.overrides.guid', 'admin.overrides.name', 'admin.overrides.ranges'],
    rows: overrides.map((override) => [
      html`<a href="${editHref(override.addonGuid)}"><bdi dir="ltr">${override.addonGuid}</bdi></a>`,
      html`<bdi>${override.name}</bdi>`,
      html`<bdi dir="ltr">${linesOf(override).join(', ')}</bdi>`,
    ]),
  });
}

/** One override. */
export const overridePage = page({
  path: '/admin/overrides/edit/',
  visitor: 'account',
  query: { guid: labelParam('Guid of the add-on.') },
  document: AdminOverridesPageDocument,
  variables: ({ query }) => ({ guids: [query.guid ?? ''] }),
  view: ({ compatOverrides: { nodes } }, _input, ui) => {
    const [stored] = nodes;
    const { t } = ui;
    if (stored === undefined) throw new NotFoundError();
    const guid = stored.addonGuid;
    return adminPage(ui, {
      tab: 'overrides',
      heading: html`<bdi dir="ltr">${guid}</bdi>`,
      title: guid,
      body: html`${formElement(ui, {
        name: 'override',
        hidden: { guid },
        expected: { versionRanges: linesOf(stored).join('\n') },
        parts: parts(ui, stored),
        submit: t('ui.save'),
      })}
<h2>${t('admin.delete')}</h2>
${confirmForm(ui, {
  ...{ name: 'override-delete', consequences: [t('admin.overrides.delete-happens')] },
  ...{ submit: t('admin.overrides.delete'), cancelHref: adminUrl('overrides'), hidden: { guid } },
})}`,
    });
  },
});

const FIELDS = { guid: textField, name: optionalText, versionRanges: rangesField };

/** An override that exists is not changed. */
export const addOverrideForm = form({
  page: overridesPage,
  name: 'override-add',
  fields: FIELDS,
  document: AdminUpsertOverrideDocument,
  variables: (input) => ({ input: { ...input, isNew: true } }),
});

/** The name of the hidden field with the ranges that the editor saw. */
const EXPECTED = 'expected.versionRanges';

export const editOverrideForm = form({
  page: overridePage,
  name: 'override',
  fields: { ...FIELDS, [EXPECTED]: rangesField },
  document: AdminUpsertOverrideDocument,
  variables: ({ [EXPECTED]: expected, ...input }) => ({ input: { ...input, expected } }),
});

export const deleteOverrideForm = form({
  page: overridePage,
  name: 'override-delete',
  fields: { guid: textField },
  document: AdminDeleteOverrideDocument,
  variables: (values) => values,
  done: () => doneAt(adminUrl('overrides'), 'override-delete'),
});
