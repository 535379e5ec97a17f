import { html } from 'hono/html';
import { AdminUsersDocument, type AdminUsersQuery } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { labelParam, oneOf, orNull, recordId } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { findForm } from '../components/find-form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import { day } from '../components/time.ts';
import { type Html, joined } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';

type User = AdminUsersQuery['accounts']['nodes'][number];

const PATH = adminUrl('users');
const STATES = { disabled: true, active: false } as const;
type State = keyof typeof STATES;

/** The path of the page of an account. */
export const userUrl = (id: number): string => `${PATH}${id}/`;

/** Accounts, the newest first, by name, address and state. */
export const usersPage = page({
  path: '/admin/users/',
  visitor: 'account',
  query: {
    q: labelParam('Id, or the beginning of a username, display name or e-mail address.'),
    state: oneOf<State>('Whether they are disabled.', ['disabled', 'active']),
    group: orNull(recordId('Id of a group.')),
    ...CURSOR_PARAM,
  },
  document: AdminUsersDocument,
  variables: ({ query: { q, state, group, after } }) => ({
    filter: {
      ...(q === null ? {} : { search: q }),
      ...(state === null ? {} : { isDisabled: STATES[state] }),
      ...(group ? { group: globalId('Group', group) } : {}),
    },
    after,
  }),
  view: ({ accounts }, { query, search }, ui) => {
    const { nodes, pageInfo } = accounts;
    return adminPage(ui, {
      tab: 'users',
      body: html`${finder(ui, search)}
${stateTabs(ui, search, query.state)}
${nodes.length === 0 ? html`<p>${ui.t('admin.users.none')}</p>` : table(ui, nodes)}
${cursorPager(ui, { search, pageInfo })}`,
    });
  },
});

const finder = (ui: Ui, search: URLSearchParams): Html =>
  findForm(ui, {
    ...{ id: 'user', action: PATH, search, kept: ['state', 'group'] },
    fields: [{ name: 'q', label: ui.t('admin.users.query') }],
    submit: ui.t('admin.users.find'),
  });

function stateTabs(ui: Ui, search: URLSearchParams, current: State | null): Html {
  const item = (state: State | null, text: Html) => ({
    text,
    href: `${PATH}${changedQuery(search, { state })}`,
    isCurrent: state === current,
  });
  const { t } = ui;
  return tabs(ui, {
    label: t('hub.versions.state'),
    items: [
      item(null, t('hub.state.all')),
      item('active', t('moderation.account-state.AVAILABLE')),
      item('disabled', t('moderation.account-state.DISABLED')),
    ],
  });
}

function table(ui: Ui, users: readonly User[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'users',
    caption: t('admin.tab.users'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      'account.username',
      'admin.users.address',
      'admin.tab.groups',
      'admin.users.created',
      'admin.users.last-login',
      'hub.versions.state',
    ],
    rows: users.map(({ databaseId, username, name, created, private: own }) => [
      html`<a href="${userUrl(databaseId)}"><bdi dir="ltr">${username}</bdi></a>${name !== username && html` <span class="muted"><bdi>${name}</bdi></span>`}`,
      html`<bdi dir="ltr" class="whole">${own?.email ?? '–'}</bdi>`,
      joined((own?.groups ?? []).map((group) => html`<bdi>${group.name}</bdi>`)),
      day(ui, created),
      own?.lastLogin == null ? '–' : day(ui, own.lastLogin),
      accountBadge(ui, own?.isDisabled === true),
    ]),
  });
}

/** Whether an account is disabled. */
export const accountBadge = (ui: Ui, isDisabled: boolean): Html =>
  badge(ui, {
    kind: isDisabled ? 'error' : 'ok',
    text: ui.t(isDisabled ? 'moderation.account-state.DISABLED' : 'moderation.account-state.AVAILABLE'),
  });
