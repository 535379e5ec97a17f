import { html } from 'hono/html';
import {
  AdminAddMemberDocument,
  AdminCreateGroupDocument,
  AdminGroupDocument,
  type AdminGroupFieldsFragment,
  type AdminGroupQuery,
  AdminGroupsDocument,
  type AdminGroupsQuery,
  AdminRemoveMemberDocument,
  AdminUpdateGroupDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { labelParam, recordId } from '../../http/params.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, type FormPart, formElement } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { type FieldReader, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { ruleList } from './rules.ts';
import { userUrl } from './users.ts';

type Group = AdminGroupsQuery['groups'][number];
type Members = Extract<NonNullable<AdminGroupQuery['node']>, { members: unknown }>['members'];

const PATH = adminUrl('groups');

/** The account that the form before the page added or removed. */
const CHANGED = {
  done: labelParam('The form before this page.'),
  account: labelParam('Username of the account that was added or removed.'),
};

const groupHref = (id: number): string => `${PATH}${id}/`;

/** All groups with their rules, and the form of a new one. */
export const groupsPage = page({
  path: '/admin/groups/',
  visitor: 'account',
  document: AdminGroupsDocument,
  view: ({ groups }, _input, ui) =>
    adminPage(ui, {
      tab: 'groups',
      body: html`<p>${ui.t('admin.groups.lead', { all: code('*'), every: code('*:*') })}</p>
${groups.length > 0 && table(ui, groups)}
<section aria-labelledby="new-group"><h2 id="new-group">${ui.t('admin.groups.new')}</h2>
${formElement(ui, { name: 'admin-new-group', parts: groupFields(ui), submit: ui.t('admin.groups.create') })}</section>`,
    }),
});

const table = (ui: Ui, groups: readonly Group[]): Html =>
  dataTable(ui, {
    id: 'groups',
    caption: ui.t('admin.tab.groups'),
    isCaptionHidden: true,
    isStacked: true,
    columns: ['admin.groups.name', 'admin.groups.rules', { number: 'admin.groups.members' }, 'admin.groups.yours'],
    rows: groups.map(({ databaseId, name, rules, members, isGrantable }) => [
      html`<a href="${groupHref(databaseId)}"><bdi>${name}</bdi></a>`,
      ruleList(ui, rules),
      ui.format.number(members.totalCount),
      ui.t(isGrantable ? 'ui.conflict.yes' : 'ui.conflict.no'),
    ]),
  });

const groupFields = (
  ui: Ui,
  { name = '', rules = [] }: { name?: string; rules?: readonly string[] } = {},
): FormPart[] => [
  { kind: 'text', name: 'name', label: ui.t('admin.groups.name'), isRequired: true, value: name, maxLength: 100 },
  {
    kind: 'textarea',
    name: 'rules',
    label: ui.t('admin.groups.rules'),
    hint: ui.t('admin.groups.rules-hint', { one: code('Addons:Review'), all: code('Addons:*') }),
    value: rules.join('\n'),
    rows: 6,
  },
];

/** Rules, one on each line. */
const rulesField: FieldReader<string[]> = {
  read: (typed, name) => textField.read(typed, name).split(/\s+/).filter(Boolean),
};

export const newGroupForm = form({
  page: groupsPage,
  name: 'admin-new-group',
  fields: { name: textField, rules: rulesField },
  document: AdminCreateGroupDocument,
  variables: (values) => values,
  done: ({ createGroup }) => {
    const path = 'group' in createGroup ? groupHref(createGroup.group.databaseId) : PATH;
    return doneAt(path, 'admin-new-group');
  },
});

/** A group: its rules, its members, and who may change them. */
export const groupPage = page({
  path: '/admin/groups/:id/',
  visitor: 'account',
  params: { id: recordId('Id of the group.') },
  query: { ...CHANGED, ...CURSOR_PARAM },
  document: AdminGroupDocument,
  variables: ({ path, query }) => ({ id: globalId('Group', path.id), after: query.after }),
  view: ({ node }, { query, search }, ui) => {
    if (node == null || !('members' in node)) return null;
    const { t } = ui;
    const group = node as AdminGroupFieldsFragment & { members: Members };
    const content = adminPage(ui, {
      tab: 'groups',
      heading: html`<bdi>${group.name}</bdi>`,
      title: group.name,
      body: html`${!group.isGrantable && html`<p class="muted">${t('admin.groups.above-rank')}</p>`}
${group.rules.length > 0 && html`<h2>${t('admin.groups.allow')}</h2>${ruleList(ui, group.rules)}`}
<h2>${t('admin.groups.members')}</h2>
<p>${t('admin.groups.member-sum', { count: group.members.totalCount })}</p>
${group.members.nodes.length > 0 && group.isGrantable && html`<p>${t('admin.groups.remove-hint')}</p>`}
${group.members.nodes.length > 0 && memberTable(ui, group)}
${cursorPager(ui, { search, pageInfo: group.members.pageInfo })}
${group.isGrantable && changes(ui, group)}`,
    });
    return { ...content, doneText: doneText(ui, group.name, query) };
  },
});

/** What was done with a member; null after another form. */
function doneText(
  { t }: Ui,
  name: string,
  { done, account }: { done: string | null; account: string | null },
): Html | null {
  if (!account) return null;
  const params = { account: html`<bdi dir="ltr">${account}</bdi>`, group: html`<bdi>${name}</bdi>` };
  if (done === 'admin-add-member') return t('admin.groups.added', params);
  return done === 'admin-remove-member' ? t('admin.groups.removed', params) : null;
}

function memberTable(ui: Ui, group: AdminGroupFieldsFragment & { members: Members }): Html {
  const seesAccounts = ui.viewer?.adminPages.includes('users') ?? false;
  return dataTable(ui, {
    id: 'members',
    caption: ui.t('admin.groups.members'),
    isCaptionHidden: true,
    isStacked: true,
    columns: ['account.username', 'admin.user.name', 'account.column.action'],
    rows: group.members.nodes.map(({ id, databaseId, username, name }) => {
      const text = html`<bdi dir="ltr">${username}</bdi>`;
      return [
        seesAccounts ? html`<a href="${userUrl(databaseId)}">${text}</a>` : text,
        html`<bdi>${name}</bdi>`,
        group.isGrantable
          ? buttonForm(ui, {
              name: 'admin-remove-member',
              hidden: { group: group.id, account: id, username },
              button: ui.t('admin.groups.remove'),
            })
          : '',
      ];
    }),
  });
}

const changes = (
  ui: Ui,
  group: AdminGroupFieldsFragment,
): Html => html`<section aria-labelledby="add-member"><h2 id="add-member">${ui.t('admin.groups.add')}</h2>
${formElement(ui, {
  name: 'admin-add-member',
  hidden: { group: group.id },
  parts: [
    {
      kind: 'text',
      name: 'account',
      label: ui.t('moderation.find.user'),
      hint: ui.t('admin.groups.add-hint'),
      isRequired: true,
      direction: 'ltr',
      maxLength: 255,
    },
  ],
  submit: ui.t('admin.groups.add'),
})}</section>
<section aria-labelledby="change-group"><h2 id="change-group">${ui.t('admin.groups.change')}</h2>
<p>${ui.t('admin.groups.change-effect')}</p>
${formElement(ui, { name: 'admin-group', hidden: { id: group.id }, parts: groupFields(ui, group), submit: ui.t('ui.save') })}</section>`;

export const groupForm = form({
  page: groupPage,
  name: 'admin-group',
  fields: { id: textField, name: textField, rules: rulesField },
  document: AdminUpdateGroupDocument,
  variables: (values) => values,
});

export const addMemberForm = form({
  page: groupPage,
  name: 'admin-add-member',
  fields: { group: textField, account: textField },
  document: AdminAddMemberDocument,
  variables: ({ group, account }) => ({
    group,
    ...(/^\d+$/.test(account) ? { account: globalId('Account', Number(account)) } : { username: account }),
  }),
  done: (_result, { path }, { account }) => changedMember(Number(path.id), account, 'admin-add-member'),
});

/** The page of a group with what was done with which account. */
const changedMember = (id: number, account: string, done: string) =>
  doneAt(`${groupHref(id)}?${new URLSearchParams({ account })}`, done);

export const removeMemberForm = form({
  page: groupPage,
  name: 'admin-remove-member',
  fields: { group: textField, account: textField, username: optionalText },
  document: AdminRemoveMemberDocument,
  variables: ({ group, account }) => ({ group, account }),
  done: (_result, { path }, { username }) => changedMember(Number(path.id), username ?? '', 'admin-remove-member'),
});
