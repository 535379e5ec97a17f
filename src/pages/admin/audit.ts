import { html } from 'hono/html';
import type { AdminPage } from '../../auth/operator-permissions.ts';
import { AdminAuditDocument, type AdminAuditQuery } from '../../generated/operations/graphql.ts';
import { labelParam, type ParamValues } from '../../http/params.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { findForm } from '../components/find-form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { exactMoment } from '../components/time.ts';
import { code, type Html, joined } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { actorName, auditUrl } from './actor.ts';
import { adminPage, adminUrl } from './admin-page.ts';

/** The keys of details with the id of an account. */
const ACCOUNT_KEYS = ['accountId', 'memberId', 'recipientId', 'writer'];

type Entry = AdminAuditQuery['auditLog']['nodes'][number];
type Subjects = NonNullable<AdminAuditQuery['auditSubjects']>;

const PATH = adminUrl('audit');

export const AUDIT_FILTERS = {
  about: labelParam(
    'What the changes were about: an account by username, name or number, or an add-on by slug, name, guid or number.',
  ),
  actor: labelParam('Who made the changes, as entries have it, or a username.'),
  action: labelParam('What was done.'),
  object: labelParam('A value in the details.'),
  from: labelParam('First day, YYYY-MM-DD.'),
  to: labelParam('Last day, YYYY-MM-DD.'),
};
export type AuditFilters = ParamValues<typeof AUDIT_FILTERS>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

const given = (text: string | null): string | null => text?.trim() || null;

/** The start of a day (UTC), `days` later; null for a text that is no day. */
function dayOf(text: string | null, days = 0): string | null {
  const time = DAY.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time + days * DAY_MS).toISOString();
}

export const auditFilterOf = ({ about, actor, action, object, from, to }: AuditFilters) => ({
  ...{ about: given(about), actor: given(actor), action: given(action), object: given(object) },
  ...{ from: dayOf(from), before: dayOf(to, 1) },
});

/** The audit log, the newest entries first. */
export const auditPage = page({
  path: '/admin/audit/',
  visitor: 'account',
  query: { ...AUDIT_FILTERS, ...CURSOR_PARAM },
  document: AdminAuditDocument,
  variables: ({ query: { after, ...filters } }) => ({
    filter: auditFilterOf(filters),
    before: after,
    isFiltered: isFiltered(filters),
    ...{ about: given(filters.about) ?? '', hasAbout: given(filters.about) !== null },
  }),
  view: ({ auditLog, auditActions, auditSubjects }, { query, search }, ui) => {
    const { nodes, pageInfo } = auditLog;
    return adminPage(ui, {
      tab: 'audit',
      body: html`<p>${ui.t('admin.audit.lead')}</p>
${links(ui, search, isFiltered(query))}
${finder(ui, { search, actions: auditActions ?? [], isOpen: isFiltered(query) })}
${auditSubjects != null && subjects(ui, query.about ?? '', auditSubjects)}
${sum(ui, auditLog)}
${nodes.length === 0 ? auditSubjects?.isKnown !== false && nothing(ui, query) : table(ui, nodes.toReversed(), search)}
${cursorPager(ui, {
  search,
  // The connection has the oldest first.
  pageInfo: { hasNextPage: pageInfo.hasPreviousPage, endCursor: pageInfo.startCursor },
})}`,
    });
  },
});

/** Whether the page has some of the entries, which it counts. */
const isFiltered = ({ about, actor, action, object, from, to }: AuditFilters): boolean =>
  Object.values(auditFilterOf({ about, actor, action, object, from, to })).some((value) => value !== null);

function sum({ t }: Ui, { totalCount, isTotalCountExact }: AdminAuditQuery['auditLog']): Html | null {
  if (!totalCount) return null;
  return html`<p>${t(isTotalCountExact === false ? 'admin.audit.sum-more' : 'admin.audit.sum', { count: totalCount })}</p>`;
}

/** That no entry matches, and what may be the reason. */
const nothing = ({ t }: Ui, { about, object }: AuditFilters): Html =>
  html`<p>${t('admin.audit.none')}${given(about) !== null && html` ${t('admin.audit.not-recorded')}`}${given(object) !== null && html` ${t('admin.audit.object-hint')}`}</p>`;

function links({ t }: Ui, search: URLSearchParams, isFound: boolean): Html {
  const today = new Date().toISOString().slice(0, 10);
  return html`<ul class="link-list cluster"><li><a href="${PATH}verify/">${t('admin.audit.verify')}</a></li>
<li><a href="/signing/log/checkpoint">${t('admin.audit.checkpoint')}</a></li>
<li><a href="${PATH}export.csv${changedQuery(search, {})}" download>${t(isFound ? 'admin.audit.export-found' : 'admin.audit.export')}</a></li>
<li><a href="${PATH}${changedQuery(search, { from: today, to: today })}">${t('admin.audit.today')}</a></li></ul>`;
}

/** What the filter “About” selects, or what it may mean. */
function subjects(ui: Ui, text: string, { isKnown, accounts, addons, similar }: Subjects): Html | null {
  const { t } = ui;
  if (!isKnown) {
    const unknown = t('admin.audit.unknown-subject', { text: html`<bdi>${text}</bdi>` });
    const meant = similar.map((addon) => html`<a href="${auditUrl({ about: addon.guid })}">${hubName(ui, addon)}</a>`);
    return html`<p>${unknown}${meant.length > 0 && html` ${t('admin.audit.similar', { addons: joined(meant) })}`}</p>`;
  }
  const named = [
    ...accounts.map((account) => t('admin.audit.account', { name: accountName(ui, account) })),
    ...addons.map((addon) => t('admin.audit.addon', { name: addonLink(ui, addon) })),
  ];
  return named.length === 0 ? null : html`<p>${t('admin.audit.subjects', { subjects: joined(named) })}</p>`;
}

