import { html } from 'hono/html';
import { RatingsInboxDocument, type RatingsInboxQuery } from '../../generated/operations/graphql.ts';
import { addonNameHtml } from '../catalogue/addon-head.ts';
import * as params from '../catalogue/params.ts';
import { ratingPath } from '../catalogue/reviews.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { pager } from '../components/pager.ts';
import { stars } from '../components/stars.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';

type Rating = RatingsInboxQuery['ratingsToModerate']['nodes'][number];

const PATH = '/moderation/ratings/';
const PAGE_SIZE = 50;

/** Characters of a text in the list. */
const EXCERPT = 120;

/** Ratings and replies that are flagged or on hold, newest first. For moderators. */
export const ratingsInboxPage = page({
  path: PATH,
  visitor: 'account',
  query: { page: params.pageNumber },
  document: RatingsInboxDocument,
  variables: ({ query }) => ({ page: query.page, pageSize: PAGE_SIZE }),
  view: ({ ratingsToModerate: { totalCount, nodes } }, { query }, ui) => {
    const { t } = ui;
    return {
      title: t('moderation.ratings'),
      robots: 'noindex' as const,
      section: 'moderation' as const,
      main: html`${breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: t('moderation.title'), href: '/moderation/' },
        { text: t('moderation.ratings') },
      ])}
<h1>${t('moderation.ratings')}</h1>
<p>${t('moderation.ratings.sum', { count: totalCount })}</p>
${nodes.length > 0 && table(ui, nodes)}
${pager(ui, {
  page: query.page,
  pageCount: Math.max(1, Math.ceil(totalCount / PAGE_SIZE)),
  hrefOf: (number) => (number === 1 ? PATH : `${PATH}?page=${number}`),
})}`,
    };
  },
});

function reasons(ui: Ui, { isOnHold, flagCounts }: Rating): Html {
  const flags = (flagCounts ?? []).map(({ reason, count }) =>
    badge(ui, { text: html`${ui.t(`reviews.flag.${reason}`)} ${ui.format.number(count)}` }),
  );
  return html`<div class="cluster">${isOnHold && badge(ui, { kind: 'warning', text: ui.t('reviews.on-hold') })}${flags}</div>`;
}

function table(ui: Ui, ratings: readonly Rating[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'ratings',
    caption: t('moderation.ratings'),
    isCaptionHidden: true,
    columns: [
      t('addon.tab.ratings'),
      t('moderation.column.about'),
      t('moderation.ratings.why'),
      t('moderation.ratings.written'),
    ].map((text) => ({ text })),
    rows: ratings.map((rating) => {
      const { addon, databaseId, score, body, created, user } = rating;
      // Authors do not decide about ratings of their add-ons.
      const place = rating.viewerRights.includes('DECIDE') ? '#decide-title' : '';
      const text = body === null ? t('reviews.without-text') : html`<span dir="auto">${body.slice(0, EXCERPT)}</span>`;
      return [
        html`${score !== null && stars(ui, score)} <a href="${ratingPath(databaseId)}${place}">${text}</a> <span class="muted"><bdi>${user.name}</bdi></span>`,
        addonNameHtml(ui, addon),
        reasons(ui, rating),
        day(ui, created),
      ];
    }),
  });
}
