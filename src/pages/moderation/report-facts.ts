/* What the page of a report shows: what was sent, its target, and other reports about it. */
import { html } from 'hono/html';
import type { ModerationOthersQuery, ModerationReportFragment } from '../../generated/operations/graphql.ts';
import { auditLink } from '../admin/actor.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { ratingPath } from '../catalogue/reviews.ts';
import { dataTable } from '../components/data-table.ts';
import { type Fact, facts } from '../components/facts.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { hubUrl } from '../hub/hub-addon.ts';
import { reviewVersionUrl } from '../reviewers/reviewer-page.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import {
  decisionLine,
  detailsOf,
  namedVersion,
  noReporter,
  reasonHtml,
  reasonOf,
  reportState,
  reportUrl,
  reportWords,
  senderLink,
  senderReportsUrl,
  targetBadge,
  targetName,
} from './report-labels.ts';

/** A report as its page reads it. */
export type PageReport = ModerationReportFragment;
type ReportedAddon = NonNullable<NonNullable<PageReport['addon']>['addon']>;
type Other = ModerationOthersQuery['abuseReports']['nodes'][number];

/** Other reports about the same target that the page lists; the inbox has all. */
const OTHERS = 10;

/** What the reporter wrote, with the reason in words. */
export function messageSection(ui: Ui, report: PageReport): Html {
  const reason = reasonOf(report);
  const words = reportWords(report);
  const sender = report.reporter === null ? noReporter(ui, report) : senderLink(report.reporter);
  return html`<section aria-labelledby="message"><h2 id="message">${ui.t('moderation.message')}</h2>
${reason !== null && html`<p><strong>${reasonHtml(ui, reason)}</strong></p>`}
${words !== '' && html`<blockquote class="thread-text" dir="auto">${words}</blockquote>`}
<p class="muted small">${ui.t('moderation.sent-line', { name: sender, time: moment(ui, report.created) })}</p></section>`;
}

/** The facts that the reporter's program sent; nothing without any. */
export function programSection(ui: Ui, report: PageReport): Html {
  const items = Object.entries(detailsOf(report)).flatMap(([name, value]): Fact[] => {
    const key = `moderation.detail.${name}`;
    if (!isTextKey(key)) return [];
    const version = name === 'addon_version' ? namedVersion(report) : null;
    return [{ term: ui.t(key), value: version ?? html`<span dir="auto">${value}</span>` }];
  });
  if (items.length === 0) return html``;
  return html`<section aria-labelledby="program"><h2 id="program">${ui.t('moderation.program')}</h2>
<p class="muted">${ui.t('moderation.program-hint')}</p>
${facts(ui, { items })}</section>`;
}

/** The newest other reports about the same target. */
export function othersSection(
  ui: Ui,
  report: PageReport,
  { nodes, totalCount }: ModerationOthersQuery['abuseReports'],
): Html {
  const { t } = ui;
  const shown = nodes.filter(({ databaseId }) => databaseId !== report.databaseId).slice(0, OTHERS);
  const count = Math.max(0, totalCount - 1);
  return html`<div class="stack"><h2 id="others">${t('moderation.others')}</h2>
${shown.length === 0 ? html`<p>${t('moderation.no-others')}</p>` : othersTable(ui, shown)}
${count > shown.length && html`<p><a href="${othersHref(report)}">${t('moderation.all-others', { count: totalCount })}</a></p>`}</div>`;
}

const othersHref = (report: PageReport): string =>
  `/moderation/?${new URLSearchParams({ state: 'all', ...targetQuery(report) })}`;

/** The parameter of the inbox that names the target. */
function targetQuery({ addon, rating, collection, user }: PageReport): Record<string, string> {
  if (addon !== null) return { addon: addon.guid };
  if (rating !== null) return { rating: String(rating.databaseId) };
  if (collection?.databaseId != null) return { collection: String(collection.databaseId) };
  return { user: String(user?.databaseId) };
}

const othersTable = (ui: Ui, reports: readonly Other[]): Html =>
  dataTable(ui, {
    id: 'others-table',
    caption: ui.t('moderation.others'),
    isCaptionHidden: true,
    isStacked: true,
    columns: ['moderation.column.number', 'moderation.column.reason', 'moderation.reported-on', 'hub.versions.state'],
    rows: reports.map((report) => [
      html`<a href="${reportUrl(report.databaseId)}">${ui.t('report.status-title', { number: report.databaseId })}</a>`,
      reasonOf(report) === null ? '–' : reasonHtml(ui, reasonOf(report) ?? ''),
      moment(ui, report.created),
      html`${reportState(ui, report)} ${decisionLine(ui, report)}`,
    ]),
  });

