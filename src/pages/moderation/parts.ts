/* Parts that the inbox and the page of a report share. */
import { html } from 'hono/html';
import type { ModerationEntryFragment, ModerationTargetFragment } from '../../generated/operations/graphql.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { localText } from '../components/local-text.ts';
import { tabs } from '../components/tabs.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
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

/** The path of the page of a report. */
export const reportHref = (number: number): string => `/moderation/${number}/`;
