import { html } from 'hono/html';
import { ReportStatusPageDocument, type ReportStatusPageQuery } from '../../generated/operations/graphql.ts';
import { labelParam, recordId } from '../../http/params.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addonNameHtml } from './addon-head.ts';
import { ratingPath } from './reviews.ts';

/** The state of a report for its reporter: the account that has sent it, or who has the address with its key. */
export const reportStatusPage = page({
  path: '/report/:number/',
  visitor: 'all',
  params: { number: recordId('Number of the report.') },
  query: { key: labelParam('Key of the report.') },
  document: ReportStatusPageDocument,
  variables: ({ path, query }) => ({ ...path, ...query }),
  view: ({ abuseReportStatus: report }, _input, ui) => {
    if (report == null) return null;
    const { t } = ui;
    const { number, state, created, decided, isOwn } = report;
    const title = t('report.status-title', { number });
    const isOpen = state === 'OPEN';
    return {
      title,
      robots: 'noindex, nofollow',
      neverStored: true,
      main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: title }])}
<div class="prose"><h1>${title}</h1>
<p>${badge(ui, { kind: isOpen ? 'info' : 'plain', text: t(`report.state.${state}`) })}</p>
<p>${t(`report.state-text.${state}`)}</p>
${facts(ui, {
  items: [
    { term: t('report.number'), value: html`<bdi dir="ltr">${number}</bdi>` },
    { term: t('report.about'), value: targetOf(ui, report) },
    { term: t('report.sent'), value: moment(ui, created) },
    { term: t('report.decided'), value: decided == null ? null : moment(ui, decided) },
  ],
})}
<h2>${t('report.next')}</h2>
${isOpen && html`<p>${t('report.next-text')}</p>`}
<p>${t(isOwn ? 'report.next-mail' : 'report.next-anonymous')}</p></div>`,
    };
  },
});

type Status = NonNullable<ReportStatusPageQuery['abuseReportStatus']>;

/** What the report is about; null once it has no name. A rating that others do not see any more is named by its writer. */
function targetOf(ui: Ui, { addonGuid, collectionPath, rating, user }: Status): Html | null {
  const name = addonGuid ?? collectionPath ?? user?.name ?? null;
  if (rating?.rating) {
    const { addon, isReply } = rating.rating;
    const key = isReply ? 'report.reply' : 'reviews.one';
    return html`<a href="${ratingPath(rating.databaseId)}">${ui.t(key, { name: addonNameHtml(ui, addon) })}</a>`;
  }
  const shown = html`<bdi>${name}</bdi>`;
  if (rating !== null) return ui.t('report.rating-by', { name: shown });
  return name === null ? null : shown;
}
