import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import { ReviewerQueueDocument, type ReviewerQueueQuery } from '../../generated/operations/graphql.ts';
import { enumValues, label, word } from '../../http/params.ts';
import { ADDON_TYPES, CHANNELS } from '../../package/enums.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { cursorPager } from '../components/cursor-pager.ts';
import { dataTable } from '../components/data-table.ts';
import { filterList } from '../components/filter-list.ts';
import { localText } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import { channelName } from '../hub/states.ts';
import { page } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

type Queue = ReviewerQueueQuery['reviewQueue'];
type Item = Queue['nodes'][number];

/** Parts of the queue by the value of `state`. */
const STATES = {
  open: { isInformationRequested: false, isReferred: false },
  unclaimed: { isClaimed: false },
  claimed: { isClaimed: true },
  information: { isInformationRequested: true },
  referred: { isReferred: true },
} as const;
type State = keyof typeof STATES;

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;

/** The versions that the viewer may decide about, the oldest first. For reviewers. */
export const queuePage = page({
  path: '/reviewers/',
  visitor: 'account',
  query: {
    type: word('Type of the add-on.', enumValues(ADDON_TYPES)),
    channel: word('Channel of the version.', enumValues(CHANNELS)),
    state: word<State>('Part of the queue.', enumNames(STATES)),
    after: label('Cursor of the last entry of the page before.'),
  },
  document: ReviewerQueueDocument,
  variables: ({ query: { type, channel, state, after } }) => ({
    filter: {
      ...(type === null ? {} : { types: [type] }),
      ...(channel === null ? {} : { channel }),
      ...(state === null ? {} : STATES[state]),
    },
    after,
  }),
  view: ({ reviewQueue: queue }, { query, search, viewer }, ui) => {
    if (viewer?.isReviewer !== true) throw new NotPermittedError();
    const { t } = ui;
    const next = queue.pageInfo.hasNextPage ? changedQuery(search, { after: queue.pageInfo.endCursor ?? '' }) : null;
    return {
      title: t('review.title'),
      robots: 'noindex' as const,
      section: 'reviewers' as const,
      main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: t('review.title') }])}
<h1>${t('review.title')}</h1>
<p>${t('review.sum', { count: queue.totalCount })}</p>
<div class="columns side-first"><div>${filters(ui, search)}</div>
<div>${queue.nodes.length === 0 ? html`<p>${t('review.none')}</p>` : table(ui, queue.nodes)}
${cursorPager(ui, {
  firstHref: query.after === null ? null : `/reviewers/${changedQuery(search, { after: null })}`,
  nextHref: next && `/reviewers/${next}`,
})}</div></div>`,
    };
  },
});

/** The path of the page about a version of an add-on for its reviewers. */
export function reviewHref({ slug, databaseId }: { slug: string | null; databaseId: number }, version: string): string {
  const ref = encodeURIComponent(slug ?? String(databaseId));
  return `/reviewers/review/${ref}/?${new URLSearchParams({ version })}`;
}

function enumNames<Name extends string>(table: Readonly<Record<Name, unknown>>): Record<Name, Name> {
  return Object.fromEntries(Object.keys(table).map((name) => [name, name])) as Record<Name, Name>;
}

/** Links that choose a part of the queue; a chosen one removes its condition. */
function filters(ui: Ui, search: URLSearchParams): Html {
  const item = (name: string, value: string, text: Html) => {
    const isCurrent = search.get(name) === value;
    const href = `/reviewers/${changedQuery(search, { [name]: isCurrent ? null : value, after: null })}`;
    return { text, href, count: null, isCurrent };
  };
  const { t } = ui;
  return filterList(ui, [
    {
      title: t('review.filter.state'),
      items: Object.keys(STATES).map((each) => item('state', each, t(`review.state.${each}` as TextKey))),
    },
    { title: t('review.channel'), items: CHANNELS.map((each) => item('channel', each, channelName(ui, each))) },
    {
      title: t('review.type'),
      items: ADDON_TYPES.map((each) => item('type', each, t(`catalogue.type.${each.toUpperCase()}` as TextKey))),
    },
  ]);
}

function table(ui: Ui, items: readonly Item[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'queue',
    caption: t('review.title'),
    isCaptionHidden: true,
    columns: ['addon', 'type', 'channel', 'waiting', 'state'].map((name) => ({ text: t(`review.${name}` as TextKey) })),
    rows: items.map((item) => [
      addonCell(ui, item),
      t(`catalogue.type.${item.addon.type}`),
      channelName(ui, item.version.channel),
      waiting(ui, item),
      html`${states(ui, item)}`,
    ]),
  });
}

const addonCell = (ui: Ui, { addon, version }: Item): Html =>
  html`<a href="${reviewHref(addon, version.version)}">${addon.name?.value ? localText(ui, addon.name) : html`<bdi dir="ltr">${addon.guid}</bdi>`} <bdi dir="ltr">${version.version}</bdi></a>${
    addon.authors.length > 0 &&
    html` <span class="muted">${addon.authors.map(({ name }, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)}</span>`
  }`;

/** In hours for the first two days, in days from then on. */
function waiting(ui: Ui, { waitingSince }: Item): Html {
  const hours = Math.max(0, Math.floor((Date.now() - Date.parse(waitingSince)) / HOUR_MS));
  const text =
    hours < 2 * HOURS_A_DAY
      ? ui.t('review.hours', { count: hours })
      : ui.t('review.days', { count: Math.floor(hours / HOURS_A_DAY) });
  return html`<time datetime="${waitingSince}">${text}</time>`;
}

const states = (ui: Ui, { claimedBy, isInformationRequested, isReferred }: Item): Html[] => [
  ...(claimedBy === null
    ? []
    : [badge(ui, { kind: 'info', text: ui.t('review.claimed-by', { name: html`<bdi>${claimedBy.name}</bdi>` }) })]),
  ...(isInformationRequested ? [badge(ui, { kind: 'warning', text: ui.t('review.state.information') })] : []),
  ...(isReferred ? [badge(ui, { kind: 'plain', text: ui.t('review.state.referred') })] : []),
];
