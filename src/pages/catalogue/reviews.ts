import { html } from 'hono/html';
import {
  RatingsPageDocument,
  type RatingsPageQuery,
  RatingsPageRevisionDocument,
} from '../../generated/operations/graphql.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonNameHtml, addonOfPath, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { headerRevision } from './addon-revision.ts';

type Ratings = NonNullable<RatingsPageQuery['addon']>['ratings'];

const BEST = 5;

/** The sums of the ratings of an add-on. The service has no texts of ratings. */
export const reviewsPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/reviews/',
  document: RatingsPageDocument,
  revision: {
    document: RatingsPageRevisionDocument,
    variables: addonOfPath,
    of: ({ addon }) => addon && headerRevision(addon),
  },
  view: ({ addon }, input, ui) => {
    if (addon === null) return null;
    const { t } = ui;
    return (
      toCanonical(addon, input, 'reviews/') ?? {
        title: t('reviews.title', { name: addonName(addon) }),
        canonical: addonPath(addon, 'reviews/'),
        main: html`${addonHeader(ui, addon, { current: 'ratings', title: t('addon.tab.ratings') })}
<div class="prose">
<h1>${t('reviews.title', { name: addonNameHtml(ui, addon) })}</h1>
${addon.ratings.count === 0 ? html`<p>${t('reviews.none')}</p>` : sums(ui, addon.ratings)}
${notice(ui, { kind: 'info', title: t('reviews.no-texts-title'), text: t('reviews.no-texts') })}
</div>`,
      }
    );
  },
});

function sums(ui: Ui, { count, textCount, average, bayesianAverage }: Ratings): Html {
  const { t, format } = ui;
  const score = (value: number) => format.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  return html`${facts(ui, {
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
<h2>${t('reviews.why-weighted')}</h2>
<p>${t('reviews.weighted-text')}</p>`;
}
