import { html } from 'hono/html';
import {
  HubPageDocument,
  type HubPageQuery,
  ReviewTimesDocument,
  type ReviewTimesQuery,
} from '../../generated/operations/graphql.ts';
import { orNull, wordParam } from '../../http/params.ts';
import { queryString } from '../catalogue/addresses.ts';
import { pageNumber } from '../catalogue/params.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import { picture } from '../components/picture.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { type PageContent, page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { hubName, hubUrl } from './hub-addon.ts';
import {
  channelName,
  eventsOf,
  isBeingChecked,
  isMoving,
  REFRESH_SECONDS,
  signedFiles,
  stageBadge,
  stepButton,
  stepText,
} from './states.ts';
import { waitingUploads } from './waiting-uploads.ts';

/* What visitors who are not signed in read about the developer hub. */

type ReviewTimes = ReviewTimesQuery['reviewTimes'];

/** What one can do here, three steps, and how long reviews take. */
function landing(ui: Ui, times: ReviewTimes): PageContent {
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
const threeSteps = ({ t }: Ui, { isSignedIn }: { isSignedIn: boolean }): Html => html`<h2>${t('hub.start.title')}</h2>
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
  columns: ['hub.times.type', 'hub.times.median', { number: 'docs.review.decisions' }],
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

type Listed = HubPageQuery['developerAddons']['nodes'][number];

/** Number of add-ons of a page, as the operation has it. */
const PAGE_SIZE = 25;

const STATES = { action: 'ACTION', waiting: 'WAITING', done: 'DONE' } as const;
const SORTS = { updated: 'UPDATED', name: 'NAME', users: 'USERS' } as const;

const query = {
  state: orNull(wordParam('Who acts next.', STATES)),
  sort: orNull(wordParam('Order.', SORTS)),
  page: pageNumber,
};

const keyOf = <Value>(words: Readonly<Record<string, Value>>, value: Value | null): string | null =>
  Object.keys(words).find((key) => words[key] === value) ?? null;

/** The address of the hub with these parameters; defaults are left out. */
const hrefOf = (values: Readonly<Record<string, string | null>>): string => `/developers/${queryString(values)}`;

/** The developer hub: the add-ons of the viewer with what to do next. For visitors who are not signed in, what one can do here. */
export const hubRootPage = page({
  path: '/developers/',
  visitor: 'all',
  query,
  document: ReviewTimesDocument,
  variables: () => ({}),
  more: {
    document: HubPageDocument,
    variables: (_times, { viewer, query: { state, sort, page: number } }) =>
      viewer === null ? null : { state, sort, page: number },
  },
  view: ({ reviewTimes }, { query: chosen }, ui, own) => {
    if (own === null) return landing(ui, reviewTimes);
    const { viewer, developerAddons } = own;
    const { totalCount: count, nodes: results } = developerAddons;
    const { page: number } = chosen;
    const { t } = ui;
    const [state, sort] = [keyOf(STATES, chosen.state), keyOf(SORTS, chosen.sort)];
    const waiting = viewer?.uploads?.nodes ?? [];
    const isNew = count === 0 && state === null && number === 1;
    const moving = results.flatMap(({ channelStates }) => channelStates ?? []);
    const isAnyMoving =
      moving.some(({ stage }) => isMoving(stage)) || waiting.some(({ stage }) => isBeingChecked(stage));
    const list = html`${filters(ui, state, sort)}
${openQuestions(ui, results)}
${count === 0 ? html`<p>${t('hub.none-in-state')} <a href="/developers/">${t('hub.show-all')}</a></p>` : addonList(ui, results)}
${pager(ui, { page: number, pageCount: Math.ceil(count / PAGE_SIZE), hrefOf: (each) => hrefOf({ state, sort, page: each === 1 ? null : String(each) }) })}`;
    return {
      title: t('hub.title'),
      section: 'developers',
      scripts: ['live.js'],
      ...(isAnyMoving ? { refreshWithoutScripts: REFRESH_SECONDS } : {}),
      main: html`<h1>${t('hub.title')}</h1>
<p class="cluster"><a class="button primary" href="/developers/submit/">${t('hub.submit.title')}</a>
<a class="button" href="/developers/themes/new/">${t('hub.theme.title')}</a>
<a class="button" href="/developers/validate/">${t('hub.validate.title')}</a>
<a class="button" href="/account/keys/">${t('account.keys.title')}</a></p>
${waitingUploads(ui, waiting)}
${isNew ? threeSteps(ui, { isSignedIn: true }) : html`<div id="hub-addons" class="stack"${eventsOf(moving)}>${list}</div>`}`,
    };
  },
});

function filters(ui: Ui, state: string | null, sort: string | null): Html {
  const { t } = ui;
  const states = [null, ...Object.keys(STATES)];
  const sorts = [null, 'name', 'users'];
  return html`${tabs(ui, {
    label: t('hub.filter'),
    items: states.map((each) => ({
      text: t(`hub.state.${each ?? 'all'}` as PageTextKey),
      href: hrefOf({ state: each, sort }),
      isCurrent: each === state,
    })),
  })}
<nav class="sort-links" aria-label="${t('hub.sort')}"><span aria-hidden="true">${t('hub.sort')}</span><ul>
${sorts.map(
  (each) =>
    html`<li><a href="${hrefOf({ state, sort: each })}"${(each ?? 'updated') === (sort ?? 'updated') && html` aria-current="true"`}>${t(`hub.sort.${each ?? 'updated'}` as PageTextKey)}</a></li>
`,
)}</ul></nav>`;
}

/** The requests for information that wait for a reply. */
function openQuestions(ui: Ui, addons: readonly Listed[]): Html {
  const { t } = ui;
  const asked = addons.filter(({ openQuestions: questions }) => (questions ?? []).length > 0);
  if (asked.length === 0) return html``;
  return notice(ui, {
    kind: 'warning',
    title: t('hub.questions'),
    text: html`<ul>${asked.map(
      (addon) => html`<li>${hubName(ui, addon)}${(addon.openQuestions ?? []).map(
        ({ comments }) => html` <q dir="auto">${shortened(comments)}</q>`,
      )} <a href="${hubUrl(addon, 'activity')}">${t('hub.step-button.reply')}</a></li>
`,
    )}</ul>`,
  });
}

const MAX_QUOTE = 200;

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE).join('').trimEnd()}…` : text;
}

const addonList = (ui: Ui, addons: readonly Listed[]): Html => html`<ul class="hub-list">
${addons.map((addon) => addonItem(ui, addon))}</ul>`;

function addonItem(ui: Ui, addon: Listed): Html {
  const { nextStep } = addon;
  return html`<li class="hub-item">
<h2>${picture(ui, { url: addon.iconUrl, width: 32, height: 32, alt: '' })} <a href="${hubUrl(addon)}">${hubName(ui, addon)}</a></h2>
${channelList(ui, addon.channelStates ?? [])}
${
  nextStep != null &&
  html`<p class="hub-step"><span>${stepText(ui, nextStep)}</span> ${stepButton(ui, nextStep, nextStep.state === 'ACTION')}</p>`
}
</li>
`;
}

type ChannelState = Pick<
  NonNullable<Listed['channelStates']>[number],
  'channel' | 'version' | 'stage' | 'reason' | 'availableVersion' | 'available' | 'queuePlace'
>;

/** The newest version of each channel, and the one that users get. */
export function channelList(ui: Ui, channels: readonly ChannelState[]): Html {
  if (channels.length === 0) return html``;
  return html`<ul class="hub-channels">
${channels.map(
  ({
    channel,
    version,
    stage,
    reason,
    availableVersion,
    available,
    queuePlace,
  }) => html`<li>${channelName(ui, channel)}: <bdi dir="ltr">${version}</bdi> ${stageBadge(ui, stage)}${
    reason != null && reason !== '' && html` <span class="muted" dir="auto">${reason}</span>`
  }${
    availableVersion != null &&
    availableVersion !== version &&
    html` <span class="muted">${ui.t('hub.available', { version: html`<bdi dir="ltr">${availableVersion}</bdi>` })}</span>`
  }${queuePlace != null && html` <span class="muted">${ui.t('hub.queue-place', { place: queuePlace })}</span>`}${available != null && signedFiles(ui, available)}</li>
`,
)}</ul>`;
}
