import { html } from 'hono/html';
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
import { changedQuery } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { findForm } from '../components/find-form.ts';
import { notice } from '../components/notice.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { moment } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminHref, adminPage } from './frame.ts';

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
  variables: ({ query: { after, ...filters } }) => ({ filter: filterOf(filters), before: after }),
  view: ({ auditLog: { nodes, pageInfo } }, { search }, ui) => {
    return adminPage(ui, {
      tab: 'audit',
      body: html`<p>${ui.t('admin.audit.lead')}</p>
<ul class="link-list"><li><a href="${PATH}verify/">${ui.t('admin.audit.verify')}</a></li>
<li><a href="/signing/log/checkpoint">${ui.t('admin.audit.checkpoint')}</a></li>
<li><a href="${PATH}export.csv${changedQuery(search, {})}" download>${ui.t('admin.audit.export')}</a></li></ul>
${finder(ui, search)}
${nodes.length === 0 ? html`<p>${ui.t('admin.audit.none')}</p>` : table(ui, nodes.toReversed())}
${cursorPager(ui, {
  search,
  // The connection has the oldest first.
  pageInfo: { hasNextPage: pageInfo.hasPreviousPage, endCursor: pageInfo.startCursor },
})}`,
    });
  },
});

const finder = (ui: Ui, search: URLSearchParams): Html =>
  findForm(ui, {
    ...{ id: 'audit', action: PATH, search },
    fields: [
      ...(['actor', 'action', 'object'] as const).map((name) => ({ name, label: ui.t(`admin.audit.${name}`) })),
      ...(['from', 'to'] as const).map((name) => ({ name, label: ui.t(`admin.audit.${name}`), kind: 'date' as const })),
    ],
    submit: ui.t('admin.audit.find'),
  });

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
    rows: entries.map(({ index, created, actor, action, details }) => [
      html`<bdi dir="ltr">${index}</bdi>`,
      moment(ui, created),
      html`<a href="${PATH}?${new URLSearchParams({ actor })}"><bdi>${actor}</bdi></a>`,
      html`<a href="${PATH}?${new URLSearchParams({ action })}">${code(action)}</a>`,
      html`${Object.entries(details as Record<string, unknown>).map(([name, value]) => html`${code(`${name}: ${plain(value)}`)} `)}`,
    ]),
  });

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
