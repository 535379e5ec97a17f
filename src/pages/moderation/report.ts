import { html } from 'hono/html';
import {
  ModerationDecideDocument,
  ModerationOthersDocument,
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
import { thread } from '../components/thread.ts';
import { choice, integerField, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { reportHref, targetName } from './parts.ts';
import { messageSection, othersSection, programSection, type Report, reportFacts } from './report-facts.ts';
import { switchFields, switchForm, switchVariables } from './switch-forms.ts';

const STATES = ['OPEN', 'VALID', 'DISMISSED', 'DUPLICATE'] as const;
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
    return {
      title,
      robots: 'noindex' as const,
      section: 'moderation' as const,
      main: html`${breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: t('moderation.title'), href: '/moderation/' },
        { text: title },
      ])}
<h1>${title}</h1>
${report.state !== 'OPEN' && html`<p><a href="/moderation/">${t('moderation.open-reports')}</a></p>`}
<div class="columns with-side">
<div>
${messageSection(ui, report)}
${programSection(ui, report)}
${othersSection(ui, report, more?.abuseReports ?? { nodes: [], totalCount: 0 })}
${replies(ui, report, search)}
${decision(ui, report)}
${actions(ui, report)}
</div>
<aside aria-label="${t('addon.facts')}">${facts(ui, { isNarrow: true, items: reportFacts(ui, report) })}</aside>
</div>`,
    };
  },
});

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
      isRequired: true,
      value: state,
      options: STATES.map((value) => ({
        value,
        text: t(`report.state.${value}`),
        hint: t(`moderation.decision.${value}`),
      })),
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
  done: (_result, _input, values, ui) =>
    redirect(withDone(ui.path, values['reply.text'].trim() === '' ? 'moderation-decide' : 'moderation-reply'), 303),
});

/** The replies that moderators have sent, so that no reporter gets two; nothing about an anonymous one, who has no address. */
function replies(ui: Ui, report: Report, search: URLSearchParams): Html {
  if (report.reporter === null) return html``;
  return html`<section aria-labelledby="reply"><h2 id="reply">${ui.t('moderation.sent-replies')}</h2>
${sentReplies(ui, report, search)}</section>`;
}

function sentReplies(ui: Ui, { replies }: Report, search: URLSearchParams): Html {
  const { t } = ui;
  if (replies === null || replies.totalCount === 0) return html`<p>${t('moderation.no-replies')}</p>`;
  const { nodes, pageInfo, totalCount } = replies;
  return html`<p>${t('moderation.replies', { count: totalCount })}</p>
${thread(
  ui,
  nodes.map(({ id, created, text, user, recipient }) => ({
    id: `reply-${id}`,
    title: t('moderation.reply-sent', {
      name: html`<bdi>${user?.name ?? t('moderation.former-moderator')}</bdi>`,
      recipient: html`<bdi>${recipient?.name ?? ''}</bdi>`,
    }),
    time: created,
    text,
  })),
)}
${cursorPager(ui, { search, pageInfo, fragment: '#reply' })}`;
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
