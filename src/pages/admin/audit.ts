import { html } from 'hono/html';
import type { AdminPage } from '../../auth/operator-permissions.ts';
import { execute } from '../../execution/execute.ts';
import {
  AdminAuditDocument,
  AdminAuditExportDocument,
  type AdminAuditExportQuery,
  type AdminAuditQuery,
  AdminAuditVerificationDocument,
  type AdminAuditVerificationQuery,
} from '../../generated/operations/graphql.ts';
import type { Context } from '../../graphql/context.ts';
import { label, type ParamValues } from '../../http/params.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { findForm } from '../components/find-form.ts';
import { notice } from '../components/notice.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { moment } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import { hubName } from '../hub/addon-frame.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { actorName } from './actor.ts';
import { adminHref, adminPage } from './frame.ts';

/** The keys of details with the id of an account. */
const ACCOUNT_KEYS = ['accountId', 'memberId', 'recipientId', 'writer'];

type Entry = AdminAuditQuery['auditLog']['nodes'][number];

const PATH = adminHref('audit');

const FILTERS = {
  actor: label('Who made the changes, as entries have it, or a username.'),
  action: label('What was done.'),
  object: label('A value in the details.'),
  from: label('First day, YYYY-MM-DD.'),
  to: label('Last day, YYYY-MM-DD.'),
};
type Filters = ParamValues<typeof FILTERS>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

const given = (text: string | null): string | null => text?.trim() || null;

/** The start of a day (UTC), `days` later; null for a text that is no day. */
function dayOf(text: string | null, days = 0): string | null {
  const time = DAY.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time + days * DAY_MS).toISOString();
}

const filterOf = ({ actor, action, object, from, to }: Filters) => ({
  ...{ actor: given(actor), action: given(action), object: given(object) },
  ...{ from: dayOf(from), before: dayOf(to, 1) },
});

/** The audit log, the newest entries first. */
export const auditPage = page({
  path: '/admin/audit/',
  visitor: 'account',
  query: { ...FILTERS, ...AFTER },
  document: AdminAuditDocument,
  variables: ({ query: { after, ...filters } }) => ({
    filter: filterOf(filters),
    before: after,
    isFiltered: isFiltered(filters),
  }),
  view: ({ auditLog, auditActions }, { search }, ui) => {
    const { nodes, pageInfo } = auditLog;
    return adminPage(ui, {
      tab: 'audit',
      body: html`<p>${ui.t('admin.audit.lead')}</p>
<ul class="link-list"><li><a href="${PATH}verify/">${ui.t('admin.audit.verify')}</a></li>
<li><a href="/signing/log/checkpoint">${ui.t('admin.audit.checkpoint')}</a></li>
<li><a href="${PATH}export.csv${changedQuery(search, {})}" download>${ui.t('admin.audit.export')}</a></li></ul>
${finder(ui, search, auditActions ?? [])}
${sum(ui, auditLog)}
${nodes.length === 0 ? html`<p>${ui.t('admin.audit.none')}</p>` : table(ui, nodes.toReversed())}
${cursorPager(ui, {
  search,
  // The connection has the oldest first.
  pageInfo: { hasNextPage: pageInfo.hasPreviousPage, endCursor: pageInfo.startCursor },
})}`,
    });
  },
});

/** Whether the page has some of the entries, which it counts. */
const isFiltered = (filters: Filters): boolean => Object.values(filterOf(filters)).some((value) => value !== null);

function sum({ t }: Ui, { totalCount, isTotalCountExact }: AdminAuditQuery['auditLog']): Html | null {
  if (!totalCount) return null;
  return html`<p>${t(isTotalCountExact === false ? 'admin.audit.sum-more' : 'admin.audit.sum', { count: totalCount })}</p>`;
}

function finder(ui: Ui, search: URLSearchParams, actions: readonly string[]): Html {
  const { t } = ui;
  const chosen = search.getAll('action').at(-1) ?? '';
  // An action of a link stays chosen, although no entry has it.
  const known = chosen === '' || actions.includes(chosen) ? actions : [...actions, chosen];
  const today = new Date().toISOString().slice(0, 10);
  return html`${findForm(ui, {
    ...{ id: 'audit', action: PATH, search },
    fields: [
      { name: 'actor', label: t('admin.audit.actor') },
      {
        name: 'action',
        label: t('admin.audit.action'),
        options: [
          { value: '', text: t('admin.audit.all-actions') },
          ...known.map((action) => ({ value: action, text: action })),
        ],
      },
      { name: 'object', label: t('admin.audit.object') },
      ...(['from', 'to'] as const).map((name) => ({ name, label: t(`admin.audit.${name}`), kind: 'date' as const })),
    ],
    submit: t('admin.audit.find'),
  })}
<p><a href="${PATH}${changedQuery(search, { from: today, to: today })}">${t('admin.audit.today')}</a></p>`;
}

