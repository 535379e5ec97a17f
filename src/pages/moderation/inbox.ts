import { html } from 'hono/html';
import { ModerationInboxDocument, type ModerationInboxQuery } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { accountReference, addonReference, ratingId } from '../../graphql/references.ts';
import { enumValues, labelParam, oneOf, orNull, recordId, wordParam } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { findForm } from '../components/find-form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { floodLinks } from './ratings.ts';
import {
  aboutViewerBadge,
  decisionLine,
  moderationTabs,
  namedVersion,
  noReporter,
  RATINGS_PATH,
  REPORT_STATES,
  reasonHtml,
  reasonOf,
  reportAge,
  reportState,
  reportTitle,
  reportUrl,
  reportWords,
  TARGETS,
  targetBadge,
  targetKind,
  targetParam,
} from './report-labels.ts';

type Report = ModerationInboxQuery['abuseReports']['nodes'][number];

const PATH = '/moderation/';

type State = Uppercase<(typeof REPORT_STATES)[number]>;

/** Hours by the value of `age`. */
const AGES = { day: 24, week: 168, month: 720 } as const;
type Age = keyof typeof AGES;

const PAGE = 50;

/** Characters of a message in the list. */
const EXCERPT = 120;

const given = (text: string | null): string | null => text?.trim() || null;

/** Reports of abuse: open ones, the oldest first, or those of another state, the newest first. For moderators. */
export const inboxPage = page({
  path: PATH,
  visitor: 'account',
  query: {
    state: wordParam<State | 'ALL'>('Decision; open ones by default.', { ...enumValues(REPORT_STATES), all: 'ALL' }),
    target: targetParam,
    age: oneOf<Age>('Minimum age.', ['day', 'week', 'month']),
    addon: labelParam('Slug, id or guid of the add-on.'),
    user: labelParam('Username or id of the account.'),
    decidedBy: labelParam('Username or id of the moderator who decided.'),
    rating: orNull(recordId('Id of the rating.')),
    collection: orNull(recordId('Id of the collection.')),
    ...CURSOR_PARAM,
  },
  document: ModerationInboxDocument,
  variables: ({ query: { state, target, age, rating, collection, after, ...query } }) => {
    const [addon, user, decidedBy] = [given(query.addon), given(query.user), given(query.decidedBy)];
    const shown = shownState(state, decidedBy);
    return {
      filter: {
        ...(shown === 'ALL' ? {} : { state: shown }),
        ...(target === null ? {} : { target }),
        ...(age === null ? {} : { olderThanHours: AGES[age] }),
        ...(addon === null ? {} : { addon: addonReference(addon) }),
        ...(user === null ? {} : { account: accountReference(user) }),
        ...(decidedBy === null ? {} : { decidedBy: accountReference(decidedBy) }),
        ...(rating === null ? {} : { rating: ratingId(rating) }),
        ...(collection === null ? {} : { collection: globalId('Collection', collection) }),
      },
      sort: (shown === 'OPEN' || shown === 'ALL') && decidedBy === null ? ('CREATED' as const) : ('DECIDED' as const),
      // The connection has the newest first, an inbox begins with the oldest.
      ...(shown === 'OPEN' ? { last: PAGE, before: after } : { first: PAGE, after }),
    };
  },
  view: (
    { open, abuseReports: found, ratingsToModerate: ratings, ratingsToModerateByAddon: rated },
    { query, search },
    ui,
  ) => {
    const { t } = ui;
    const list = listOf(query, ui);
    const isOldestFirst = list === 'OPEN';
    const { hasPreviousPage, startCursor } = found.pageInfo;
    const pageInfo = isOldestFirst ? { hasNextPage: hasPreviousPage, endCursor: startCursor } : found.pageInfo;
    const reports = isOldestFirst ? found.nodes.toReversed() : found.nodes;
    return {
      title: t('moderation.title'),
      robots: 'noindex' as const,
      section: 'moderation' as const,
      main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: t('moderation.title') }])}
