import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import {
  AdminAddMemberDocument,
  AdminEndSessionDocument,
  AdminRemoveMemberDocument,
  AdminRevokeKeyDocument,
  AdminUserDocument,
  type AdminUserQuery,
  ModerationSetAccountDisabledDocument,
} from '../../generated/operations/graphql.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { labelParam, type ParamValues, recordId } from '../../http/params.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { type Fact, facts } from '../components/facts.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { localText } from '../components/local-text.ts';
import { moment, momentOrNever } from '../components/time.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { code, type Html, joined } from '../html.ts';
import { switchFields, switchForm, switchVariables } from '../moderation/switch-forms.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { auditLink } from './actor.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { ruleList } from './rules.ts';
import { accountBadge, userUrl } from './users.ts';

type User = NonNullable<AdminUserQuery['account']>;
type Private = NonNullable<User['private']>;
type Groups = NonNullable<AdminUserQuery['groups']>;

/** The group that the form before the page added the account to, or removed it from. */
const CHANGED = { done: labelParam('The form before this page.'), group: labelParam('Id of its group.') };

/** Everything about an account that its administrators act on. */
export const userAdminPage = page({
  path: '/admin/users/:id/',
  visitor: 'account',
  params: { id: recordId('Id of the account.') },
  query: CHANGED,
  document: AdminUserDocument,
  variables: ({ path, viewer }) => ({ ...path, keepsGroups: viewer?.adminPages.includes('groups') === true }),
  view: ({ account, groups: all }, { query, viewer }, ui) => {
    if (account == null) return null;
    const own = account.private;
    if (own === null) throw new NotPermittedError();
    const isSelf = viewer?.accountId === account.databaseId;
    const content = adminPage(ui, {
      tab: 'users',
      heading: html`<bdi dir="ltr">${account.username}</bdi>`,
      title: account.username,
      body: html`${facts(ui, { items: factsOf(ui, account, own, all ?? []) })}
${own.isEditable && joinForm(ui, account, own, all ?? [])}
${own.isEditable && !isSelf && actions(ui, account, own)}
${!own.isEditable && html`<p class="muted">${ui.t('admin.user.above-rank')}</p>`}
${addons(ui, account)}
${sessions(ui, own)}
${keys(ui, own)}`,
    });
    return { ...content, doneText: doneText(ui, account, query, all ?? []) };
  },
});

/** What was done with which group; null after another form. */
function doneText(
  { t }: Ui,
  { username }: User,
  { done, group: id }: ParamValues<typeof CHANGED>,
  all: Groups,
): Html | null {
  const group = all.find(({ databaseId }) => String(databaseId) === id);
  if (group === undefined || (done !== 'admin-join-group' && done !== 'admin-leave-group')) return null;
  const params = { account: html`<bdi dir="ltr">${username}</bdi>`, group: html`<bdi>${group.name}</bdi>` };
  const text = t(done === 'admin-join-group' ? 'admin.groups.added' : 'admin.groups.removed', params);
  return html`${text} ${t('admin.groups.add-hint')}`;
}

function factsOf(ui: Ui, user: User, own: Private, all: Groups): Fact[] {
  const { t } = ui;
  return [
    { term: t('admin.user.id'), value: html`<bdi dir="ltr">${user.databaseId}</bdi>` },
    { term: t('admin.user.name'), value: html`<bdi>${user.name}</bdi>` },
    {
      term: t('admin.users.address'),
      value: own.email && html`<bdi dir="ltr">${own.email}</bdi> ${own.isVerified && t('admin.user.verified')}`,
    },
    { term: t('hub.versions.state'), value: accountBadge(ui, own.isDisabled) },
    { term: t('admin.users.created'), value: moment(ui, user.created) },
    {
      term: t('admin.users.last-login'),
      value: lastLogin(ui, own),
    },
    {
      term: t('admin.user.agreement'),
      value: own.developerAgreementAccepted && moment(ui, own.developerAgreementAccepted),
    },
    { term: t('admin.tab.groups'), value: groups(ui, user, own, all) },
    { term: t('admin.user.allowed'), value: own.permissions.length === 0 ? null : ruleList(ui, own.permissions) },
    { term: t('admin.user.pages'), value: links(ui, user) },
  ];
}

