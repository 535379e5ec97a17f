import { html } from 'hono/html';
import { ReviewedAuthorPageDocument, type ReviewedAuthorPageQuery } from '../../generated/operations/graphql.ts';
import { segmentParam } from '../../http/params.ts';
import { reviewPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { decisionHistory, reviewedName } from './review-facts.ts';
import { reviewerPage } from './reviewer-page.ts';

type Author = NonNullable<ReviewedAuthorPageQuery['reviewedAuthor']>;
type Reviewed = Author['addons']['nodes'][number];

/** An author with add-ons, decisions and reports. For reviewers. */
export const authorPage = page({
  path: '/reviewers/author/:username/',
  visitor: 'account',
  params: { username: segmentParam('Username of the author.') },
  query: CURSOR_PARAM,
  document: ReviewedAuthorPageDocument,
  variables: ({ path: { username }, query: { after } }) => ({ by: { username }, after }),
  view: ({ reviewedAuthor: author }, { search }, ui) => {
    if (author === null) return null;
    const { t, format } = ui;
    const { name, username, url } = author.account;
    const { nodes, pageInfo } = author.addons;
    return reviewerPage(ui, {
      title: name,
      heading: html`<bdi>${name}</bdi>`,
      body: html`${facts(ui, {
        items: [
          {
            term: t('review.author.profile'),
            value:
              url === null
                ? html`<bdi dir="ltr">${username}</bdi>`
                : html`<a href="${pathOf(url)}"><bdi dir="ltr">${username}</bdi></a>`,
          },
          { term: t('review.author.reports'), value: format.number(author.reportCount) },
          {
            term: t('review.title'),
            value: html`<a href="/reviewers/?author=${encodeURIComponent(username)}">${t('review.author.waiting')}</a>`,
          },
        ],
      })}
<h2>${t('review.author.addons')}</h2>
${addonTable(ui, nodes)}
${cursorPager(ui, { search, pageInfo })}
${decisionHistory(ui, { id: 'earlier', title: t('review.author.decisions'), history: author.decisions })}`,
    });
  },
});

function addonTable(ui: Ui, addons: readonly Reviewed[]): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    id: 'addons',
    caption: t('review.author.addons'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      ...(['review.addon', 'review.type', 'review.state'] as const),
      { number: 'review.users' },
      { number: 'review.author.versions-waiting' },
      { number: 'review.author.versions-rejected' },
      { number: 'review.reports' },
    ],
    rows: addons.map(({ addon, waitingCount, rejectedCount, importedRejectionCount, reportCount }) => [
      html`<a href="${reviewPath(addon)}">${reviewedName(ui, addon)}</a>`,
      t(`catalogue.type.${addon.type}`),
      html`${t(`review.status.${addon.status}`)}${addon.type === 'PERSONA' && remark(t('review.author.as-a-whole'))}`,
      format.number(addon.averageDailyUsers),
      format.number(waitingCount),
      html`${format.number(rejectedCount)}${importedRejectionCount > 0 && remark(t('review.author.imported', { count: importedRejectionCount }))}`,
      format.number(reportCount),
    ]),
  });
}

const remark = (text: Html): Html => html`<div class="small muted">${text}</div>`;
