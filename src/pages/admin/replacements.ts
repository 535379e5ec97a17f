import { html } from 'hono/html';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import {
  AdminDeleteReplacementDocument,
  AdminReplacementsPageDocument,
  type AdminReplacementsPageQuery,
  AdminUpsertReplacementDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedList, guidsField, LIST_FIELDS } from './guid-list.ts';

type Replacement = AdminReplacementsPageQuery['replacements']['nodes'][number];

const publicHref = (guid: string): string => `/replacements/?${new URLSearchParams({ guid })}`;
const editHref = (guid: string): string => `${adminUrl('replacements')}edit/?${new URLSearchParams({ guid })}`;

/** The replacements for legacy add-ons. */
export const replacementsAdminPage = page({
  path: '/admin/replacements/',
  visitor: 'account',
  query: CURSOR_PARAM,
  document: AdminReplacementsPageDocument,
  variables: ({ query }) => query,
  view: ({ replacements: { totalCount, nodes, pageInfo } }, { search }, ui) => {
    const { t } = ui;
    return adminPage(ui, {
      tab: 'replacements',
      body: html`<p>${t('admin.replacements.why')}</p>
${nodes.length > 0 && table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.replacements.add')}</h2>
${formElement(ui, {
  name: 'replacement-add',
  parts: [
    {
      ...{ kind: 'text', name: 'guid', label: t('admin.replacements.guid') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 255 },
    },
    ...targetParts(ui, { path: null, guids: [] }),
  ],
  submit: t('admin.replacements.submit'),
})}`,
    });
  },
});

function table(ui: Ui, replacements: readonly Replacement[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'replacements', caption: t('admin.replacements.sum', { count }) },
    isStacked: true,
    columns: ['admin.replacements.guid', 'admin.replacements.target', 'admin.column.actions'],
    rows: replacements.map(({ guid, path, guids }) => [
      html`<a href="${editHref(guid)}"><bdi dir="ltr">${guid}</bdi></a>`,
      html`<bdi dir="ltr">${path ?? guids.join(', ')}</bdi>`,
      html`<a href="${publicHref(guid)}">${t('admin.public')}<span class="visually-hidden">: <bdi dir="ltr">${guid}</bdi></span></a>`,
    ]),
  });
}

const targetParts = (ui: Ui, { path, guids }: Pick<Replacement, 'path' | 'guids'>): FormPart[] => [
  {
    ...{ kind: 'text', name: 'path', value: path, label: ui.t('admin.replacements.path') },
    ...{ hint: ui.t('admin.replacements.path-hint'), direction: 'ltr', maxLength: 255 },
  },
  guidsField(ui, guids),
];

/** One replacement. */
export const replacementPage = page({
  path: '/admin/replacements/edit/',
  visitor: 'account',
  query: { guid: labelParam('Guid of the legacy add-on.') },
  document: AdminReplacementsPageDocument,
  variables: ({ query }) => ({ guids: [query.guid ?? ''] }),
  view: ({ replacements: { nodes } }, _input, ui) => {
    const [stored] = nodes;
    const { t } = ui;
    if (stored === undefined) throw new NotFoundError();
    const { guid, path, guids } = stored;
    return adminPage(ui, {
      tab: 'replacements',
      heading: html`<bdi dir="ltr">${guid}</bdi>`,
      title: guid,
      body: html`<p><a href="${publicHref(guid)}">${t('admin.public')}</a></p>
${formElement(ui, {
  name: 'replacement',
  hidden: { guid },
  expected: { path, guids: guids.join('\n') },
  parts: targetParts(ui, stored),
  submit: t('ui.save'),
})}
<h2>${t('admin.delete')}</h2>
${confirmForm(ui, {
  name: 'replacement-delete',
  consequences: [t('admin.replacements.delete-happens')],
  submit: t('admin.replacements.delete'),
  cancelHref: adminUrl('replacements'),
  hidden: { guid },
})}`,
    });
  },
});

/** One kind of target. @throws {InvalidInputError} for none and for both. */
function targetIn({ path, guids }: { path: string | null; guids: string[] }) {
  const problem = message(path === null ? 'field.blank' : 'replacement.path_or_guids');
  if ((path === null) === (guids.length === 0)) throw new InvalidInputError(problem, { path: [problem] });
  return path === null ? { guids } : { path };
}

/** A replacement that exists is not changed. */
export const addReplacementForm = form({
  page: replacementsAdminPage,
  name: 'replacement-add',
  fields: { guid: textField, path: optionalText, guids: LIST_FIELDS.guids },
  document: AdminUpsertReplacementDocument,
  variables: ({ guid, ...target }) => ({ input: { guid, target: targetIn(target), isNew: true } }),
});

/** The name of the hidden field with the path that the editor saw. */
const EXPECTED_PATH = 'expected.path';

export const editReplacementForm = form({
  page: replacementPage,
  name: 'replacement',
  fields: { guid: textField, path: optionalText, [EXPECTED_PATH]: optionalText, ...LIST_FIELDS },
  document: AdminUpsertReplacementDocument,
  variables: ({ guid, path, [EXPECTED_PATH]: expectedPath, ...lists }) => ({
    input: {
      guid,
      target: targetIn({ path, guids: lists.guids }),
      expected: { path: expectedPath, guids: expectedList(lists) },
    },
  }),
});

export const deleteReplacementForm = form({
  page: replacementPage,
  name: 'replacement-delete',
  fields: { guid: textField },
  document: AdminDeleteReplacementDocument,
  variables: (values) => values,
  done: () => doneAt(adminUrl('replacements'), 'replacement-delete'),
});