/** The last sign-in; of an account without one, since when it has its newest session: commands and programs open sessions, too. */
function lastLogin(ui: Ui, { lastLogin: time, lastLoginIp, sessions: open }: Private): Html | null {
  if (time !== null)
    return html`${moment(ui, time)}${lastLoginIp !== null && html` · <bdi dir="ltr">${lastLoginIp}</bdi>`}`;
  const newest = open
    .map(({ created }) => created)
    .toSorted()
    .at(-1);
  return newest === undefined ? null : ui.t('admin.user.no-sign-in', { time: moment(ui, newest) });
}

/** The groups of the account, each with the button that removes it if the viewer may. */
function groups(ui: Ui, { id }: User, { groups: found, isEditable }: Private, all: Groups): Html | null {
  const { t, viewer } = ui;
  if (found === null) return null;
  const isLinked = viewer?.adminPages.includes('groups') ?? false;
  if (found.length === 0) return html`${t('admin.user.no-groups')}`;
  const grantable = new Set(all.flatMap(({ databaseId, isGrantable }) => (isGrantable ? [databaseId] : [])));
  return html`<ul class="plain-list">${found.map(({ databaseId, name }) => {
    const text = html`<bdi>${name}</bdi>`;
    const link = isLinked ? html`<a href="${adminUrl('groups')}${databaseId}/">${text}</a>` : text;
    const button = html`${t('ui.remove')}<span class="visually-hidden">: ${text}</span>`;
    const hidden = { account: id, group: globalId('Group', databaseId) };
    const isRemovable = isEditable && grantable.has(databaseId);
    return html`<li class="cluster">${link}${isRemovable && buttonForm(ui, { name: 'admin-leave-group', hidden, button })}</li>
`;
  })}</ul>`;
}

/** Adds the account to one of the other groups that the viewer may change; nothing without one. */
function joinForm(ui: Ui, { id }: User, { groups: own }: Private, all: Groups): Html | null {
  const known = new Set(own?.map(({ databaseId }) => databaseId));
  const options = all
    .filter(({ databaseId, isGrantable }) => isGrantable && !known.has(databaseId))
    .map((group) => ({ value: group.id, text: html`<bdi>${group.name}</bdi>` }));
  if (options.length === 0) return null;
  const { t } = ui;
  return html`<section aria-labelledby="join-group"><h2 id="join-group">${t('admin.user.add-group')}</h2>
${formElement(ui, {
  name: 'admin-join-group',
  hidden: { account: id },
  parts: [
    {
      ...{ kind: 'select', name: 'group', label: t('admin.user.group'), hint: t('admin.groups.add-hint') },
      ...{ isRequired: true, options: [{ value: '', text: '–' }, ...options] },
    },
  ],
  submit: t('admin.user.join-group'),
})}</section>`;
}

/** The public profile, the reports about the account, and what the audit log has of it. */
const links = (ui: Ui, { url, publicAddonCount, databaseId, username }: User): Html | null => {
  const { t, viewer } = ui;
  const found = [
    ...(publicAddonCount > 0 ? [html`<a href="${pathOf(url)}">${t('admin.user.profile')}</a>`] : []),
    ...(viewer?.isModerator
      ? [html`<a href="/moderation/?state=all&amp;user=${databaseId}">${t('moderation.title')}</a>`]
      : []),
    ...auditLink(ui, { about: username }, 'admin.user.audit-about'),
    ...auditLink(ui, { actor: username }, 'admin.user.audit-actions'),
  ];
  return found.length === 0 ? null : joined(found, ' · ');
};

const actions = (ui: Ui, user: User, { isDisabled }: Private): Html =>
  switchForm(ui, {
    ...{ name: 'admin-account', kind: 'account', id: user.id, isDisabled },
    subject: html`<bdi dir="ltr">${user.username}</bdi>`,
    cancelHref: userUrl(user.databaseId),
  });

