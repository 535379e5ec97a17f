import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import {
  AdminAddMemberDocument,
  AdminEndSessionDocument,
  AdminRevokeKeyDocument,
  AdminUserDocument,
  type AdminUserQuery,
  ModerationSetAccountDisabledDocument,
} from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { type Fact, facts } from '../components/facts.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { localText } from '../components/local-text.ts';
import { moment, momentOrNever } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
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

/** Everything about an account that its administrators act on. */
export const userAdminPage = page({
  path: '/admin/users/:id/',
  visitor: 'account',
  params: { id: recordId('Id of the account.') },
  document: AdminUserDocument,
  variables: ({ path, viewer }) => ({ ...path, keepsGroups: viewer?.adminPages.includes('groups') === true }),
  view: ({ account, groups: all }, { viewer }, ui) => {
    if (account == null) return null;
    const own = account.private;
    if (own === null) throw new NotPermittedError();
    const isSelf = viewer?.accountId === account.databaseId;
    return adminPage(ui, {
      tab: 'users',
      heading: html`<bdi dir="ltr">${account.username}</bdi>`,
      title: account.username,
      body: html`${facts(ui, { items: factsOf(ui, account, own) })}
${own.isEditable && joinForm(ui, account, own, all ?? [])}
${own.isEditable && !isSelf && actions(ui, account, own)}
${!own.isEditable && html`<p class="muted">${ui.t('admin.user.above-rank')}</p>`}
${addons(ui, account)}
${sessions(ui, own)}
${keys(ui, own)}`,
    });
  },
});

function factsOf(ui: Ui, user: User, own: Private): Fact[] {
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
    { term: t('admin.tab.groups'), value: groups(ui, own) },
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

function groups({ t, viewer }: Ui, { groups: found }: Private): Html | null {
  if (found === null) return null;
  const isLinked = viewer?.adminPages.includes('groups') ?? false;
  if (found.length === 0) return html`${t('admin.user.no-groups')}`;
  const nameOf = (name: string) => html`<bdi>${name}</bdi>`;
  return joined(
    found.map(({ databaseId, name }) =>
      isLinked ? html`<a href="${adminUrl('groups')}${databaseId}/">${nameOf(name)}</a>` : nameOf(name),
    ),
  );
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
});
