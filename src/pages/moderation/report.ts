import { html } from 'hono/html';
import { refusedField } from '../../errors.ts';
import {
  type AbuseReportFilter,
  ModerationDecideDocument,
  ModerationOthersDocument,
  type ModerationOthersQuery,
  ModerationReportDocument,
  type ModerationReportQuery,
  ModerationSetAccountDisabledDocument,
  ModerationSetAddonDisabledDocument,
  PageDecideRatingDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { recordId } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { RATING_DECIDED, RATING_DECISIONS } from '../catalogue/rating-parts.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { CURSOR_PARAM } from '../components/pager.ts';
import { choice, integerField, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { type AfterDone, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { consequences, toConsequences } from './consequences.ts';
import { DECISIONS, decision } from './decision.ts';
import { messageSection, othersSection, type PageReport, programSection, reportFacts } from './report-facts.ts';
import { formerStates, reportHistory } from './report-history.ts';
import {
  decidedByUrl,
  decidedParam,
  decisionLine,
  decisionResult,
  inboxUrl,
  isReportDecidable,
  reportState,
  reportTitle,
  reportUrl,
  targetParam,
  targetResult,
} from './report-labels.ts';
import { reportedSection } from './reported-content.ts';
import { switchFields, switchVariables } from './switch-forms.ts';

type NextReport = ModerationOthersQuery['open']['nodes'][number];

const STATES = [...DECISIONS, 'OPEN'] as const;

/** What the operation returns for the address of a report: an object of another type is none. */
const reportIn = ({ node }: ModerationReportQuery): PageReport | null =>
  node != null && 'message' in node ? (node as PageReport) : null;

/** One report with what a decision needs: what was sent, the state of its target, other reports about it, and the forms. */
export const reportPage = page({
  path: '/moderation/:id/',
  visitor: 'account',
  params: { id: recordId('Number of the report.') },
  query: { ...CURSOR_PARAM, target: targetParam, decided: decidedParam },
  document: ModerationReportDocument,
  variables: ({ path, query: { after } }) => ({ id: globalId('AbuseReport', path.id), after }),
  more: {
    document: ModerationOthersDocument,
    variables: (data, { query: { target } }) => {
      const report = reportIn(data);
      if (report === null) return null;
      const open = { state: 'OPEN' as const, isDecidable: true, ...(target !== null && { target }) };
      const { addon, rating, collection } = report;
      const account = { databaseId: report.user?.databaseId ?? 0 };
      const isAboutAccount = addon === null && rating === null && collection === null;
      return { open, filter: sameTarget(report), account, isAboutAccount };
    },
  },
  view: (data, { query, search }, ui, more) => {
    const report = reportIn(data);
    if (report === null) return null;
    const { t } = ui;
    const title = t('report.status-title', { number: report.databaseId });
    const isDecidable = isReportDecidable(report);
    const ways = otherReports(
      ui,
      more?.open.nodes.findLast(({ databaseId }) => databaseId !== report.databaseId),
      query.target,
    );
    return {
      title,
      afterDone: () => afterDone(ui, report, { decided: query.decided, search, ways }),
      robots: 'noindex' as const,
      section: 'moderation' as const,
      main: html`${breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: t('moderation.title'), href: '/moderation/' },
        { text: title },
      ])}
<h1>${reportTitle(ui, report)}</h1>
<p class="cluster">${reportState(ui, report)} ${decisionLine(ui, report)} ${formerStates(ui, report)} ${isDecidable && html`<a href="#decision">${t('moderation.to-decision')}</a>`} ${report.state !== 'OPEN' && !search.has('done') && ways}</p>
<div class="columns with-side">
<div>
${messageSection(ui, report)}
${reportedSection(ui, report, more?.ratings ?? null)}
${programSection(ui, report)}
${othersSection(ui, report, more?.abuseReports ?? { nodes: [], totalCount: 0 })}
${
  isDecidable
    ? html`${decision(ui, report, (more?.abuseReports.totalCount ?? 0) > 1)}
${consequences(ui, report)}`
    : notice(ui, { kind: 'info', text: t('moderation.about-you-text') })
}
${reportHistory(ui, report, search)}
</div>
<aside aria-label="${t('addon.facts')}">${facts(ui, { isNarrow: true, items: reportFacts(ui, report, query.after === null) })}</aside>
</div>`,
    };
  },
});

/** The filter of the inbox for reports about the same target. */
function sameTarget({ addon, rating, collection, user }: PageReport): AbuseReportFilter {
  if (addon !== null) return { addon: { guid: addon.guid } };
  if (rating !== null) return { rating: globalId('Rating', rating.databaseId) };
  if (collection?.databaseId != null) return { collection: globalId('Collection', collection.databaseId) };
  return { account: { databaseId: user?.databaseId ?? 0 } };
}

/** What follows the message of a form: the decision that was made, or what has become of the target, with the ways on. */
function afterDone(
  ui: Ui,
  report: PageReport,
  { decided, search, ways }: { decided: PageReport['state'] | null; search: URLSearchParams; ways: Html },
): AfterDone {
  const isDecision = search.get('done')?.startsWith('moderation-decide') || decided !== null;
  const isOpen = report.state === 'OPEN';
  const again = ui.t(isOpen ? 'moderation.still-open' : 'moderation.change-decision');
  const decide = isReportDecidable(report) && isDecision !== isOpen && html`<a href="#decision">${again}</a>`;
  return {
    text: isDecision ? decisionResult(ui, report, decided ?? report.state) : targetResult(ui, report),
    actions: html`${isDecision && toConsequences(ui, report)} ${ways} ${decide} ${ownDecisions(ui)}`,
  };
}

/** A link to the reports that the viewer has decided about. */
const ownDecisions = ({ t, viewer }: Ui): Html =>
  html`<a href="${decidedByUrl(viewer?.username ?? '')}">${t('moderation.decided-by-me')}</a>`;

/** Links to the oldest other open report, and to all of them. */
function otherReports(ui: Ui, next: NextReport | undefined, target: string | null): Html {
  return html`${
    next &&
    html`<a href="${reportUrl(next.databaseId, target)}">${ui.t('moderation.next', { name: reportTitle(ui, next) })}</a>`
  } <a href="${inboxUrl(target)}">${ui.t('moderation.open-reports')}</a>`;
}

export const decideForm = form({
  page: reportPage,
  name: 'moderation-decide',
  fields: {
    id: textField,
    // Without a choice, an open report stays open.
    state: choice(...STATES, ''),
    note: textField,
    'reply.text': textField,
    'expected.state': choice(...STATES),
    'expected.reply.replyCount': integerField,
  },
  document: ModerationDecideDocument,
  variables: ({ id, state, note, 'reply.text': text, ...expected }) => {
    const read = expected['expected.state'];
    if ((state || 'OPEN') === read && note === '' && text === '')
      throw refusedField('state', message('abuse.nothing_decided'));
    return {
      ...{ id, state: state || 'OPEN' },
      // Without a new note, the present one stays.
      note: note || null,
      expected: { state: read },
      reply: text === '' ? null : { text, replyCount: expected['expected.reply.replyCount'] },
    };
  },
  done: (_result, { path, search }, values) => {
    const decided = changedQuery(search, { decided: (values.state || 'OPEN').toLowerCase() });
    return doneAt(`${reportUrl(Number(path.id))}${decided}`, doneCode(values));
  },
});

/** The message about a decision, about a report that becomes open again, or about a note or reply that leaves the decision as it is. */
function doneCode(values: { state: string; 'expected.state': string; 'reply.text': string }): string {
  const state = values.state || 'OPEN';
  const hasReply = values['reply.text'] !== '';
  if (state === 'OPEN') {
    const code = values['expected.state'] === 'OPEN' ? 'moderation-open' : 'moderation-reopen';
    return hasReply ? `${code}-reply` : code;
  }
  if (state === values['expected.state']) return hasReply ? 'moderation-note-reply' : 'moderation-note';
  return hasReply ? 'moderation-reply' : 'moderation-decide';
}

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

export const reportedRatingForm = form({
  page: reportPage,
  name: 'moderation-rating',
  fields: { rating: textField, decision: choice(...RATING_DECISIONS), note: optionalText, openFlags: integerField },
  document: PageDecideRatingDocument,
  variables: ({ rating: id, ...made }) => ({ input: { id, ...made } }),
  done: (_result, { path, search }, values) => {
    const report = `${reportUrl(Number(path.id))}${changedQuery(search, { decided: null })}`;
    return doneAt(report, RATING_DECIDED[values.decision]);
  },
});
