/* What visitors who are not signed in read about the developer hub. */
import { html } from 'hono/html';
import type { ReviewTimesQuery } from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import type { Html } from '../html.ts';
import type { Content } from '../page.ts';
import type { Ui } from '../ui.ts';

type ReviewTimes = ReviewTimesQuery['reviewTimes'];

/** What one can do here, three steps, and how long reviews take. */
export function landing(ui: Ui, times: ReviewTimes): Content {
  const { t } = ui;
  const signIn = '/login/?next=%2Fdevelopers%2F';
  return {
    title: t('hub.landing.title'),
    description: String(t('hub.landing.lead')),
    canonical: '/developers/',
    section: 'developers',
    main: html`<h1>${t('hub.landing.title')}</h1>
<p class="prose">${t('hub.landing.lead')}</p>
<p class="cluster"><a class="button primary" href="${signIn}" rel="nofollow">${t('hub.landing.sign-in')}</a>
<a class="button" href="/docs/first-addon/">${t('docs.first.title')}</a></p>
<h2>${t('hub.landing.can')}</h2>
<ul class="prose">
<li><p><strong>${t('hub.channel.listed')}.</strong> ${t('hub.landing.listed')}</p></li>
<li><p><strong>${t('hub.channel.unlisted')}.</strong> ${t('hub.landing.unlisted')}</p></li>
<li><p><strong>${t('hub.validate.title')}.</strong> ${t('hub.landing.validate')}</p></li>
<li><p><strong>${t('hub.landing.api-title')}</strong> ${t('hub.landing.api')} <a href="/docs/">${t('docs.title')}</a></p></li>
</ul>
${threeSteps(ui, { isSignedIn: false })}
${reviewTimes(ui, times)}`,
  };
}

/** The three steps to a first add-on. */
export const threeSteps = (
  { t }: Ui,
  { isSignedIn }: { isSignedIn: boolean },
): Html => html`<h2>${t('hub.start.title')}</h2>
<ol class="prose">
<li><p><strong>${t('hub.start.pack')}</strong> ${t('hub.start.pack-how')} <a href="/docs/first-addon/">${t('docs.first.title')}</a></p></li>
<li><p><strong>${t('hub.start.send')}</strong> ${t('hub.start.send-how')}${isSignedIn && html` <a href="/developers/submit/">${t('hub.submit.title')}</a>`}</p></li>
<li><p><strong>${t('hub.start.listing')}</strong> ${t('hub.start.listing-how')}</p></li>
</ol>`;

/** How long reviews took in the last 30 days. */
function reviewTimes(ui: Ui, times: ReviewTimes): Html {
  const { t, format } = ui;
  const heading = html`<h2 id="review-times">${t('hub.times.title')}</h2>
<p>${t('hub.times.how')} <a href="/docs/review/">${t('hub.agreement.rules')}</a></p>`;
  if (times.length === 0) return html`${heading}<p>${t('hub.times.none')}</p>`;
  return html`${heading}
${dataTable(ui, {
  id: 'times',
  caption: t('hub.times.title'),
  isCaptionHidden: true,
  columns: [
    { text: t('hub.times.type') },
    { text: t('hub.times.median') },
    { text: t('docs.review.decisions'), kind: 'number' },
  ],
  rows: times.map(({ type, medianHours, count }) => [
    t(`catalogue.type.${type}`),
    duration(ui, medianHours),
    format.number(count),
  ]),
})}`;
}

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** A duration in its largest fitting unit: minutes, hours or days. */
function duration({ t }: Ui, hours: number): Html {
  if (hours < 1) return t('hub.times.minutes', { count: Math.max(1, Math.round(hours * HOUR_MINUTES)) });
  if (hours < 2 * DAY_HOURS) return t('hub.times.hours', { count: Math.round(hours) });
  return t('ui.days', { count: Math.round(hours / DAY_HOURS) });
}
