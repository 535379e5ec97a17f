import { html } from 'hono/html';
import {
  ReviewClaimDocument,
  ReviewerQueueDocument,
  type ReviewerQueueQuery,
} from '../../generated/operations/graphql.ts';
import { enumValues, oneOf, type ParamValues, segmentParam, textParam, wordParam } from '../../http/params.ts';
import { ADDON_TYPES, CHANNELS } from '../../package/enums.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { nextLink } from '../components/shortcuts.ts';
import { tabs } from '../components/tabs.ts';
import { checkbox, textField } from '../fields.ts';
import { type FormRow, form } from '../form.ts';
import type { Html } from '../html.ts';
import { channelName } from '../hub/states.ts';
import { type PageContent, type PageRow, page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { queueTable } from './queue-table.ts';
import { afterDecision, ageOf, HOURS_A_DAY, isAfterDecision, otherPages, requireQueue } from './reviewer-page.ts';

type Read = ReviewerQueueQuery;
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
  type: wordParam('Type of the add-on.', enumValues(ADDON_TYPES)),
  channel: wordParam('Channel of the version.', enumValues(CHANNELS)),
  claimed: oneOf('Claims of the viewer, of any reviewer, or none.', keysOf(CLAIMED)),
  age: oneOf('Days that a version has waited at least.', AGES),
  author: textParam('Username of an author.'),
  first: oneOf('Whether no version of the add-on was approved before.', ['1']),
  sort: oneOf('Order.', keysOf(SORTS)),
  ...CURSOR_PARAM,
};
type Query = ParamValues<typeof QUERY>;

interface Requested {
  query: Query;
  search: URLSearchParams;
  viewer: Ui['viewer'];
}

/** Variables of the operation. */
function variablesOf(part: PartName | null, { query, search, viewer }: Requested) {
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
    filter: { ...chosen, ...(part === null ? { isAwaitingDecision: true } : { part: PARTS[part] }) },
    ...{ sort: SORTS[sort ?? 'oldest'], after },
    // Without a filter, the numbers of the parts say how many versions wait.
    isFiltered: Object.keys(chosen).length > 0,
    isAfterDecision: isAfterDecision(search),
    isReviewer: viewer?.isReviewer === true,
  };
}

/** What a list of the queue shows: its part, or for null what waits for a decision of the viewer. */
interface Shown {
  part: PartName | null;
  query: Query;
  search: URLSearchParams;
}

/** The versions that wait for a decision of the viewer, the oldest first. */
export const queuePage = page({
  ...{ path: '/reviewers/', visitor: 'account', query: QUERY },
  document: ReviewerQueueDocument,
  variables: (input) => variablesOf(null, input),
  view: (read, { query, search }, ui) => view(ui, read, { part: null, query, search }),
});

/** The same of one part of the queue. */
export const queuePartPage = page({
  ...{ path: '/reviewers/queue/:part/', visitor: 'account', query: QUERY },
  params: { part: segmentParam('Part of the queue.') },
  document: ReviewerQueueDocument,
  variables: (input) => variablesOf(partOf(input.path), input),
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

function view(ui: Ui, read: Read, shown: Shown): PageContent {
  requireQueue(ui);
  const { reviewQueue: queue } = read;
  const { part, search } = shown;
  const { t } = ui;
  const title = part === null ? t('review.title') : t(`review.part.${part}`);
  return {
    ...{ title, robots: 'noindex', section: 'reviewers' },
    ...(isAfterDecision(search) && { afterDone: afterDecision(ui, read.available) }),
    main: html`${breadcrumbs(ui, [
      { text: t('catalogue.home'), href: '/' },
      ...(part === null ? [] : [{ text: t('review.title'), href: '/reviewers/' }]),
      { text: title },
    ])}
<div class="cluster"><h1>${title}</h1>
${nextLink(ui)}
${otherPages(ui, read)}</div>
${partTabs(ui, read, part)}
<div class="columns side-first"><div class="list-tools"><p>${t('review.sum', { count: queue.totalCount ?? waitingIn(read, part) })} ${oldest(ui, read, part)}</p>
${filters(ui, shown)}</div>
<div>${authorChip(ui, shown)}${queue.nodes.length === 0 ? html`<p>${t('review.none')}</p>` : queueTable(ui, queue.nodes)}
${
  ui.viewer?.isReviewer === true &&
  queue.nodes.length > 0 &&
  html`<p class="muted small">${t('review.claim-hint')}</p>
`
}${cursorPager(ui, { search, pageInfo: queue.pageInfo })}</div></div>`,
  };
}

/** The parts of what is shown. */
const partsOf = ({ reviewQueueParts: parts }: Read, shown: PartName | null) =>
  parts.filter(({ part, isAwaitingDecision }) => (shown === null ? isAwaitingDecision : part === PARTS[shown]));

/** Number of versions in what is shown. */
const waitingIn = (read: Read, shown: PartName | null): number =>
  partsOf(read, shown).reduce((sum, { count }) => sum + count, 0);

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
function oldest(ui: Ui, read: Read, current: PartName | null): Html {
  const dates = partsOf(read, current).flatMap(({ oldest }) => oldest ?? []);
  const [first] = dates.sort((one, other) => Date.parse(one) - Date.parse(other));
  return first === undefined
    ? html``
    : html`<span class="muted">${ui.t('review.oldest', { age: ageOf(ui, first) })}</span>`;
}

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