${moderationTabs(ui, 'reports', { reports: open.totalCount, ratings: ratings.totalCount })}
<h1>${t('moderation.title')}</h1>
<p><a href="/docs/moderation/">${t('docs.moderation.title')}</a></p>
${floodLinks(ui, rated)}
${listTabs(ui, search, list)}
${chips(ui, search, list)}
${finder(ui, search)}
<div class="columns side-first"><div class="list-tools">${filters(ui, search, list)}</div>
<div>${
        reports.length === 0
          ? html`<p>${noReports(ui, list, given(query.addon))}</p>`
          : html`<p>${t(`moderation.sum.${list}`, { count: found.totalCount })} ${t(orderKey(list, query))}</p>
${hasRestriction(search) || list !== 'OPEN' ? '' : aboutViewer(ui, found.totalCount - open.totalCount)}
${table(ui, reports, query.target)}`
      }
${query.target === 'RATING' && ratings.totalCount > 0 && html`<p><a href="${RATINGS_PATH}">${t('moderation.ratings-queue', { count: ratings.totalCount })}</a></p>`}
${cursorPager(ui, { search, pageInfo })}</div></div>`,
    };
  },
});

/** What an empty list says; with what it was looked for, because names of add-ons are not looked for. */
const noReports = ({ t }: Ui, list: List, addon: string | null): Html =>
  addon === null
    ? t(`moderation.sum.${list}`, { count: 0 })
    : t('moderation.none-addon', { addon: html`<bdi>${addon}</bdi>` });

/** Why the list has more open reports than the navigation counts; nothing where it has not. */
const aboutViewer = ({ t }: Ui, count: number): Html =>
  count > 0 ? html`<p class="muted">${t('moderation.of-them-about-you', { count })}</p>` : html``;

/** The state of the reports in the list: open ones by default, and all of those that a moderator has decided about. */
const shownState = (state: State | 'ALL' | null, decidedBy: string | null): State | 'ALL' =>
  state ?? (decidedBy === null ? 'OPEN' : 'ALL');

/** The lists that the page leads to; MINE are the reports that the viewer has decided about. */
const LISTS = ['OPEN', 'MINE', 'VALID', 'DISMISSED', 'DUPLICATE', 'ALL'] as const;
type List = (typeof LISTS)[number];

interface Chosen {
  state: State | 'ALL' | null;
  decidedBy: string | null;
}

function listOf({ state, decidedBy }: Chosen, { viewer }: Ui): List {
  const by = given(decidedBy);
  return by !== null && by === viewer?.username && state !== 'OPEN' ? 'MINE' : shownState(state, by);
}

/** The order of the list, in words. */
function orderKey(list: List, { decidedBy }: Chosen) {
  if (list === 'OPEN') return 'moderation.order.oldest';
  return list === 'ALL' && given(decidedBy) === null ? 'moderation.order.newest' : 'moderation.order.decided';
}

const hrefWith = (search: URLSearchParams, changes: Record<string, string | null>): string =>
  `${PATH}${changedQuery(search, changes)}`;

/** Links between the lists. Further filters stay, except for who decided, which no open report has. */
const listTabs = (ui: Ui, search: URLSearchParams, current: List): Html =>
  tabs(ui, {
    label: ui.t('docs.review.decisions'),
    items: LISTS.map((list) => ({
      text: ui.t(listKey(list)),
      href: hrefWith(search, {
        state: list === 'OPEN' || list === 'MINE' ? null : list.toLowerCase(),
        decidedBy: list === 'MINE' ? (ui.viewer?.username ?? null) : null,
      }),
      isCurrent: list === current,
    })),
  });

function listKey(list: List): PageTextKey {
  if (list === 'MINE') return 'moderation.decided-by-me';
  return list === 'ALL' ? 'hub.state.all' : `report.state.${list}`;
}

const CHIPS = ['target', 'age', 'addon', 'user', 'decidedBy', 'rating', 'collection'] as const;

const hasRestriction = (search: URLSearchParams): boolean => CHIPS.some((name) => given(search.get(name)) !== null);

/** What restricts the list further, each with a link that removes it. */
function chips(ui: Ui, search: URLSearchParams, list: List): Html {
  const names = list === 'MINE' ? CHIPS.filter((name) => name !== 'decidedBy') : CHIPS;
  const state = search.get('state');
  const stateChip =
    list === 'MINE' && isDecision(state)
      ? [{ text: ui.t(`report.state.${state.toUpperCase()}` as PageTextKey), href: hrefWith(search, { state: null }) }]
      : [];
  const shown = names.flatMap((name) => {
    const value = given(search.get(name));
    return value === null ? [] : [{ text: chipText(ui, name, value), href: hrefWith(search, { [name]: null }) }];
  });
  const cleared = Object.fromEntries(names.map((name) => [name, null]));
  const clearHref = hrefWith(search, list === 'MINE' ? { ...cleared, state: null } : cleared);
  return filterChips(ui, { items: [...stateChip, ...shown], clearHref });
}

function chipText(ui: Ui, name: (typeof CHIPS)[number], value: string): Html {
  if (name === 'target' || name === 'age') return ui.t(`moderation.${name}.${value}` as PageTextKey);
  const shown = html`<bdi dir="ltr">${value}</bdi>`;
  if (name === 'decidedBy') return html`${ui.t('moderation.decided-by')}: ${shown}`;
  return name === 'rating' || name === 'collection' ? html`${ui.t(`moderation.target.${name}`)}: ${shown}` : shown;
}

/** The decisions, as the parameter `state` names them. */
const DECIDED = REPORT_STATES.filter((state) => state !== 'open');

const isDecision = (state: string | null): state is string => DECIDED.some((each) => each === state);

/** Links that choose a part of the list; a chosen one removes its condition. None of them leads to another list. */
function filters(ui: Ui, search: URLSearchParams, list: List): Html {
  const item = (name: string, value: string, text: Html) => {
    const isCurrent = search.get(name) === value;
    return { text, href: hrefWith(search, { [name]: isCurrent ? null : value }), count: null, isCurrent };
  };
  const { t } = ui;
  const decisions = DECIDED.map((each) => item('state', each, t(`report.state.${each.toUpperCase()}` as PageTextKey)));
  return filterList(ui, [
    { title: t('review.decision'), items: list === 'MINE' ? decisions : [] },
    {
      title: t('moderation.column.about'),
      items: TARGETS.map((each) => item('target', each, t(`moderation.target.${each}`))),
    },
    {
      title: t('moderation.age'),
      items: Object.entries(AGES).map(([name]) => item('age', name, t(`moderation.age.${name}` as PageTextKey))),
    },
  ]);
}

/** The reports about one add-on or account. */
const finder = (ui: Ui, search: URLSearchParams): Html =>
  findForm(ui, {
    ...{ id: 'about', action: PATH, search, kept: ['state', 'target', 'age', 'decidedBy'] },
    fields: (['addon', 'user'] as const).map((name) => ({ name, label: ui.t(`moderation.find.${name}`) })),
    submit: ui.t('moderation.find'),
  });

function table(ui: Ui, reports: readonly Report[], target: string | null): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'reports',
    caption: t('moderation.title'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      ...(['about', 'report', 'reporter', 'age'] as const).map((name) => t(`moderation.column.${name}`)),
      'hub.versions.state',
    ],
    rows: reports.map((report) => [
      html`<a href="${reportUrl(report.databaseId, target)}">${reportTitle(ui, report)}</a> <span class="muted small">${targetKind(ui, report)}</span> ${targetBadge(ui, report)} ${aboutViewerBadge(ui, report)}${versionLine(ui, report)}`,
      excerpt(ui, report),
      report.reporter === null ? noReporter(ui, report) : html`<bdi>${report.reporter.name}</bdi>`,
      reportAge(ui, report.created),
      html`${reportState(ui, report)} ${decisionLine(ui, report)}`,
    ]),
  });
}

/** The version that the reporter named; nothing without one. */
function versionLine(ui: Ui, report: Report): Html {
  const version = namedVersion(report);
  return version === null
    ? html``
    : html`<div class="small muted">${ui.t('addon.versions.version', { version })}</div>`;
}

/** The reason, and the beginning of what the reporter wrote. */
function excerpt(ui: Ui, report: Report): Html {
  const reason = reasonOf(report);
  const words = [...reportWords(report).slice(0, 2 * EXCERPT)];
  const text = words.length > EXCERPT ? `${words.slice(0, EXCERPT).join('')}…` : words.join('');
  return html`${reason !== null && html`<strong>${reasonHtml(ui, reason)}</strong><br>`}<span dir="auto">${text}</span>`;
}
