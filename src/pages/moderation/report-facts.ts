/* What the page of a report shows: what was sent, its target, and other reports about it. */
import { html } from 'hono/html';
import type { ModerationOthersQuery, ModerationReportFragment } from '../../generated/operations/graphql.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { ratingPath } from '../catalogue/reviews.ts';
import { dataTable } from '../components/data-table.ts';
import { type Fact, facts } from '../components/facts.ts';
import { stars } from '../components/rating.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { hubHref } from '../hub/addon-frame.ts';
import { reviewHref } from '../reviewers/queue.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import {
  detailsOf,
  reasonHtml,
  reasonOf,
  reportHref,
  reportState,
  reportWords,
  targetBadge,
  targetName,
} from './parts.ts';

/** A report as its page reads it. */
export type Report = ModerationReportFragment;
type ReportedAddon = NonNullable<NonNullable<Report['addon']>['addon']>;
type Other = ModerationOthersQuery['abuseReports']['nodes'][number];

/** Other reports about the same target that the page lists; the inbox has all. */
const OTHERS = 10;

/** What the reporter wrote, with the reason in words. */
export function messageSection(ui: Ui, report: Report): Html {
  const reason = reasonOf(report);
  const words = reportWords(report);
  return html`<section aria-labelledby="message"><h2 id="message">${ui.t('moderation.message')}</h2>
${reason !== null && html`<p><strong>${reasonHtml(ui, reason)}</strong></p>`}
${words !== '' && html`<blockquote class="thread-text" dir="auto">${words}</blockquote>`}</section>`;
}

/** The facts that the reporter's program sent; nothing without any. */
export function programSection(ui: Ui, report: Report): Html {
  const items = Object.entries(detailsOf(report)).flatMap(([name, value]): Fact[] => {
    const key = `moderation.detail.${name}`;
    return isTextKey(key) ? [{ term: ui.t(key), value: html`<span dir="auto">${value}</span>` }] : [];
  });
  if (items.length === 0) return html``;
  return html`<section aria-labelledby="program"><h2 id="program">${ui.t('moderation.program')}</h2>
<p class="muted">${ui.t('moderation.program-hint')}</p>
${facts(ui, { items })}</section>`;
}

/** The newest other reports about the same target. */
export function othersSection(
  ui: Ui,
  report: Report,
  { nodes, totalCount }: ModerationOthersQuery['abuseReports'],
): Html {
  const { t } = ui;
  const shown = nodes.filter(({ databaseId }) => databaseId !== report.databaseId).slice(0, OTHERS);
  const count = Math.max(0, totalCount - 1);
  return html`<div class="stack"><h2 id="others">${t('moderation.others')}</h2>
${shown.length === 0 ? html`<p>${t('moderation.no-others')}</p>` : othersTable(ui, shown)}
${count > shown.length && html`<p><a href="${othersHref(report)}">${t('moderation.all-others', { count: totalCount })}</a></p>`}</div>`;
}

const othersHref = (report: Report): string =>
  `/moderation/?${new URLSearchParams({ state: 'all', ...targetQuery(report) })}`;

/** The parameter of the inbox that names the target. */
function targetQuery({ addon, rating, collection, user }: Report): Record<string, string> {
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
    columns: ['moderation.column.number', 'moderation.column.reason', 'report.sent', 'hub.versions.state'],
    rows: reports.map((report) => [
      html`<a href="${reportHref(report.databaseId)}">${ui.t('report.status-title', { number: report.databaseId })}</a>`,
      reasonOf(report) === null ? '–' : reasonHtml(ui, reasonOf(report) ?? ''),
      moment(ui, report.created),
      reportState(ui, report),
    ]),
  });

/** The facts for the side column. */
export function reportFacts(ui: Ui, report: Report): Fact[] {
  const { t, format } = ui;
  const { addon, rating, user, reporter, created, decided, decidedBy, note } = report;
  const authors = addon?.addon?.authors ?? [];
  return [
    { term: t('hub.versions.state'), value: reportState(ui, report) },
    { term: t('report.decided'), value: decided === null ? null : moment(ui, decided) },
    { term: t('moderation.decided-by'), value: decidedBy && html`<bdi>${decidedBy.name}</bdi>` },
    { term: t('moderation.note'), value: note && html`<span class="thread-text" dir="auto">${note}</span>` },
    { term: t('report.sent'), value: moment(ui, created) },
    {
      term: t('moderation.column.reporter'),
      value: reporter === null ? t('moderation.anonymous') : person(ui, reporter),
    },
    { term: t('moderation.column.about'), value: html`${target(ui, report)} ${targetBadge(ui, report)}` },
    { term: t('addon.rating'), value: rating?.rating ? ratingText(ui, rating.rating) : null },
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
function placesToLook(ui: Ui, { addon: reported }: Report): Html | null {
  const addon = reported?.addon ?? null;
  if (addon === null) return null;
  const { t } = ui;
  const { currentVersion, viewerRights } = addon;
  const links = [
    ...(currentVersion === null ? [] : [versionLink(ui, addon, currentVersion.version)]),
    ...(viewerRights.includes('EDIT') ? [html`<a href="${hubHref(addon)}">${t('moderation.link.hub')}</a>`] : []),
    html`<a href="/docs/agreement/">${t('moderation.link.rules')}</a>`,
  ];
  return html`<ul class="plain-list">${links.map((link) => html`<li>${link}</li>`)}</ul>`;
}

/** A version where the viewer examines it: reviewers on their page, others on the public one. */
function versionLink(ui: Ui, addon: ReportedAddon, version: string): Html {
  const number = { version: html`<bdi dir="ltr">${version}</bdi>` };
  return addon.viewerRights.includes('REVIEW')
    ? html`<a href="${reviewHref(addon, version)}">${ui.t('moderation.link.review', number)}</a>`
    : html`<a href="${addonPath(addon, `versions/${encodeURIComponent(version)}/`)}">${ui.t('moderation.link.version', number)}</a>`;
}

/** A name with a link: for administrators of accounts to the page of the account, for others to the profile that they may see. */
function person(ui: Ui, { name, url, databaseId }: { name: string; url: string | null; databaseId: number }): Html {
  const href = accountHref(ui, databaseId, url);
  return href === null ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`;
}

const accountHref = ({ viewer }: Ui, id: number, url: string | null): string | null =>
  viewer?.adminPages.includes('users') ? `/admin/users/${id}/` : url && pathOf(url);

/** Score and text of a rating, or the text of a reply. */
const ratingText = (ui: Ui, { score, body }: NonNullable<NonNullable<Report['rating']>['rating']>): Html =>
  html`${score !== null && stars(ui, score)}${body !== null && html`<div class="thread-text" dir="auto">${body}</div>`}`;

/** The target, with a link to its page where the viewer may see it. */
function target(ui: Ui, report: Report): Html {
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
