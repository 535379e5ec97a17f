/* Parts that the inbox and the page of a report share. */
import { html } from 'hono/html';
import type {
  ModerationEntryFragment,
  ModerationTargetFragment,
  NamedVersionFragment,
} from '../../generated/operations/graphql.ts';
import { enumValues, wordParam } from '../../http/params.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { localText } from '../components/local-text.ts';
import { tabs } from '../components/tabs.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { reviewVersionUrl } from '../reviewers/reviewer-page.ts';
import { isTextKey, type PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

const REPORT_KINDS: Readonly<Record<string, BadgeKind>> = { OPEN: 'info', VALID: 'warning' };

/** The decision about a report. */
export const reportState = (ui: Ui, { state }: Pick<ModerationEntryFragment, 'state'>): Html =>
  badge(ui, { kind: REPORT_KINDS[state] ?? 'plain', text: ui.t(`report.state.${state}`) });

const TARGET_KINDS: Readonly<Record<string, BadgeKind>> = { AVAILABLE: 'ok', DISABLED: 'error' };

type TargetState = NonNullable<ModerationTargetFragment['targetState']>;

/** The text for the state of the target: of an add-on, a rating, a collection or an account. */
function stateKey({ addon, rating, collection }: ModerationTargetFragment, state: TargetState): PageTextKey {
  if (addon !== null) return `moderation.addon-state.${state}`;
  if (rating !== null) return `moderation.rating-state.${contentState(state)}`;
  if (collection !== null) return `moderation.collection-state.${contentState(state)}`;
  return `moderation.account-state.${accountState(state)}`;
}

/** What has become of the target. */
export function targetBadge(ui: Ui, target: ModerationTargetFragment): Html {
  const { targetState: state } = target;
  return state === null
    ? html``
    : badge(ui, { kind: TARGET_KINDS[state] ?? 'plain', text: ui.t(stateKey(target, state)) });
}

/** Whether the viewer decides about a report; another moderator does if it is about the viewer. */
export const isReportDecidable = ({ viewerRights }: Pick<ModerationEntryFragment, 'viewerRights'>): boolean =>
  viewerRights.includes('DECIDE');

/** Marks a report that another moderator decides about. */
export const aboutViewerBadge = (ui: Ui, report: Pick<ModerationEntryFragment, 'viewerRights'>): Html =>
  isReportDecidable(report) ? html`` : badge(ui, { kind: 'warning', text: ui.t('moderation.about-you') });

/** What is shown without a reporter: the report is anonymous, or about the viewer. */
export const noReporter = ({ t }: Ui, report: Pick<ModerationEntryFragment, 'viewerRights'>): Html =>
  html`<span class="muted">${t(isReportDecidable(report) ? 'moderation.anonymous' : 'moderation.about-you-sender')}</span>`;

/** All reports of an account, open and decided. */
export const senderReportsUrl = (id: number): string =>
  `/moderation/?${new URLSearchParams({ state: 'all', sender: String(id) })}`;

/** The name of a sender, with a link to the other reports of the account. */
export const senderLink = ({ databaseId, name }: { databaseId: number; name: string }): Html =>
  html`<a href="${senderReportsUrl(databaseId)}"><bdi>${name}</bdi></a>`;

/**
 * The decision that was made about a report, the present one if another moderator has decided since, and what has become of the target,
 * which a decision does not change.
 */
export function decisionResult(
  ui: Ui,
  report: ModerationTargetFragment & Pick<ModerationEntryFragment, 'databaseId' | 'state'>,
  state: ModerationEntryFragment['state'],
): Html {
  const { t } = ui;
  const made = t('moderation.result', {
    report: t('report.status-title', { number: report.databaseId }),
    state: t(`report.state.${state}`),
  });
  const since = report.state !== state && t('moderation.result-since', { state: t(`report.state.${report.state}`) });
  const decided = html`${made}${since && html` ${since}`}`;
  const { targetState } = report;
  if (targetState === null) return decided;
  const still = { name: targetName(ui, report), state: t(stateKey(report, targetState)) };
  return html`${decided} ${t('moderation.result-target', still)}`;
}

/** What has become of the target after a form that changed it. */
export function targetResult(ui: Ui, report: ModerationTargetFragment): Html {
  const { targetState } = report;
  if (targetState === null) return html``;
  return ui.t('moderation.result-now', { name: targetName(ui, report), state: ui.t(stateKey(report, targetState)) });
}

/** Ratings and collections have three of the states. */
const contentState = (state: TargetState): 'AVAILABLE' | 'DELETED' | 'NOT_PUBLIC' =>
  state === 'DELETED' || state === 'NOT_PUBLIC' ? state : 'AVAILABLE';

/** Accounts have three of the states. */
const accountState = (state: TargetState): 'AVAILABLE' | 'DELETED' | 'DISABLED' =>
  state === 'DELETED' || state === 'DISABLED' ? state : 'AVAILABLE';

/** The number of a report, and the name of what it is about. */
export const reportTitle = (ui: Ui, report: ModerationTargetFragment & { databaseId: number }): Html =>
  ui.t('moderation.report-of', {
    report: ui.t('report.status-title', { number: report.databaseId }),
    name: targetName(ui, report),
  });

/** The name of what a report is about. */
export function targetName(ui: Ui, { addon, collection, rating, user }: ModerationTargetFragment): Html {
  if (rating?.rating) {
    const { isReply, addon: rated } = rating.rating;
    const named = rated.name?.value ? localText(ui, rated.name) : html`<bdi>${rated.slug}</bdi>`;
    return ui.t(isReply ? 'report.reply' : 'reviews.one', { name: named });
  }
  // One that the moderator does not see: a deleted one, without the permission Addons:Edit.
  if (rating !== null) return ui.t('report.rating-by', { name: html`<bdi>${user?.name ?? ''}</bdi>` });
  if (collection !== null) {
    const title = collection.collection?.name;
    return title?.value ? localText(ui, title) : html`<bdi dir="ltr">${collection.path}</bdi>`;
  }
  if (addon === null) return html`<bdi>${user?.name ?? ''}</bdi>`;
  const name = addon.addon?.name;
  return name?.value ? localText(ui, name) : html`<bdi dir="ltr">${addon.slug ?? addon.guid}</bdi>`;
}

type Details = Readonly<Record<string, string>>;

/** The facts of the reporter's program, by the names of REST. */
export const detailsOf = ({ details }: { details: unknown }): Details => details as Details;

const REASON_LINE = /^Reason: ([a-z]+)\n\n/;

/** The reason that the reporter chose: in a browser, or in the form of this site, which writes it into the first line. Null for none. */
export function reasonOf(report: { message: string; details: unknown }): string | null {
  const { message: text } = report;
  return detailsOf(report).reason ?? REASON_LINE.exec(text)?.[1] ?? null;
}

/** What the reporter wrote, without that line. */
export const reportWords = ({ message }: { message: string }): string => message.replace(REASON_LINE, '');

/** The version that the reporter named, with a link to it where the viewer sees it. Null where none was named. */
export function namedVersion(report: NamedVersionFragment): Html | null {
  const number = detailsOf(report).addon_version;
  if (!number) return null;
  const shown = html`<bdi dir="ltr">${number}</bdi>`;
  const { addon = null, version = null } = report.addon ?? {};
  return addon === null || version === null ? shown : html`<a href="${versionUrl(addon, version)}">${shown}</a>`;
}

/** Where the viewer examines a version: its reviewers on their page, others on the public one. */
export function versionUrl(
  addon: NonNullable<NonNullable<NamedVersionFragment['addon']>['addon']>,
  { version, channel }: { version: string; channel: string },
): string {
  const right = channel === 'UNLISTED' ? 'REVIEW_UNLISTED' : 'REVIEW';
  return addon.viewerRights.includes(right)
    ? reviewVersionUrl(addon, version)
    : addonPath(addon, `versions/${encodeURIComponent(version)}/`);
}

/** A reason in words; an unknown one by its name. */
export function reasonHtml(ui: Ui, reason: string): Html {
  const key = `report.reason.${reason}`;
  return isTextKey(key) ? ui.t(key) : html`<bdi dir="ltr"><code>${reason}</code></bdi>`;
}

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;

/** How long ago something was: in minutes for the first hour, in hours for the first two days, in days from then on. */
export function reportAge({ t }: Ui, time: string): Html {
  const minutes = Math.floor((Date.now() - Date.parse(time)) / MINUTE_MS);
  const hours = Math.floor(minutes / MINUTES_AN_HOUR);
  return html`<time datetime="${time}">${text()}</time>`;

  function text(): Html {
    if (minutes < 1) return t('moderation.just-now');
    if (hours < 1) return t('moderation.minutes', { count: minutes });
    if (hours < 2 * HOURS_A_DAY) return t('review.hours', { count: hours });
    return t('review.days', { count: Math.floor(hours / HOURS_A_DAY) });
  }
}

/** Who made the decision about a report, and when; nothing about an open one. */
export function decisionLine(
  ui: Ui,
  { decided, decidedBy }: Pick<ModerationEntryFragment, 'decided' | 'decidedBy'>,
): Html {
  if (decided === null) return html``;
  const name = html`<bdi>${decidedBy?.name ?? ui.t('moderation.former-moderator')}</bdi>`;
  return html`<span class="muted small">${ui.t('moderation.decided-line', { name, time: moment(ui, decided) })}</span>`;
}

/** The links between the lists of reports and ratings, with what waits in each, for those who open both. */
export function moderationTabs(
  ui: Ui,
  current: 'reports' | 'ratings',
  { reports, ratings }: { reports: number | null; ratings: number },
): Html {
  if (reports === null) return html``;
  const { t } = ui;
  return tabs(ui, {
    label: t('moderation.tabs'),
    items: [
      { text: t('moderation.tab.reports'), href: '/moderation/', count: reports, isCurrent: current === 'reports' },
      { text: t('moderation.tab.ratings'), href: RATINGS_PATH, count: ratings, isCurrent: current === 'ratings' },
    ],
  });
}

/** The list of ratings that wait. */
export const RATINGS_PATH = '/moderation/ratings/';

/** The decisions about reports, as parameters name them. */
export const REPORT_STATES = ['open', 'valid', 'dismissed', 'duplicate'] as const;

/** The parameter `decided` of the page of a report after a decision: another moderator may have decided since. */
export const decidedParam = wordParam('The decision that was just made.', enumValues(REPORT_STATES));

/** What reports are about, as the parameter `target` names it. */
export const TARGETS = ['addon', 'unknown_addon', 'account', 'collection', 'rating'] as const;

/** The parameter `target` of the inbox, and of the pages of reports that are opened from it. */
export const targetParam = wordParam('What they are about.', enumValues(TARGETS));

/** The inbox, or open reports about one kind of target. */
export const inboxUrl = (target: string | null): string =>
  target === null ? '/moderation/' : `/moderation/?target=${target.toLowerCase()}`;

/** The reports that a moderator has decided about. */
export const decidedByUrl = (username: string): string =>
  `/moderation/?${new URLSearchParams({ decidedBy: username })}`;

/** The path of the page of a report; with the kind of targets that its list was restricted to. */
export const reportUrl = (number: number, target: string | null = null): string =>
  `/moderation/${number}/${target === null ? '' : `?target=${target.toLowerCase()}`}`;

/** The kind of what a report is about. */
export function targetKind({ t }: Ui, { addon, rating, collection }: ModerationTargetFragment): Html {
  if (rating !== null) return t(rating.rating?.isReply ? 'moderation.kind.reply' : 'moderation.kind.rating');
  if (collection !== null) return t('moderation.kind.collection');
  if (addon === null) return t('moderation.kind.account');
  return t(addon.databaseId === null ? 'moderation.kind.unknown_addon' : 'moderation.kind.addon');
}
