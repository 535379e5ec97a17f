import { html } from 'hono/html';
import {
  ModerationDecideDocument,
  ModerationOthersDocument,
  type ModerationOthersQuery,
  ModerationReportDocument,
  type ModerationReportQuery,
  ModerationSetAccountDisabledDocument,
  ModerationSetAddonDisabledDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { recordId } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { type ThreadEntry, thread } from '../components/thread.ts';
import { choice, integerField, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { reportHref, reportTitle, targetName } from './parts.ts';
import { messageSection, othersSection, programSection, type Report, reportFacts } from './report-facts.ts';
import { switchFields, switchForm, switchVariables } from './switch-forms.ts';

type HistoryEvent = NonNullable<Report['history']>['nodes'][number];
type NextReport = ModerationOthersQuery['open']['nodes'][number];

const DECISIONS = ['VALID', 'DISMISSED', 'DUPLICATE'] as const;
const STATES = [...DECISIONS, 'OPEN'] as const;
const MAX_TEXT = 10_000;

/** What the operation returns for the address of a report: an object of another type is none. */
const reportIn = ({ node }: ModerationReportQuery): Report | null =>
  node != null && 'message' in node ? (node as Report) : null;

/** One report with what a decision needs: what was sent, the state of its target, other reports about it, and the forms. */
export const reportPage = page({
  path: '/moderation/:id/',
  visitor: 'account',
  params: { id: recordId('Number of the report.') },
  query: AFTER,
  document: ModerationReportDocument,
  variables: ({ path, query }) => ({ id: globalId('AbuseReport', path.id), ...query }),
  more: {
    document: ModerationOthersDocument,
    variables: (data) => {
      const report = reportIn(data);
      if (report === null) return null;
      const { addon, rating, collection, user } = report;
      if (addon !== null) return { filter: { addon: { guid: addon.guid } } };
      if (rating !== null) return { filter: { rating: globalId('Rating', rating.databaseId) } };
      if (collection?.databaseId != null)
        return { filter: { collection: globalId('Collection', collection.databaseId) } };
      return { filter: { account: { databaseId: user?.databaseId ?? 0 } } };
    },
  },
  view: (data, { search }, ui, more) => {
    const report = reportIn(data);
    if (report === null) return null;
    const { t } = ui;
    const title = t('report.status-title', { number: report.databaseId });
    const ways = otherReports(
      ui,
      more?.open.nodes.findLast(({ databaseId }) => databaseId !== report.databaseId),
    );
    return {
      title,
      afterDone: () => ways,
      robots: 'noindex' as const,
      section: 'moderation' as const,
      main: html`${breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: t('moderation.title'), href: '/moderation/' },
        { text: title },
      ])}
<h1>${reportTitle(ui, report)}</h1>
${report.state !== 'OPEN' && !search.has('done') && html`<p class="cluster">${ways}</p>`}
<div class="columns with-side">
<div>
${messageSection(ui, report)}
${programSection(ui, report)}
${othersSection(ui, report, more?.abuseReports ?? { nodes: [], totalCount: 0 })}
${decision(ui, report)}
${actions(ui, report)}
${history(ui, report, search)}
</div>
<aside aria-label="${t('addon.facts')}">${facts(ui, { isNarrow: true, items: reportFacts(ui, report) })}</aside>
</div>`,
    };
  },
});

/** Links to the oldest other open report, and to all of them. */
function otherReports(ui: Ui, next: NextReport | undefined): Html {
  return html`${
    next &&
    html`<a href="${reportHref(next.databaseId)}">${ui.t('moderation.next', { name: reportTitle(ui, next) })}</a>`
  } <a href="/moderation/">${ui.t('moderation.open-reports')}</a>`;
}

/** The decision, and with it a mail to the reporter: one form, so that neither is lost while the other is saved. */
function decision(ui: Ui, { id, state, note, reporter, replies }: Report): Html {
  const { t } = ui;
  const mail: FormPart = {
    kind: 'textarea',
    name: 'reply.text',
    label: t('moderation.reply'),
    hint: t('moderation.reply-hint'),
    maxLength: MAX_TEXT,
    rows: 6,
  };
  const noMail: FormPart = { kind: 'html', content: html`<p class="muted">${t('moderation.no-reply')}</p>` };
  return html`<section aria-labelledby="decision"><h2 id="decision">${t('review.decision')}</h2>
${formElement(ui, {
  name: 'moderation-decide',
  hidden: { id },
  expected: { state, note: note ?? '', 'reply.replyCount': String(replies?.totalCount ?? 0) },
  parts: [
    {
      kind: 'radio',
      name: 'state',
      label: t('review.decision.what'),
      hint: t('moderation.decide-later'),
      isRequired: true,
      value: state,
      options: [
        ...DECISIONS.map((value) => ({
          value,
          text: t(`report.state.${value}`),
          hint: t(`moderation.decision.${value}`),
        })),
        state === 'OPEN'
          ? { value: 'OPEN', text: t('moderation.leave-open'), hint: t('moderation.leave-open-hint') }
          : { value: 'OPEN', text: t('moderation.reopen'), hint: t('moderation.reopen-hint') },
      ],
    },
    {
      kind: 'textarea',
      name: 'note',
      label: t('moderation.note'),
      hint: t('moderation.note-hint'),
      value: note,
      maxLength: MAX_TEXT,
      rows: 4,
    },
    reporter === null ? noMail : mail,
  ],
  submit: t(reporter === null ? 'moderation.decide' : 'moderation.decide-and-reply'),
})}</section>`;
}

export const decideForm = form({
  page: reportPage,
  name: 'moderation-decide',
  fields: {
    id: textField,
    state: choice(...STATES),
    note: textField,
    'reply.text': textField,
    'expected.state': choice(...STATES),
    'expected.note': textField,
    'expected.reply.replyCount': integerField,
  },
  document: ModerationDecideDocument,
  variables: ({ id, state, note, 'reply.text': text, ...expected }) => ({
    ...{ id, state, note },
    expected: { state: expected['expected.state'], note: expected['expected.note'] },
    reply: text.trim() === '' ? null : { text, replyCount: expected['expected.reply.replyCount'] },
  }),
  done: (_result, _input, values, ui) => redirect(withDone(ui.path, doneCode(values)), 303),
});

/** The message about a decision, or about a report that stays or becomes open again. */
function doneCode(values: { state: string; 'expected.state': string; 'reply.text': string }): string {
  const hasReply = values['reply.text'].trim() !== '';
  if (values.state !== 'OPEN') return hasReply ? 'moderation-reply' : 'moderation-decide';
  const code = values['expected.state'] === 'OPEN' ? 'moderation-open' : 'moderation-reopen';
  return hasReply ? `${code}-reply` : code;
}

/** What moderators have decided and sent, newest first, so that no reporter gets two replies. */
function history(ui: Ui, { replies, history, reporter }: Report, search: URLSearchParams): Html {
  const { t } = ui;
  if (history === null || (history.nodes.length === 0 && reporter === null)) return html``;
  const count = replies?.totalCount ?? 0;
  return html`<section class="stack" aria-labelledby="history"><h2 id="history">${t('moderation.history')}</h2>
${reporter !== null && html`<p>${count === 0 ? t('moderation.no-replies') : t('moderation.replies', { count })}</p>`}
${thread(
  ui,
  history.nodes.map((event) => historyEntry(ui, event)),
)}
${cursorPager(ui, { search, pageInfo: history.pageInfo, fragment: '#history' })}</section>`;
}

const MARKS: Readonly<Record<string, Pick<ThreadEntry, 'icon' | 'kind'>>> = {
  OPEN: { icon: 'warning', kind: 'warning' },
  VALID: { icon: 'check', kind: 'ok' },
  DISMISSED: { icon: 'close' },
  DUPLICATE: { icon: 'flag' },
};

function historyEntry(ui: Ui, { id, created, user, reply, stateBefore, stateAfter }: HistoryEvent): ThreadEntry {
  const { t } = ui;
  const name = html`<bdi>${user?.name ?? t('moderation.former-moderator')}</bdi>`;
  const recipient = html`<bdi>${reply?.recipient?.name ?? ''}</bdi>`;
  const entry = { id: `event-${id}`, time: created, text: reply?.text ?? null };
  if (stateAfter === null) return { ...entry, title: t('moderation.reply-sent', { name, recipient }) };
  if (stateAfter === stateBefore) return { ...entry, title: t('moderation.history.note', { name }), icon: 'file' };
  return { ...entry, title: t(`moderation.history.${stateAfter}`, { name }), ...MARKS[stateAfter] };
}

/** What the viewer may do about the target; nothing for a moderator without further rights. */
function actions(ui: Ui, report: Report): Html {
  const { account, targetState, databaseId } = report;
  const addon = report.addon?.addon ?? null;
  const shown = { subject: targetName(ui, report), cancelHref: reportHref(databaseId) };
  const forms = [
    addon?.viewerRights.includes('ADMINISTER') &&
      targetState !== 'DELETED' &&
      switchForm(ui, {
        ...shown,
        name: 'moderation-addon',
        kind: 'addon',
        id: addon.id,
        isDisabled: targetState === 'DISABLED',
      }),
    account?.private?.isEditable &&
      !isOwn(ui, report) &&
      switchForm(ui, {
        ...shown,
        name: 'moderation-account',
        kind: 'account',
        id: account.id,
        isDisabled: account.private.isDisabled,
      }),
  ].filter((each) => typeof each === 'object');
  if (forms.length === 0) return html``;
  return html`<section aria-labelledby="actions"><h2 id="actions">${ui.t('moderation.actions')}</h2>
${forms}</section>`;
}

const isOwn = ({ viewer }: Ui, { user }: Report): boolean => user?.databaseId === viewer?.accountId;

export const switchAddonForm = form({
  page: reportPage,
  name: 'moderation-addon',
  fields: switchFields,
  document: ModerationSetAddonDisabledDocument,
  variables: switchVariables,
});

export const switchAccountForm = form({
  page: reportPage,
  name: 'moderation-account',
  fields: switchFields,
  document: ModerationSetAccountDisabledDocument,
  variables: switchVariables,
});
