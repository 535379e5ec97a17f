import { html } from 'hono/html';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  PageCreateRatingDocument,
  RatingsPageDocument,
  type RatingsPageQuery,
  RatingsPageRevisionDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { enumValues, wordParam } from '../../http/params.ts';
import { facts } from '../components/facts.ts';
import { formElement } from '../components/form.ts';
import { pager } from '../components/pager.ts';
import { stars } from '../components/rating.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonNameHtml, addonOfPath, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader, headerRevision } from './addon-header.ts';
import { changedQuery } from './addresses.ts';
import * as params from './params.ts';
import { bodyField, RATING_SCORES, ratingArticle, scoreField } from './rating-parts.ts';

type Addon = NonNullable<RatingsPageQuery['addon']>;

const BEST = 5;
const PAGE_SIZE = 25;

const ANSWERS = enumValues(['yes', 'no'] as const);
const scores = Object.fromEntries(RATING_SCORES.map((score) => [score, score]));

/** The path of the page of one rating. */
export const ratingPath = (id: number): string => `/ratings/${id}/`;

/** The ratings of an add-on: sums, the newest one of each account, and the form of a visitor who may rate. */
export const reviewsPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/reviews/',
  query: {
    page: params.pageNumber,
    score: wordParam('Only ratings with this score.', scores),
    answered: wordParam('Only ratings with a reply, or without one.', ANSWERS),
  },
  document: RatingsPageDocument,
  variables: ({ path, query }) => ({
    by: addonReference(path.ref),
    ...{ page: query.page, pageSize: PAGE_SIZE },
    filter: {
      ...(query.score === null ? {} : { scores: [Number(query.score)] }),
      ...(query.answered === null ? {} : { isAnswered: query.answered === 'YES' }),
    },
  }),
  revision: {
    document: RatingsPageRevisionDocument,
    variables: addonOfPath,
    of: ({ addon }) => addon && JSON.stringify([headerRevision(addon), addon.ratingsRevision]),
  },
  view: ({ addon }, input, ui) => {
    if (addon === null) return null;
    const { t } = ui;
    const { query, search } = input;
    const { totalCount, nodes } = addon.userRatings;
    const pageCount = Math.max(1, Math.ceil(totalCount / PAGE_SIZE));
    const isFiltered = query.score !== null || query.answered !== null;
    const href = (changes: Record<string, string | null>) =>
      addonPath(addon, `reviews/${changedQuery(search, changes)}`);
    return (
      toCanonical(addon, input, 'reviews/') ?? {
        title: t('reviews.title', { name: addonName(addon) }),
        canonical: addonPath(addon, 'reviews/'),
        ...(query.page > pageCount ? { status: 404 } : {}),
        ...(query.page > pageCount || isFiltered ? { robots: 'noindex' as const } : {}),
        main: html`${addonHeader(ui, addon, { current: 'ratings', title: t('addon.tab.ratings') })}
<h1>${t('reviews.title', { name: addonNameHtml(ui, addon) })}</h1>
<div class="columns with-side">
<div>
${ownRating(ui, addon)}
<section aria-labelledby="ratings"><h2 id="ratings">${t('reviews.list')}</h2>
${addon.viewerRights.includes('REPLY_TO_RATINGS') && query.answered === null && html`<p><a href="${href({ answered: 'no' })}">${t('reviews.unanswered')}</a></p>`}
${ui.viewer?.isModerator && html`<p><a href="/moderation/ratings/?list=hidden&addon=${addon.slug ?? addon.databaseId}" rel="nofollow">${t('reviews.hidden-list')}</a></p>`}
${isFiltered && html`<p><a href="${href({ score: null, answered: null })}">${t('reviews.all')}</a></p>`}
${nodes.length === 0 && html`<p>${t(isFiltered ? 'reviews.none-match' : 'reviews.none-written')}</p>`}
${nodes.map((rating) => ratingArticle(ui, rating, ratingPath))}
${pager(ui, { page: query.page, pageCount, hrefOf: (number) => href({ page: number === 1 ? null : String(number) }) })}
</section>
</div>
<aside aria-label="${t('addon.facts')}">${addon.ratings.count === 0 ? html`<p>${t('reviews.none')}</p>` : sums(ui, addon)}
${distribution(ui, addon, (score) => href({ score }), query.score)}</aside>
</div>`,
      }
    );
  },
});

/** The form of a visitor who may rate the current version, the way to the own rating of it, or to the sign-in. */
function ownRating(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const { currentVersion, viewerRating, viewerRights } = addon;
  if (ui.viewer === null) {
    const next = encodeURIComponent(addonPath(addon, 'reviews/'));
    return html`<p><a class="button" href="/login/?next=${next}">${t('reviews.sign-in')}</a></p>`;
  }
  if (currentVersion === null || !viewerRights.includes('RATE')) return html``;
  if (viewerRating !== null && viewerRating.version?.number === currentVersion.version)
    return html`<p><a class="button" href="${ratingPath(viewerRating.databaseId)}#rating-edit">${t('reviews.edit-own')}</a></p>`;
  const version = currentVersion.version;
  return html`<section aria-labelledby="rate-title"><h2 id="rate-title">${t('reviews.form.title', { version: html`<bdi dir="ltr">${version}</bdi>` })}</h2>
${formElement(ui, {
  name: 'rate',
  hidden: { version },
  parts: [scoreField(ui), bodyField(ui, 'reviews.form.body')],
  submit: t('reviews.form.submit'),
})}</section>`;
}

export const rateForm = form({
  page: reviewsPage,
  name: 'rate',
  fields: { score: choice(...RATING_SCORES), body: optionalText, version: textField },
  document: PageCreateRatingDocument,
  variables: ({ score, body, version }, { path }) => ({
    input: { addon: addonReference(String(path.ref)), version: { number: version }, score: Number(score), body },
  }),
  done: ({ createRating }) => doneAt(ratingPath(payloadOf(createRating, 'rating').rating.databaseId), 'rate'),
});

/** How many ratings have each score, as links that choose one. */
function distribution(
  ui: Ui,
  { groupedRatings }: Addon,
  hrefOf: (score: string | null) => string,
  current: string | null,
): Html {
  const total = groupedRatings.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return html``;
  return html`<nav aria-label="${ui.t('reviews.by-score')}"><ul class="rating-scores">
${groupedRatings.toReversed().map(({ score, count }) => {
  const isCurrent = current === String(score);
  return html`<li><a href="${hrefOf(isCurrent ? null : String(score))}" rel="nofollow"${isCurrent && html` aria-current="true"`}>${stars(ui, score)}</a> <meter min="0" max="${total}" value="${count}" aria-hidden="true"></meter> <span>${ui.format.number(count)}</span></li>
`;
})}</ul></nav>`;
}

function sums(ui: Ui, { ratings: { count, textCount, average, bayesianAverage } }: Addon): Html {
  const { t, format } = ui;
  const score = (value: number) => format.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  return html`${facts(ui, {
    isNarrow: true,
    items: [
      {
        term: t('reviews.average'),
        value: html`${t('reviews.score', { score: score(average) })}<meter min="0" max="${BEST}" value="${average}" aria-label="${t('reviews.average')}">${score(average)}</meter>`,
      },
      { term: t('addon.tab.ratings'), value: format.number(count) },
      { term: t('reviews.with-text'), value: format.number(textCount) },
      { term: t('reviews.weighted'), value: t('reviews.score', { score: score(bayesianAverage) }) },
    ],
  })}
<details><summary>${t('reviews.why-weighted')}</summary><p>${t('reviews.weighted-text')}</p></details>`;
}