const table = (ui: Ui, entries: readonly Entry[]): Html =>
  dataTable(ui, {
    id: 'entries',
    caption: ui.t('admin.tab.audit'),
    isCaptionHidden: true,
    columns: [
      'admin.audit.index',
      'admin.audit.time',
      'admin.audit.actor',
      'admin.audit.action',
      'admin.audit.details',
    ],
    rows: entries.map((entry) => [
      html`<bdi dir="ltr">${entry.index}</bdi>`,
      moment(ui, entry.created),
      html`<a href="${PATH}?${new URLSearchParams({ actor: entry.actor })}"><bdi class="whole">${actorName(entry.actor)}</bdi></a>`,
      html`<a href="${PATH}?${new URLSearchParams({ action: entry.action })}">${code(entry.action)}</a>`,
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
    return html`<li>${named === null ? code(`${name}: ${plain(value)}`) : html`${code(`${name}:`)} ${named}`}</li>`;
  })}</ul>`;
}

/** What the id in a detail names; null for other details, and for what the viewer may not see. */
function namedDetail(ui: Ui, entry: Entry, { name, value }: { name: string; value: unknown }): Html | null {
  const { addon, version, accounts } = entry;
  const ltr = (text: string) => html`<bdi dir="ltr">${text}</bdi>`;
  const opens = (tab: AdminPage) => ui.viewer?.adminPages.includes(tab) === true;
  switch (name) {
    case 'addonId':
      return addon && html`<a href="/addon/${encodeURIComponent(addon.slug ?? addon.guid)}/">${hubName(ui, addon)}</a>`;
    case 'versionId':
      return version && html`<a href="${pathOf(version.url)}">${ltr(version.version)}</a>`;
    case 'payload':
      return version === null ? null : namedDetail(ui, entry, { name: 'versionId', value });
    case 'reportId':
      return ui.viewer?.isModerator === true ? html`<a href="/moderation/${value}/">${ltr(plain(value))}</a>` : null;
    case 'job':
      return opens('jobs') ? html`<a href="${adminHref('jobs')}${value}/">${ltr(plain(value))}</a>` : null;
    case 'groupId':
      return opens('groups') ? html`<a href="${adminHref('groups')}${value}/">${ltr(plain(value))}</a>` : null;
    default: {
      const account = accounts.find(({ databaseId }) => databaseId === value && ACCOUNT_KEYS.includes(name));
      if (account === undefined) return null;
      const username = ltr(account.username);
      return opens('users') ? html`<a href="${adminHref('users')}${value}/">${username}</a>` : username;
    }
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whether the log is whole: a part of it at a time, and at its end whether it has lost entries. */
export const auditVerificationPage = page({
  path: '/admin/audit/verify/',
  visitor: 'account',
  query: { after: label('Position of the last entry of the part before.') },
  document: AdminAuditVerificationDocument,
  variables: ({ query }) => query,
  view: ({ auditVerification: part }, _input, ui) =>
    adminPage(ui, { tab: 'audit', heading: ui.t('admin.audit.verify'), body: verification(ui, part) }),
});

function verification(ui: Ui, part: AdminAuditVerificationQuery['auditVerification']): Html {
  const { t } = ui;
  const { count, firstIndex, lastIndex, brokenIndex, problems, hasMore } = part;
  const back = html`<a href="${PATH}">${t('admin.tab.audit')}</a>`;
  if (brokenIndex !== null) {
    return notice(ui, {
      kind: 'error',
      title: t('admin.audit.broken', { index: brokenIndex }),
      text: t('admin.audit.broken-text'),
      actions: back,
    });
  }
  const range =
    count === 0
      ? t('admin.audit.no-more')
      : t('admin.audit.holds', { first: firstIndex ?? '', last: lastIndex ?? '', count });
  if (problems.length > 0) {
    return notice(ui, {
      kind: 'error',
      title: t('admin.audit.lost'),
      text: html`<p>${range}</p>${problems.map((problem) => html`<p lang="en" dir="ltr">${problem}</p>`)}`,
      actions: back,
    });
  }
  return notice(ui, {
    kind: hasMore ? 'info' : 'ok',
    title: range,
    text: t(hasMore ? 'admin.audit.continues' : 'admin.audit.whole'),
    actions: hasMore
      ? html`<a class="button" href="${PATH}verify/?after=${lastIndex}">${t('admin.audit.continue')}</a>`
      : back,
  });
}

const COLUMNS = ['index', 'created', 'actor', 'action', 'details', 'previousHash', 'hash'] as const;

/** A value of a CSV file (RFC 4180). Spreadsheets read one that begins with these characters as a formula. */
function csvValue(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The entries that the filters select, the oldest first, as lines of a CSV file. */
async function* csvLines(context: Context, filters: Filters): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (let after: string | null = null; ; ) {
    const { auditLog }: AdminAuditExportQuery = await execute(
      AdminAuditExportDocument,
      { filter: filterOf(filters), after },
      context,
    );
    const lines = auditLog.nodes.map((entry) => COLUMNS.map((name) => csvValue(plain(entry[name]))).join(','));
    yield lines.map((line) => `${line}\r\n`).join('');
    if (!auditLog.pageInfo.hasNextPage) return;
    after = auditLog.pageInfo.endCursor ?? null;
  }
}

/** The audit log as a file. */
export const auditExportPage = page({
  path: '/admin/audit/export.csv',
  visitor: 'account',
  query: FILTERS,
  // Refuses viewers without the right, before the file begins.
  document: AdminAuditExportDocument,
  variables: ({ query }) => ({ filter: filterOf(query), after: null }),
  view: (_data, { query }) => ({
    kind: 'stream' as const,
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: 'audit-log.csv',
    open: (context) => csvLines(context, query),
  }),
});
