import { html } from 'hono/html';
import { ModerationInboxDocument, type ModerationInboxQuery } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { accountReference, ratingId } from '../../graphql/references.ts';
import { enumValues, labelParam, oneOf, orNull, recordId, wordParam } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { foundAccount, foundAddon } from './found.ts';
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
  senderLink,
  targetBadge,
  targetKind,
  targetParam,
} from './report-labels.ts';
import {
  AGES,
  type Age,
  type AllFound,
  chips,
  emptyList,
  filters,
  finder,
  findUrl,
  given,
  hasRestriction,
  INBOX_PATH,
  listOf,
  listTabs,
  orderKey,
  type State,
  shownState,
} from './report-lists.ts';

type Report = ModerationInboxQuery['abuseReports']['nodes'][number];

const PAGE = 50;

/** Characters of a message in the list. */
const EXCERPT = 120;

/** Reports of abuse: open ones, the oldest first, or those of another state, the newest first. For moderators. */
export const inboxPage = page({
  path: INBOX_PATH,
  visitor: 'account',
  query: {
    state: wordParam<State | 'ALL'>('Decision; open ones by default.', { ...enumValues(REPORT_STATES), all: 'ALL' }),
    target: targetParam,
    age: oneOf<Age>('Minimum age.', ['day', 'week', 'month']),
    addon: labelParam('Slug, id, guid or displayed name of the add-on.'),
    user: labelParam(
      'Username, id or displayed name of the reported account; its e-mail address for those who see it.',
    ),
    sender: labelParam('Username, id or displayed name of who has sent them; the e-mail address for those who see it.'),
    decidedBy: labelParam('Username or id of the moderator who decided.'),
    rating: orNull(recordId('Id of the rating.')),
    collection: orNull(recordId('Id of the collection.')),
    ...CURSOR_PARAM,
  },
  document: ModerationInboxDocument,
  variables: ({ query: { state, target, age, rating, collection, after, ...query } }) => {
    const [addon, user, sender] = [given(query.addon), given(query.user), given(query.sender)];
    const decidedBy = given(query.decidedBy);
    const shown = shownState(state, decidedBy);
    const ofLists = {
      ...(target === null ? {} : { target }),
      ...(age === null ? {} : { olderThanHours: AGES[age] }),
      ...(addon === null ? {} : { addonNamed: addon }),
      ...(user === null ? {} : { accountNamed: user }),
      ...(sender === null ? {} : { reporterNamed: sender }),
      ...(rating === null ? {} : { rating: ratingId(rating) }),
      ...(collection === null ? {} : { collection: globalId('Collection', collection) }),
    };
    return {
      ...{ addon: addon ?? '', hasAddon: addon !== null, user: user ?? '', hasUser: user !== null },
      ...{ sender: sender ?? '', hasSender: sender !== null, ofLists },
      filter: {
        ...ofLists,
        ...(shown === 'ALL' ? {} : { state: shown }),
        ...(decidedBy === null ? {} : { decidedBy: accountReference(decidedBy) }),
      },
      sort: (shown === 'OPEN' || shown === 'ALL') && decidedBy === null ? ('CREATED' as const) : ('DECIDED' as const),
      // The connection has the newest first, an inbox begins with the oldest.
      ...(shown === 'OPEN' ? { last: PAGE, before: after } : { first: PAGE, after }),
    };
  },
  view: (data, { query, search }, ui) => {
    const { open, abuseReports: found, ratingsToModerate: ratings, ratingsToModerateByAddon: rated } = data;
    const { t } = ui;
    const named = allFound(ui, search, data);
    const problems = Object.values(named).flatMap(({ problem }) => problem ?? []);
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
${listTabs(ui, search, list, data.abuseReportCounts)}
${chips(ui, search, list, named)}
${finder(ui, search)}
<div class="columns side-first"><div class="list-tools">${filters(ui, search, list)}</div>
<div>${
        reports.length === 0
          ? (problemLines(problems) ?? emptyList(ui, search, list, data.abuseReportCounts))
          : html`<p>${t(`moderation.sum.${list}`, { count: found.totalCount })} ${t(orderKey(list, query))}</p>
${hasRestriction(search) || list !== 'OPEN' ? '' : aboutViewer(ui, found.totalCount - open.totalCount)}
${table(ui, reports, query.target)}`
      }
${query.target === 'RATING' && ratings.totalCount > 0 && html`<p><a href="${RATINGS_PATH}">${t('moderation.ratings-queue', { count: ratings.totalCount })}</a></p>`}
${cursorPager(ui, { search, pageInfo })}</div></div>`,
    };
  },
});

/** What the texts of the find form name. */
const allFound = (ui: Ui, search: URLSearchParams, { addon, user, sender }: ModerationInboxQuery): AllFound => ({
  ...(addon && { addon: foundAddon(ui, given(search.get('addon')) ?? '', addon, findUrl(search, 'addon')) }),
  ...(user && { user: foundAccount(ui, 'user', given(search.get('user')) ?? '', user, findUrl(search, 'user')) }),
  ...(sender && {
    sender: foundAccount(ui, 'sender', given(search.get('sender')) ?? '', sender, findUrl(search, 'sender')),
  }),
});

const problemLines = (problems: readonly Html[]): Html | null =>
  problems.length === 0 ? null : html`${problems.map((each) => html`<p>${each}</p>`)}`;

/** Why the list has more open reports than the navigation counts; nothing where it has not. */
const aboutViewer = ({ t }: Ui, count: number): Html =>
  count > 0 ? html`<p class="muted">${t('moderation.of-them-about-you', { count })}</p>` : html``;

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
      report.reporter === null ? noReporter(ui, report) : senderLink(report.reporter),
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