interface Finder {
  search: URLSearchParams;
  actions: readonly string[];
  isOpen: boolean;
}

function finder(ui: Ui, { search, actions, isOpen }: Finder): Html {
  const { t } = ui;
  const chosen = search.getAll('action').at(-1) ?? '';
  // An action of a link stays chosen, although no entry has it.
  const known = chosen === '' || actions.includes(chosen) ? actions : [...actions, chosen];
  return html`<details class="folded-form"${isOpen && html` open`}><summary>${t('admin.audit.find')}</summary>
${findForm(ui, {
  ...{ id: 'audit', action: PATH, search },
  fields: [
    { name: 'about', label: t('admin.audit.about'), hint: t('admin.audit.about-hint'), isWide: true },
    { name: 'actor', label: t('admin.audit.actor') },
    {
      name: 'action',
      label: t('admin.audit.action'),
      options: [
        { value: '', text: t('admin.audit.all-actions') },
        ...known.map((action) => ({ value: action, text: action })),
      ],
    },
  ],
  more: [
    ...(['from', 'to'] as const).map((name) => ({ name, label: t(`admin.audit.${name}`), kind: 'date' as const })),
    { name: 'object', label: t('admin.audit.object'), hint: t('admin.audit.object-hint') },
  ],
  submit: t('admin.audit.find'),
})}</details>`;
}

/** The links of an entry change one filter and keep the others. */
const table = (ui: Ui, entries: readonly Entry[], search: URLSearchParams): Html =>
  dataTable(ui, {
    id: 'entries',
    caption: ui.t('admin.tab.audit'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      'admin.audit.index',
      'admin.audit.time',
      'admin.audit.actor',
      'admin.audit.action',
      'admin.audit.details',
    ],
    rows: entries.map((entry) => [
      html`<bdi dir="ltr">${entry.index}</bdi>`,
      exactMoment(ui, entry.created),
      html`<a href="${PATH}${changedQuery(search, { actor: entry.actor })}"><bdi class="whole">${actorName(entry.actor)}</bdi></a>`,
      html`<a href="${PATH}${changedQuery(search, { action: entry.action })}">${code(entry.action)}</a>`,
      detailsOf(ui, entry),
    ]),
  });

/** The details of an entry that have a value. What their ids name is a link, if the viewer may see it. */
function detailsOf(ui: Ui, entry: Entry): Html {
  const details = Object.entries(entry.details as Record<string, unknown>).filter(
    ([, value]) => value !== null && value !== '',
  );
  return html`<ul class="plain-list long-text">${details.map(([name, value]) => {
    const named = namedDetail(ui, entry, { name, value });
    return html`<li>${named === null ? code(`${name}: ${plainDetail(value)}`) : html`<bdi dir="ltr">${code(`${name}:`)} ${named}</bdi>`}</li>`;
  })}</ul>`;
}

/** What the id in a detail names; null for other details, and for what the viewer may not see. */
function namedDetail(ui: Ui, entry: Entry, { name, value }: { name: string; value: unknown }): Html | null {
  const { addon, version, accounts } = entry;
  const ltr = (text: string) => html`<bdi dir="ltr">${text}</bdi>`;
  const opens = (tab: AdminPage) => ui.viewer?.adminPages.includes(tab) === true;
  switch (name) {
    case 'addonId':
      // Its page is linked where the entries about it are shown.
      return addon && html`<a href="${auditUrl({ about: addon.guid })}">${hubName(ui, addon)}</a>`;
    case 'versionId':
      return version && html`<a href="${pathOf(version.url)}">${ltr(version.version)}</a>`;
    case 'payload':
      return version === null ? null : namedDetail(ui, entry, { name: 'versionId', value });
    case 'reportId':
      return ui.viewer?.isModerator === true
        ? html`<a href="/moderation/${value}/">${ltr(plainDetail(value))}</a>`
        : null;
    case 'job':
      return opens('jobs') ? html`<a href="${adminUrl('jobs')}${value}/">${ltr(plainDetail(value))}</a>` : null;
    case 'groupId':
      return opens('groups') ? html`<a href="${adminUrl('groups')}${value}/">${ltr(plainDetail(value))}</a>` : null;
    default: {
      const account = accounts.find(({ databaseId }) => databaseId === value && ACCOUNT_KEYS.includes(name));
      return account === undefined ? null : accountName(ui, account);
    }
  }
}

const addonLink = (ui: Ui, addon: NonNullable<Entry['addon']>): Html =>
  html`<a href="/addon/${encodeURIComponent(addon.slug ?? addon.guid)}/">${hubName(ui, addon)}</a>`;

/** A username, as a link to the account for viewers who administer accounts. */
function accountName({ viewer }: Ui, { databaseId, username }: Entry['accounts'][number]): Html {
  const name = html`<bdi dir="ltr">${username}</bdi>`;
  return viewer?.adminPages.includes('users') === true
    ? html`<a href="${adminUrl('users')}${databaseId}/">${name}</a>`
    : name;
}

export const plainDetail = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
