import { html } from 'hono/html';
import {
  ReviewClaimDocument,
  ReviewerQueueDocument,
  type ReviewerQueueQuery,
} from '../../generated/operations/graphql.ts';
import { enumValues, oneOf, type ParamValues, segment, text, word } from '../../http/params.ts';
import { ADDON_TYPES, CHANNELS } from '../../package/enums.ts';
import { reviewPath } from '../catalogue/addon-head.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { localText } from '../components/local-text.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { shortcuts } from '../components/shortcuts.ts';
import { tabs } from '../components/tabs.ts';
import { checkbox, textField } from '../fields.ts';
import { type FormRow, form } from '../form.ts';
import type { Html } from '../html.ts';
import { channelName } from '../hub/states.ts';
import { type Content, type PageRow, page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import {
  afterDecision,
  ageOf,
  authorNames,
  canClaim,
  claimBadge,
  claimButton,
  HOURS_A_DAY,
  isAfterDecision,
  otherPages,
  requireQueue,
} from './frame.ts';

type Read = ReviewerQueueQuery;
type Item = Read['reviewQueue']['nodes'][number];
type Part = Read['reviewQueueParts'][number]['part'];

/** Parts of the queue by their name in addresses. */
const PARTS = {
  listed: 'LISTED',
  unlisted: 'UNLISTED',
  themes: 'THEMES',
  information: 'INFORMATION_REQUESTED',
  super: 'REFERRED',
} as const satisfies Record<string, Part>;
type PartName = keyof typeof PARTS;

const CLAIMED = {
  me: { isClaimedByViewer: true },
  yes: { isClaimed: true },
  no: { isClaimed: false },
} as const;
const AGES = ['1', '3', '7', '14', '30'] as const;
const SORTS = { oldest: 'OLDEST', newest: 'NEWEST', users: 'USERS' } as const;

const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const QUERY = {
  type: word('Type of the add-on.', enumValues(ADDON_TYPES)),
  channel: word('Channel of the version.', enumValues(CHANNELS)),
  claimed: oneOf('Claims of the viewer, of any reviewer, or none.', keysOf(CLAIMED)),
  age: oneOf('Days that a version has waited at least.', AGES),
  author: text('Username of an author.'),
  first: oneOf('Whether no version of the add-on was approved before.', ['1']),
  sort: oneOf('Order.', keysOf(SORTS)),
  ...AFTER,
};
type Query = ParamValues<typeof QUERY>;

/** Variables of the operation. */
function variablesOf(part: PartName | null, query: Query) {
  const { type, channel, claimed, age, author, first, sort, after } = query;
  const chosen = {
    ...(type && { types: [type] }),
    ...(channel && { channel }),
    ...(claimed && CLAIMED[claimed]),
    ...(age && { olderThanHours: Number(age) * HOURS_A_DAY }),
    ...(author && { author: { username: author } }),
    ...(first && { isFirstVersion: true }),
  };
  return {
    filter: { ...chosen, ...(part && { part: PARTS[part] }) },
    ...{ sort: SORTS[sort ?? 'oldest'], after },
    // Without a filter, the numbers of the parts say how many versions wait.
    isFiltered: Object.keys(chosen).length > 0,
  };
}

/** What a list of the queue shows: its part, or all parts for null. */
interface Shown {
  part: PartName | null;
  query: Query;
  search: URLSearchParams;
}

/** The versions that the viewer may decide about, the oldest first. */
export const queuePage = page({
  ...{ path: '/reviewers/', visitor: 'account', query: QUERY },
  document: ReviewerQueueDocument,
  variables: ({ query }) => variablesOf(null, query),
  view: (read, { query, search }, ui) => view(ui, read, { part: null, query, search }),
});

/** The same of one part of the queue. */
export const queuePartPage = page({
  ...{ path: '/reviewers/queue/:part/', visitor: 'account', query: QUERY },
  params: { part: segment('Part of the queue.') },
  document: ReviewerQueueDocument,
  variables: ({ path, query }) => variablesOf(partOf(path), query),
  view: (read, { path, query, search }, ui) => {
    const part = partOf(path);
    return part && view(ui, read, { part, query, search });
  },
});

const partOf = ({ part }: { part: string }): PartName | null => keysOf(PARTS).find((name) => name === part) ?? null;

/** Claims a version, or ends a claim, in the list. */
const claimFormOf = (page: PageRow): FormRow =>
  form({
    ...{ page, name: 'queue-claim', fields: { id: textField, release: checkbox } },
    document: ReviewClaimDocument,
    variables: (values) => values,
  });
export const [queueClaimForm, queuePartClaimForm] = [claimFormOf(queuePage), claimFormOf(queuePartPage)];

const pathOfPart = (part: PartName | null) => (part === null ? '/reviewers/' : `/reviewers/queue/${part}/`);

function view(ui: Ui, read: Read, shown: Shown): Content {
  requireQueue(ui);
  const { reviewQueue: queue } = read;
  const { part, search } = shown;
  const { t } = ui;
  const title = part === null ? t('review.title') : t(`review.part.${part}`);
  return {
    ...{ title, robots: 'noindex', section: 'reviewers' },
    ...(isAfterDecision(search) && { afterDone: afterDecision(ui) }),
    main: html`${breadcrumbs(ui, [
      { text: t('catalogue.home'), href: '/' },
      ...(part === null ? [] : [{ text: t('review.title'), href: '/reviewers/' }]),
      { text: title },
    ])}
<div class="cluster"><h1>${title}</h1>
${shortcuts(ui, { isQueue: true })}</div>
${partTabs(ui, read, part)}
<p>${t('review.sum', { count: queue.totalCount ?? waitingIn(read, part) })} ${oldest(ui, read, part)}</p>
<div class="columns side-first"><div>${filters(ui, shown)}${otherPages(ui)}</div>
<div>${authorChip(ui, shown)}${queue.nodes.length === 0 ? html`<p>${t('review.none')}</p>` : table(ui, queue.nodes)}
${cursorPager(ui, { search, pageInfo: queue.pageInfo })}
${ui.viewer?.isReviewer === true && queue.nodes.length > 0 && html`<p class="muted small">${t('review.claim-hint')}</p>`}</div></div>`,
  };
}

/** Number of versions in the part that the viewer reviews. */
const waitingIn = ({ reviewQueueParts: parts }: Read, shown: PartName | null): number =>
  parts.reduce((sum, { part, count }) => (shown === null || part === PARTS[shown] ? sum + count : sum), 0);

/** Links to the parts that the viewer reviews, with their numbers. */
function partTabs(ui: Ui, read: Read, current: PartName | null): Html {
  const { reviewQueueParts: parts } = read;
  const items = keysOf(PARTS).flatMap((name) => {
    const found = parts.find(({ part }) => part === PARTS[name]);
    if (found === undefined) return [];
    const text = ui.t(`review.part.${name}`);
    return [{ text, href: pathOfPart(name), isCurrent: name === current, count: found.count }];
  });
  const count = waitingIn(read, null);
  const all = { text: ui.t('review.part.all'), href: pathOfPart(null), isCurrent: current === null, count };
  return tabs(ui, { label: ui.t('review.parts'), items: [all, ...items] });
}

/** How long the oldest version of the part has waited. */
function oldest(ui: Ui, { reviewQueueParts: parts }: Read, current: PartName | null): Html {
  const dates = parts.flatMap(({ part, oldest }) =>
    oldest !== null && (current === null || part === PARTS[current]) ? [oldest] : [],
  );
  const [first] = dates.sort((one, other) => Date.parse(one) - Date.parse(other));
  return first === undefined
    ? html``
    : html`<span class="muted">${ui.t('review.oldest', { age: ageOf(ui, first) })}</span>`;
}

/** The path of the page about a version of an add-on for its reviewers. */
export const reviewHref = (addon: Parameters<typeof reviewPath>[0], version: string): string =>
  `${reviewPath(addon)}?${new URLSearchParams({ version })}`;

/** Links that choose entries and their order; a chosen one removes its condition. */
function filters(ui: Ui, { part, search }: Shown): Html {
  const item = (name: string, value: string, text: Html) => {
    const isCurrent = search.get(name) === value;
    const href = `${pathOfPart(part)}${changedQuery(search, { [name]: isCurrent ? null : value })}`;
    return { text, href, count: null, isCurrent };
  };
  const { t } = ui;
  const hasTypes = part !== 'unlisted';
  const hasChannels = part === null || part === 'information' || part === 'super';
  return filterList(ui, [
    {
      title: t('review.filter.claims'),
      items: keysOf(CLAIMED).map((each) => item('claimed', each, t(`review.claimed.${each}`))),
    },
    {
      title: t('review.waiting'),
      items: AGES.map((each) => item('age', each, t('review.age', { count: Number(each) }))),
    },
    { title: t('review.addon'), items: [item('first', '1', t('review.first'))] },
    {
      title: t('review.filter.sort'),
      items: keysOf(SORTS).map((each) => item('sort', each, t(`review.sort.${each}`))),
    },
    {
      title: t('review.channel'),
      items: hasChannels ? CHANNELS.map((each) => item('channel', each, channelName(ui, each))) : [],
    },
    {
      title: t('review.type'),
      items: hasTypes
        ? ADDON_TYPES.map((each) => item('type', each, t(`catalogue.type.${each.toUpperCase()}` as PageTextKey)))
        : [],
    },
  ]);
}

/** The author whose versions are shown. */
function authorChip(ui: Ui, { part, query: { author }, search }: Shown): Html {
  if (!author) return html``;
  const href = `${pathOfPart(part)}${changedQuery(search, { author: null })}`;
  const text = ui.t('review.by', { name: html`<bdi>${author}</bdi>` });
  return filterChips(ui, { items: [{ text, href }], clearHref: href });
}

function table(ui: Ui, items: readonly Item[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'queue',
    caption: t('review.title'),
    isCaptionHidden: true,
    columns: [
      'review.addon',
      'review.type',
      'review.channel',
      { number: 'review.users' },
      'review.waiting',
      'review.state',
      'review.claim',
    ],
    rows: items.map((item) => [
      html`${addonLink(ui, item)}${authorLine(ui, item)}`,
      t(`review.type.${item.addon.type}`),
      channelName(ui, item.version.channel),
      ui.format.number(item.addon.averageDailyUsers),
      ageOf(ui, item.waitingSince),
      html`${states(ui, item)}`,
      rowClaim(ui, item),
    ]),
  });
}