function addons(ui: Ui, { addons: { nodes, totalCount } }: User): Html {
  if (nodes.length === 0) return html``;
  return html`<h2>${ui.t('admin.user.addons', { count: totalCount })}</h2>
<ul>${nodes.map(
    ({ databaseId, slug, guid, name }) =>
      html`<li><a href="/addon/${encodeURIComponent(slug ?? String(databaseId))}/">${name?.value ? localText(ui, name) : html`<bdi dir="ltr">${guid}</bdi>`}</a></li>
`,
  )}</ul>`;
}

function sessions(ui: Ui, { sessions: found, isEditable }: Private): Html {
  const { t } = ui;
  if (found.length === 0) return html`<h2>${t('account.sessions.title')}</h2><p>${t('admin.user.no-sessions')}</p>`;
  return html`<h2>${t('account.sessions.title')}</h2>
${dataTable(ui, {
  id: 'sessions',
  caption: t('account.sessions.title'),
  isCaptionHidden: true,
  isStacked: true,
  columns: [
    'account.column.session',
    'account.column.since',
    'account.column.last-used',
    'account.column.expires',
    'account.column.action',
  ],
  rows: found.map((each) => [
    html`<bdi>${each.label}</bdi>`,
    moment(ui, each.created),
    momentOrNever(ui, each.lastUsed),
    moment(ui, each.expires),
    isEditable
      ? buttonForm(ui, { name: 'admin-end-session', hidden: { id: each.id }, button: t('account.sessions.end') })
      : '',
  ]),
})}`;
}

function keys(ui: Ui, { apiKeys, isEditable }: Private): Html {
  const { t } = ui;
  if (apiKeys.length === 0) return html``;
  return html`<h2>${t('account.keys.title')}</h2>
${dataTable(ui, {
  id: 'keys',
  caption: t('account.keys.title'),
  isCaptionHidden: true,
  isStacked: true,
  columns: [
    'account.column.key',
    'account.column.created',
    'account.column.last-used',
    'account.column.expires',
    'account.column.action',
  ],
  rows: apiKeys.map((each) => [
    html`${code(each.key)} <bdi>${each.label}</bdi>`,
    moment(ui, each.created),
    momentOrNever(ui, each.lastUsed),
    each.expires === null ? '–' : moment(ui, each.expires),
    each.revoked !== null
      ? html`${t('admin.user.revoked')} ${moment(ui, each.revoked)}`
      : isEditable
        ? buttonForm(ui, { name: 'admin-revoke-key', hidden: { id: each.id }, button: t('account.revoke.button') })
        : '',
  ]),
})}`;
}

export const switchUserForm = form({
  page: userAdminPage,
  name: 'admin-account',
  fields: switchFields,
  document: ModerationSetAccountDisabledDocument,
  variables: switchVariables,
});

export const endUserSessionForm = form({
  page: userAdminPage,
  name: 'admin-end-session',
  fields: { id: textField },
  document: AdminEndSessionDocument,
  variables: (values) => values,
});

export const revokeUserKeyForm = form({
  page: userAdminPage,
  name: 'admin-revoke-key',
  fields: { id: textField },
  document: AdminRevokeKeyDocument,
  variables: (values) => values,
});

export const joinGroupForm = form({
  page: userAdminPage,
  name: 'admin-join-group',
  fields: { account: textField, group: textField },
  document: AdminAddMemberDocument,
  variables: (values) => values,
  done: (_result, { path }, { group }) => changedGroup(Number(path.id), group, 'admin-join-group'),
});

export const leaveGroupForm = form({
  page: userAdminPage,
  name: 'admin-leave-group',
  fields: { account: textField, group: textField },
  document: AdminRemoveMemberDocument,
  variables: (values) => values,
  done: (_result, { path }, { group }) => changedGroup(Number(path.id), group, 'admin-leave-group'),
});

/** The page of an account with the group that it was added to, or removed from. */
const changedGroup = (id: number, group: string, done: string) =>
  doneAt(`${userUrl(id)}?${new URLSearchParams({ group: String(idOf('Group', group, 'group')) })}`, done);
