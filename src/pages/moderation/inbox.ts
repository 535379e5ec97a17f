import { html } from 'hono/html';
import { ModerationInboxDocument, type ModerationInboxQuery } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { accountReference, addonReference, ratingId } from '../../graphql/references.ts';
import { enumValues, label, oneOf, orNull, recordId, word } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { findForm } from '../components/find-form.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import {
  decisionLine,
  moderationTabs,
  RATINGS_PATH,
  reasonHtml,
  reasonOf,
  reportAge,
  reportHref,
  reportState,
  reportTitle,
  reportWords,
  targetBadge,
} from './parts.ts';
import { floodLinks } from './ratings.ts';

type Report = ModerationInboxQuery['abuseReports']['nodes'][number];

const PATH = '/moderation/';

const STATES = ['open', 'valid', 'dismissed', 'duplicate'] as const;
type State = Uppercase<(typeof STATES)[number]>;
const TARGETS = ['addon', 'unknown_addon', 'account', 'collection', 'rating'] as const;

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
    state: word<State | 'ALL'>('Decision; open ones by default.', { ...enumValues(STATES), all: 'ALL' }),
    target: word('What they are about.', enumValues(TARGETS)),
    age: oneOf<Age>('Minimum age.', ['day', 'week', 'month']),
    addon: label('Slug, id or guid of the add-on.'),
    user: label('Username or id of the account.'),
    decidedBy: label('Username or id of the moderator who decided.'),
    rating: orNull(recordId('Id of the rating.')),
    collection: orNull(recordId('Id of the collection.')),
    ...AFTER,
  },
  document: ModerationInboxDocument,
  variables: ({ query: { state, target, age, rating, collection, after, ...query } }) => {
    const [addon, user, decidedBy] = [given(query.addon), given(query.user), given(query.decidedBy)];
    const shown = state ?? 'OPEN';
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
    const isOldestFirst = (query.state ?? 'OPEN') === 'OPEN';
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
${floodLinks(ui, rated)}
${stateTabs(ui, search, query.state ?? 'OPEN')}
${chips(ui, search)}
${finder(ui, search)}
<div class="columns side-first"><div>${filters(ui, search)}</div>
<div><p>${t('moderation.sum', { count: found.totalCount })}</p>
${reports.length === 0 ? html`<p>${t('moderation.none')}</p>` : table(ui, reports)}
${query.target === 'RATING' && html`<p><a href="${RATINGS_PATH}">${t('moderation.ratings-queue', { count: ratings.totalCount })}</a></p>`}
${cursorPager(ui, { search, pageInfo })}</div></div>`,
    };
  },
});

const hrefWith = (search: URLSearchParams, changes: Record<string, string | null>): string =>
  `${PATH}${changedQuery(search, changes)}`;

const stateTabs = (ui: Ui, search: URLSearchParams, current: string): Html =>
  tabs(ui, {
    label: ui.t('docs.review.decisions'),
    items: [...STATES, 'all' as const].map((state) => ({
      text: ui.t(state === 'all' ? 'hub.state.all' : (`report.state.${state.toUpperCase()}` as PageTextKey)),
      href: hrefWith(search, { state: state === 'open' ? null : state }),
      isCurrent: state.toUpperCase() === current,
    })),
  });

const CHIPS = ['addon', 'user', 'decidedBy', 'rating', 'collection'] as const;

/** The names that restrict the list, each with a link that removes it. */
function chips(ui: Ui, search: URLSearchParams): Html {
  const shown = CHIPS.flatMap((name) => {
    const value = given(search.get(name));
    return value === null ? [] : [{ text: chipText(ui, name, value), href: hrefWith(search, { [name]: null }) }];
  });
  return filterChips(ui, { items: shown, clearHref: PATH });
}

function chipText(ui: Ui, name: (typeof CHIPS)[number], value: string): Html {
  const shown = html`<bdi dir="ltr">${value}</bdi>`;
  if (name === 'decidedBy') return html`${ui.t('moderation.decided-by')}: ${shown}`;
  return name === 'rating' || name === 'collection' ? html`${ui.t(`moderation.target.${name}`)}: ${shown}` : shown;
}

/** Links that choose a part of the list; a chosen one removes its condition. */
function filters(ui: Ui, search: URLSearchParams): Html {
  const item = (name: string, value: string, text: Html) => {
    const isCurrent = search.get(name) === value;
    return { text, href: hrefWith(search, { [name]: isCurrent ? null : value }), count: null, isCurrent };
  };
  const { t } = ui;
  const isMine = search.get('decidedBy') === ui.viewer?.username;
  return filterList(ui, [
    {
      title: t('review.decision'),
      items: [
        {
          text: t('moderation.decided-by-me'),
          href: hrefWith(search, {
            decidedBy: isMine ? null : (ui.viewer?.username ?? null),
            state: isMine ? null : 'all',
          }),
          ...{ count: null, isCurrent: isMine },
        },
      ],
    },
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

function table(ui: Ui, reports: readonly Report[]): Html {
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
      html`<a href="${reportHref(report.databaseId)}">${reportTitle(ui, report)}</a> ${targetBadge(ui, report)}`,
      excerpt(ui, report),
      report.reporter === null
        ? html`<span class="muted">${t('moderation.anonymous')}</span>`
        : html`<bdi>${report.reporter.name}</bdi>`,
      reportAge(ui, report.created),
      html`${reportState(ui, report)} ${decisionLine(ui, report)}`,
    ]),
  });
}

/** The reason, and the beginning of what the reporter wrote. */
function excerpt(ui: Ui, report: Report): Html {
  const reason = reasonOf(report);
  const words = [...reportWords(report).slice(0, 2 * EXCERPT)];
  const text = words.length > EXCERPT ? `${words.slice(0, EXCERPT).join('')}…` : words.join('');
  return html`${reason !== null && html`<strong>${reasonHtml(ui, reason)}</strong><br>`}<span dir="auto">${text}</span>`;
}
