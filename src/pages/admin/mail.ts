import { html } from 'hono/html';
import {
  AdminMailDocument,
  type AdminMailFieldsFragment,
  type AdminMailQuery,
  AdminMailTextDocument,
  AdminRetryMailDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { enumValues, labelParam, recordId, wordParam } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { findForm } from '../components/find-form.ts';
import { buttonForm } from '../components/form.ts';
import { notice, RESULT_ID } from '../components/notice.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import { moment } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';

type Mail = AdminMailQuery['mailOutbox']['nodes'][number];

const PATH = adminUrl('mail');
const STATES = ['failed', 'queued', 'sent'] as const;
const KINDS: Readonly<Record<string, BadgeKind>> = { FAILED: 'error', QUEUED: 'info', SENT: 'ok' };

/** The outbox, the newest mails first. */
export const mailPage = page({
  path: '/admin/mail/',
  visitor: 'account',
  query: {
    state: wordParam('State of the mails.', enumValues(STATES)),
    to: labelParam('Address of the recipient.'),
    ...CURSOR_PARAM,
  },
  document: AdminMailDocument,
  variables: ({ query }) => ({ ...query, to: query.to?.trim() || null }),
  view: ({ mailOutbox, queued, failed }, { query, search }, ui) => {
    const { nodes, pageInfo, totalCount, hasMailServer } = mailOutbox;
    // Those that were sent are too many to be counted on each page.
    const counts = { queued: queued.totalCount, failed: failed.totalCount };
    return adminPage(ui, {
      tab: 'mail',
      body: html`${!hasMailServer && noServer(ui)}
${stateTabs(ui, { search, current: query.state, counts })}
${finder(ui, search)}
<p>${ui.t('admin.mail.sum', { count: totalCount })}</p>
${nodes.length > 0 && table(ui, nodes)}
${cursorPager(ui, { search, pageInfo })}`,
    });
  },
});

/** That nothing is sent, and why. `isResult` if the title is the message of a form. */
const noServer = (ui: Ui, title?: Html, isResult = false): Html =>
  notice(ui, {
    ...{ kind: 'warning', text: ui.t('admin.mail.no-server', { setting: code('SMTP_URL') }) },
    ...(title !== undefined && { title }),
    ...(isResult && { isResult, id: RESULT_ID }),
  });

interface States {
  search: URLSearchParams;
  current: string | null;
  counts: Readonly<Partial<Record<(typeof STATES)[number], number>>>;
}

const stateTabs = (ui: Ui, { search, current, counts }: States): Html =>
  tabs(ui, {
    label: ui.t('hub.versions.state'),
    items: [null, ...STATES].map((state) => ({
      text: state === null ? ui.t('hub.state.all') : ui.t(`admin.mail.state.${state.toUpperCase()}` as PageTextKey),
      href: `${PATH}${changedQuery(search, { state })}`,
      isCurrent: (state?.toUpperCase() ?? null) === current,
      ...(state !== null && counts[state] !== undefined && { count: counts[state] }),
    })),
  });

const finder = (ui: Ui, search: URLSearchParams): Html =>
  findForm(ui, {
    ...{ id: 'mail', action: PATH, search, kept: ['state'] },
    fields: [{ name: 'to', label: ui.t('admin.mail.to-exact'), hint: ui.t('admin.mail.to-hint'), isWide: true }],
    submit: ui.t('admin.mail.find'),
  });

const mailState = (ui: Ui, state: Mail['state']): Html =>
  badge(ui, { kind: KINDS[state] ?? 'plain', text: ui.t(`admin.mail.state.${state}`) });

/** Characters of an error in the list; the page about the mail has all. */
const SHOWN_ERROR = 120;
const startOf = (error: string): string =>
  error.length <= SHOWN_ERROR ? error : `${error.slice(0, SHOWN_ERROR).trimEnd()}…`;

/** The mails. Errors have a column if there are any. */
function table(ui: Ui, mails: readonly Mail[]): Html {
  const hasErrors = mails.some(({ lastError }) => lastError !== null);
  return dataTable(ui, {
    id: 'mails',
    caption: ui.t('admin.tab.mail'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      ...(['admin.mail.subject', 'admin.mail.to', 'hub.versions.state', 'admin.mail.queued'] as const),
      ...(hasErrors ? (['admin.mail.error'] as const) : []),
    ],
    rows: mails.map(({ databaseId, subject, to, state, created, lastError }) => [
      html`<a href="${PATH}${databaseId}/"><span dir="auto">${subject}</span></a>`,
      html`<bdi dir="ltr" class="whole">${to}</bdi>`,
      mailState(ui, state),
      moment(ui, created),
      ...(hasErrors ? [lastError === null ? '' : html`<span lang="en" dir="ltr">${startOf(lastError)}</span>`] : []),
    ]),
  });
}

/** A mail as it was or will be sent, why it was not, and the button that sends it now. */
export const mailTextPage = page({
  path: '/admin/mail/:id/',
  visitor: 'account',
  params: { id: recordId('Id of the mail.') },
  query: { done: labelParam('The form before this page.') },
  document: AdminMailTextDocument,
  variables: ({ path }) => ({ id: globalId('OutgoingMail', path.id) }),
  view: ({ node, mailOutbox: { hasMailServer } }, { path, query }, ui) => {
    if (node == null || !('subject' in node)) return null;
    const mail = node as AdminMailFieldsFragment;
    const { t } = ui;
    const isRetried = query.done === 'admin-retry-mail';
    const waits = mail.state !== 'SENT' && !hasMailServer;
    const content = adminPage(ui, {
      tab: 'mail',
      heading: t('admin.mail.one', { number: path.id }),
      title: mail.subject,
      body: html`${waits && noServer(ui, t(isRetried ? 'done.admin-retry-mail' : 'admin.mail.waits-no-server'), isRetried)}
${facts(ui, {
  items: [
    { term: t('admin.mail.subject'), value: html`<span dir="auto">${mail.subject}</span>` },
    { term: t('admin.mail.to'), value: html`<bdi dir="ltr">${mail.to}</bdi>` },
    { term: t('hub.versions.state'), value: mailState(ui, mail.state) },
    { term: t('admin.mail.queued'), value: moment(ui, mail.created) },
    { term: t('report.sent'), value: mail.sent && moment(ui, mail.sent) },
    { term: t('admin.mail.attempts'), value: ui.format.number(mail.attempts) },
    {
      term: t('admin.mail.error'),
      value: mail.lastError && html`<span lang="en" dir="ltr">${mail.lastError}</span>`,
    },
  ],
})}
${retryButton(ui, mail, hasMailServer)}
<h2>${t('review.comments')}</h2>
<pre class="wrapped" dir="auto">${mail.text}</pre>
<details><summary>${t('admin.mail.headers')}</summary>
${facts(ui, { items: mail.headers.map(({ name, value }) => ({ term: name, value: code(value) })) })}</details>`,
    });
    return { ...content, hasDoneText: isRetried && waits };
  },
});

/** Sends a mail now. Without a server, it makes one that has failed wait, and does nothing for one that waits. */
function retryButton(ui: Ui, { id, state }: AdminMailFieldsFragment, hasMailServer: boolean): Html | null {
  if (state === 'SENT' || (state === 'QUEUED' && !hasMailServer)) return null;
  const button = ui.t(hasMailServer ? 'admin.mail.retry' : 'admin.mail.queue');
  return buttonForm(ui, { name: 'admin-retry-mail', hidden: { id }, button });
}

export const retryMailForm = form({
  page: mailTextPage,
  name: 'admin-retry-mail',
  fields: { id: textField },
  document: AdminRetryMailDocument,
  variables: (values) => values,
});
