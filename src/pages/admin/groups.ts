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
import { label, recordId } from '../../http/params.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, type FormPart, formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { type Field, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import { code, type Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminHref, adminPage } from './frame.ts';
import { ruleList } from './rules.ts';
import { userHref } from './users.ts';

type Group = AdminGroupsQuery['groups'][number];
type Members = Extract<NonNullable<AdminGroupQuery['node']>, { members: unknown }>['members'];

const PATH = adminHref('groups');

/** The account that is to be added to a group, from a link of its page. */
const ADDED = { add: label('Username of the account to add.') };

const groupHref = (id: number, added: string | null = null): string =>
  added === null ? `${PATH}${id}/` : `${PATH}${id}/?${new URLSearchParams({ add: added })}#add-member`;

/** All groups with their rules, and the form of a new one. */
export const groupsPage = page({
  path: '/admin/groups/',
  visitor: 'account',
  query: ADDED,
  document: AdminGroupsDocument,
  view: ({ groups }, { query: { add } }, ui) =>
    adminPage(ui, {
      tab: 'groups',
      body: html`<p>${ui.t('admin.groups.lead', { all: code('*'), every: code('*:*') })}</p>
${
  add !== null &&
  notice(ui, { kind: 'info', text: ui.t('admin.groups.choose', { account: html`<bdi dir="ltr">${add}</bdi>` }) })
}
${groups.length > 0 && table(ui, groups, add)}
<section aria-labelledby="new-group"><h2 id="new-group">${ui.t('admin.groups.new')}</h2>
${formElement(ui, { name: 'admin-new-group', parts: groupFields(ui), submit: ui.t('admin.groups.create') })}</section>`,
    }),
});

const table = (ui: Ui, groups: readonly Group[], added: string | null): Html =>
  dataTable(ui, {
    id: 'groups',
    caption: ui.t('admin.tab.groups'),
    isCaptionHidden: true,
    columns: ['admin.groups.name', 'admin.groups.rules', { number: 'admin.groups.members' }, 'admin.groups.yours'],
    rows: groups.map(({ databaseId, name, rules, members, isGrantable }) => [
      html`<a href="${groupHref(databaseId, added)}"><bdi>${name}</bdi></a>`,
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
const rulesField: Field<string[]> = {
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
    return redirect(withDone(path, 'admin-new-group'), 303);
  },
});

/** A group: its rules, its members, and who may change them. */
export const groupPage = page({
  path: '/admin/groups/:id/',
  visitor: 'account',
  params: { id: recordId('Id of the group.') },
  query: { ...ADDED, ...AFTER },
  document: AdminGroupDocument,
  variables: ({ path, query }) => ({ id: globalId('Group', path.id), after: query.after }),
  view: ({ node }, { query, search }, ui) => {
    if (node == null || !('members' in node)) return null;
    const { t } = ui;
    const group = node as AdminGroupFieldsFragment & { members: Members };
    return adminPage(ui, {
      tab: 'groups',
      heading: html`<bdi>${group.name}</bdi>`,
      title: group.name,
      body: html`${!group.isGrantable && html`<p class="muted">${t('admin.groups.above-rank')}</p>`}
${group.rules.length > 0 && html`<h2>${t('admin.groups.allow')}</h2>${ruleList(ui, group.rules)}`}
<h2>${t('admin.groups.members')}</h2>
<p>${t('admin.groups.member-sum', { count: group.members.totalCount })}</p>
${group.members.nodes.length > 0 && memberTable(ui, group)}
${cursorPager(ui, { search, pageInfo: group.members.pageInfo })}
${group.isGrantable && changes(ui, group, query.add)}`,
    });
  },
});

function memberTable(ui: Ui, group: AdminGroupFieldsFragment & { members: Members }): Html {
  const seesAccounts = ui.viewer?.adminPages.includes('users') ?? false;
  return dataTable(ui, {
    id: 'members',
    caption: ui.t('admin.groups.members'),
    isCaptionHidden: true,
    columns: ['account.username', 'admin.user.name', 'account.column.action'],
    rows: group.members.nodes.map(({ id, databaseId, username, name }) => {
      const text = html`<bdi dir="ltr">${username}</bdi>`;
      return [
        seesAccounts ? html`<a href="${userHref(databaseId)}">${text}</a>` : text,
        html`<bdi>${name}</bdi>`,
        group.isGrantable
          ? buttonForm(ui, {
              name: 'admin-remove-member',
              hidden: { group: group.id, account: id },
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
  added: string | null,
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
      value: added,
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
  done: (_result, { path }) => redirect(withDone(groupHref(Number(path.id)), 'admin-add-member'), 303),
});

export const removeMemberForm = form({
  page: groupPage,
  name: 'admin-remove-member',
  fields: { group: textField, account: textField },
  document: AdminRemoveMemberDocument,
  variables: (values) => values,
});