/** The note that came with the present decision, of a report with its newest history; that has all notes, of other moderators, too. */
function decisionNote({ state, history }: PageReport): string | null {
  const decision = history?.nodes.find(({ stateBefore, stateAfter }) => stateAfter !== stateBefore);
  return state === 'OPEN' ? null : (decision?.note ?? null);
}

/** The facts for the side column; `isNewest` if the report has its newest history. */
export function reportFacts(ui: Ui, report: PageReport, isNewest: boolean): Fact[] {
  const { t, format } = ui;
  const { addon, user, reporter, created, decided, decidedBy } = report;
  const note = isNewest ? decisionNote(report) : null;
  const authors = addon?.addon?.authors ?? [];
  return [
    { term: t('hub.versions.state'), value: reportState(ui, report) },
    { term: t('report.decided'), value: decided === null ? null : moment(ui, decided) },
    { term: t('moderation.decided-by'), value: decidedBy && html`<bdi>${decidedBy.name}</bdi>` },
    { term: t('moderation.note'), value: note && html`<span class="thread-text" dir="auto">${note}</span>` },
    { term: t('moderation.reported-on'), value: moment(ui, created) },
    {
      term: t('moderation.column.reporter'),
      value:
        reporter === null
          ? noReporter(ui, report)
          : html`${person(ui, reporter)} <a class="small" href="${senderReportsUrl(reporter.databaseId)}">${t('moderation.by-sender')}</a>`,
    },
    { term: t('moderation.column.about'), value: html`${target(ui, report)} ${targetBadge(ui, report)}` },
    { term: t('moderation.links'), value: placesToLook(ui, report) },
    { term: t('report.guid'), value: addon && html`<bdi dir="ltr"><code>${addon.guid}</code></bdi>` },
    { term: t('account.username'), value: user && html`<bdi dir="ltr">${user.username}</bdi>` },
    {
      term: t('review.authors'),
      value:
        authors.length === 0
          ? null
          : html`${authors.map((each, index) => html`${index > 0 && ', '}${person(ui, each)}`)}`,
    },
    { term: t('review.users'), value: addon?.addon ? format.number(addon.addon.averageDailyUsers) : null },
  ];
}

/** Links to the version, to the pages of its developers, and to the rules. */
function placesToLook(ui: Ui, { addon: reported }: PageReport): Html | null {
  const addon = reported?.addon ?? null;
  if (addon === null) return null;
  const { t } = ui;
  const { currentVersion, viewerRights } = addon;
  const links = [
    ...(currentVersion === null ? [] : [versionLink(ui, addon, currentVersion.version)]),
    ...(viewerRights.includes('EDIT') ? [html`<a href="${hubUrl(addon)}">${t('moderation.link.hub')}</a>`] : []),
    ...auditLink(ui, { about: reported?.guid ?? '' }, 'admin.audit.about-addon'),
    html`<a href="/docs/agreement/">${t('moderation.link.rules')}</a>`,
  ];
  return html`<ul class="plain-list">${links.map((link) => html`<li>${link}</li>`)}</ul>`;
}

/** A version where the viewer examines it: reviewers on their page, others on the public one. */
function versionLink(ui: Ui, addon: ReportedAddon, version: string): Html {
  const number = { version: html`<bdi dir="ltr">${version}</bdi>` };
  return addon.viewerRights.includes('REVIEW')
    ? html`<a href="${reviewVersionUrl(addon, version)}">${ui.t('moderation.link.review', number)}</a>`
    : html`<a href="${addonPath(addon, `versions/${encodeURIComponent(version)}/`)}">${ui.t('moderation.link.version', number)}</a>`;
}

/** A name with a link: for administrators of accounts to the page of the account, for others to the profile that they may see. */
function person(ui: Ui, { name, url, databaseId }: { name: string; url: string | null; databaseId: number }): Html {
  const href = accountHref(ui, databaseId, url);
  return href === null ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`;
}

const accountHref = ({ viewer }: Ui, id: number, url: string | null): string | null =>
  viewer?.adminPages.includes('users') ? `/admin/users/${id}/` : url && pathOf(url);

/** The target, with a link to its page where the viewer may see it. */
function target(ui: Ui, report: PageReport): Html {
  const { addon, collection, rating, user } = report;
  const name = targetName(ui, report);
  if (collection !== null) {
    const url = collection.collection?.url;
    return url === undefined ? name : html`<a href="${pathOf(url)}">${name}</a>`;
  }
  if (rating !== null)
    return rating.rating === null ? name : html`<a href="${ratingPath(rating.databaseId)}">${name}</a>`;
  if (addon === null) return user === null ? name : person(ui, user);
  const isShown = addon.addon !== null && addon.databaseId !== null;
  return isShown
    ? html`<a href="/addon/${encodeURIComponent(addon.slug ?? String(addon.databaseId))}/">${name}</a>`
    : name;
}
