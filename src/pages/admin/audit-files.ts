/* The verification of the audit log, and the log as a file. */
import { html } from 'hono/html';
import { execute } from '../../execution/execute.ts';
import {
  AdminAuditExportDocument,
  type AdminAuditExportQuery,
  AdminAuditVerificationDocument,
  type AdminAuditVerificationQuery,
} from '../../generated/operations/graphql.ts';
import type { Context } from '../../graphql/context.ts';
import { labelParam } from '../../http/params.ts';
import { notice } from '../components/notice.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { AUDIT_FILTERS, type AuditFilters, auditFilterOf, plainDetail } from './audit.ts';

const PATH = adminUrl('audit');

/** Whether the log is whole: a part of it at a time, and at its end whether it has lost entries. */
export const auditVerificationPage = page({
  path: '/admin/audit/verify/',
  visitor: 'account',
  query: { after: labelParam('Position of the last entry of the part before.') },
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
async function* csvLines(context: Context, filters: AuditFilters): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (let after: string | null = null; ; ) {
    const { auditLog }: AdminAuditExportQuery = await execute(
      AdminAuditExportDocument,
      { filter: auditFilterOf(filters), after },
      context,
    );
    const lines = auditLog.nodes.map((entry) => COLUMNS.map((name) => csvValue(plainDetail(entry[name]))).join(','));
    yield lines.map((line) => `${line}\r\n`).join('');
    if (!auditLog.pageInfo.hasNextPage) return;
    after = auditLog.pageInfo.endCursor ?? null;
  }
}

/** The audit log as a file. */
export const auditExportPage = page({
  path: '/admin/audit/export.csv',
  visitor: 'account',
  query: AUDIT_FILTERS,
  // Refuses viewers without the right, before the file begins.
  document: AdminAuditExportDocument,
  variables: ({ query }) => ({ filter: auditFilterOf(query), after: null }),
  view: (_data, { query }) => ({
    kind: 'stream' as const,
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: 'audit-log.csv',
    open: (context) => csvLines(context, query),
  }),
});