const addonLink = (ui: Ui, { addon, version }: Item): Html =>
  html`<a href="${reviewHref(addon, version.version)}">${addon.name?.value ? localText(ui, addon.name) : html`<bdi dir="ltr">${addon.guid}</bdi>`} <bdi dir="ltr">${version.version}</bdi></a>`;

/** The authors, and how their earlier versions were decided about. */
const authorLine = (ui: Ui, { addon: { authors }, authorDecisions: { approvedCount, rejectedCount } }: Item): Html => {
  const { t } = ui;
  const earlier =
    approvedCount + rejectedCount === 0
      ? t('review.no-decisions')
      : html`${t('review.approvals', { count: approvedCount })} · ${t('review.rejections', { count: rejectedCount })}`;
  return html`<div class="small muted">${authors.length > 0 && html`${t('review.by', { name: authorNames(ui, authors) })} · `}${earlier}</div>`;
};

const states = (ui: Ui, item: Item): Html[] => [
  badge(ui, { kind: 'plain', text: newness(ui, item) }),
  ...(item.claimedBy === null ? [] : [claimBadge(ui, item.claimedBy)]),
  ...(item.isInformationRequested ? [badge(ui, { kind: 'plain', text: ui.t('review.asked') })] : []),
  ...(item.isInformationGiven ? [badge(ui, { kind: 'warning', text: ui.t('review.answered') })] : []),
  ...(item.isReferred ? [badge(ui, { kind: 'plain', text: ui.t('review.state.referred') })] : []),
];

/** What the version follows: a public one of its channel, one of another channel, or none. */
function newness({ t }: Ui, { base, isFirstVersion }: Item): Html {
  if (base !== null) return t('review.update-of', { version: html`<bdi dir="ltr">${base.version}</bdi>` });
  return t(isFirstVersion ? 'review.first' : 'review.first-of-channel');
}

/** Only the reviewers of a referred version claim it, not those who decide about it. */
function rowClaim(ui: Ui, { version: { id, version, reviewActs }, addon, claimedBy }: Item): Html {
  if (!canClaim(reviewActs)) return html``;
  const what = html`<span class="visually-hidden"> ${addon.name?.value ?? addon.guid} ${version}</span>`;
  return claimButton(ui, { name: 'queue-claim', id, what, claimedBy });
}
