/* What the pages of reviewers share: who may open them, and the links between them. */
import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import type { AvailableVersionsFragment } from '../../generated/operations/graphql.ts';
import { reviewPath } from '../catalogue/addon-head.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { buttonForm } from '../components/form.ts';
import { shortcutButton } from '../components/shortcuts.ts';
import { type Html, joined } from '../html.ts';
import type { AfterDone, PageContent } from '../page.ts';
import { type WaitingNumbers, waitingNumber } from '../site/header.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** @throws {NotPermittedError} for viewers who decide about no versions, those that are referred to an administrator included. */
export function requireQueue({ viewer }: Ui): void {
  if (viewer?.opensQueue !== true) throw new NotPermittedError();
}

/** @throws {NotPermittedError} for viewers who are no reviewers. */
function requireReviewerPage({ viewer }: Ui): void {
  if (viewer?.isReviewer !== true) throw new NotPermittedError();
}

interface Framed {
  title: Html | string;
  /** The heading, if it is not the title. */
  heading?: Html;
  /** Pages between the queue and this one. */
  way?: readonly { text: Html | string; href: string }[];
  body: Html;
  /** Whether viewers who are no reviewers may open it, such as keepers of canned responses. The operation decides. */
  isForOthers?: true;
  scripts?: readonly string[];
}

/** A page of reviewers below the queue. @throws {NotPermittedError} as `requireReviewerPage` does. */
export function reviewerPage(ui: Ui, { title, heading, way = [], body, isForOthers, scripts }: Framed): PageContent {
  if (!isForOthers) requireReviewerPage(ui);
  return {
    ...{ title, robots: 'noindex' as const, section: 'reviewers' as const },
    ...(scripts && { scripts }),
    main: html`${breadcrumbs(ui, [{ text: ui.t('review.title'), href: '/reviewers/' }, ...way, { text: heading ?? title }])}
<h1>${heading ?? title}</h1>
${body}`,
  };
}

const OTHERS = ['log', 'canned', 'subscriptions'] as const;

/**
 * Links from the queue to the other pages of reviewers, for reviewers, and the button that opens the list of keys. Who cannot write canned
 * responses gets the link to them while there are any.
 */
export function otherPages(
  ui: Ui,
  {
    isCannedResponseKeeper,
    cannedResponses = [],
  }: { isCannedResponseKeeper: boolean; cannedResponses?: readonly unknown[] },
): Html {
  const hasCanned = isCannedResponseKeeper || cannedResponses.length > 0;
  const names = OTHERS.filter((name) => name !== 'canned' || hasCanned);
  return html`<ul class="link-list cluster">
${
  ui.viewer?.isReviewer === true &&
  names.map((name) => html`<li><a href="/reviewers/${name}/">${ui.t(`review.page.${name}` as PageTextKey)}</a></li>`)
}<li><a href="/docs/reviewers/">${ui.t('docs.reviewers.title')}</a></li>
${shortcutButton(ui)}</ul>`;
}

/** The name of the form of decisions. */
export const DECISION_FORM = 'review-decision';

/** Whether an address is where that form leads. */
export const isAfterDecision = (search: URLSearchParams): boolean => search.get('done') === DECISION_FORM;

/** The versions that a reviewer takes after the one with this id, in the order of the queue. */
export const othersOf = <Item extends { version: { databaseId: number } }>(
  nodes: readonly Item[],
  versionId: number | null,
): Item[] => nodes.filter(({ version }) => version.databaseId !== versionId);

/** The way on after a decision: the next version that the viewer can decide about, with the number of those that wait, and the queue. */
export const afterDecision =
  (ui: Ui, available: AvailableVersionsFragment | undefined, version?: { databaseId: number }) =>
  (waiting: WaitingNumbers | null): AfterDone => {
    const others = othersOf(available?.nodes ?? [], version?.databaseId ?? null).length;
    const left = waiting?.versions ?? others;
    const next = version === undefined ? '/reviewers/next/' : `/reviewers/next/?after=${version.databaseId}`;
    return {
      actions: html`${others > 0 && html`<a class="button primary" href="${next}">${ui.t('review.next.left', { left: waitingNumber(ui, left) })}</a>`}
${version !== undefined && html`<a href="/reviewers/">${ui.t('review.title')}</a>`}`,
    };
  };

/** The path of the page about an author for reviewers. */
const authorHref = (username: string): string => `/reviewers/author/${encodeURIComponent(username)}/`;

/** The names of authors, with links to the pages about them for viewers who open those. */
export const authorNames = ({ viewer }: Ui, authors: readonly { name: string; username: string }[]): Html => {
  const nameOf = ({ name, username }: { name: string; username: string }) =>
    viewer?.isReviewer === true
      ? html`<a href="${authorHref(username)}"><bdi>${name}</bdi></a>`
      : html`<bdi>${name}</bdi>`;
  return joined(authors.map(nameOf));
};

/** The path of the page about a version of an add-on for its reviewers. */
export const reviewVersionUrl = (addon: Parameters<typeof reviewPath>[0], version: string): string =>
  `${reviewPath(addon)}?${new URLSearchParams({ version })}`;

const HOUR_MS = 3_600_000;
export const HOURS_A_DAY = 24;

/** How long ago a time is. */
export function ageOf(ui: Ui, since: string): Html {
  const text = hoursText(ui, (Date.now() - Date.parse(since)) / HOUR_MS);
  return html`<time datetime="${since}">${text}</time>`;
}

/** A duration: in hours for the first two days, in days from then on. */
export function hoursText({ t }: Ui, duration: number): Html {
  const hours = Math.max(0, Math.floor(duration));
  if (hours === 0) return t('review.hours-none');
  return hours < 2 * HOURS_A_DAY
    ? t('review.hours', { count: hours })
    : t('review.days', { count: Math.floor(hours / HOURS_A_DAY) });
}

/** Whether the viewer may claim a waiting version: reviewers of its type and channel, who may refer it. */
export const canClaim = (reviewActs: readonly string[]): boolean => reviewActs.includes('REFER');

/** Whether the viewer has something to decide about a version, which a reply or a comment is not. */
export const isDecidable = ({ reviewActs }: { reviewActs: readonly string[] }): boolean =>
  reviewActs.some((act) => act !== 'REPLY' && act !== 'COMMENT');

interface Claim {
  /** Of the form. */
  name: string;
  /** Of the version. */
  id: string;
  /** What is claimed, for screen readers. */
  what?: Html;
  claimedBy: { databaseId: number } | null;
}

/** Claims a version, or ends the claim of the viewer; nothing while another reviewer has claimed it. */
export function claimButton(ui: Ui, { name, id, what, claimedBy }: Claim): Html {
  if (claimedBy !== null && claimedBy.databaseId !== ui.viewer?.accountId) return html``;
  const release = claimedBy !== null;
  return buttonForm(ui, {
    ...{ name, hidden: { id, release: release ? '1' : '' } },
    button: html`${ui.t(release ? 'review.release' : 'review.claim')}${what}`,
  });
}

/** The badge of the claim that holds on a version. */
export const claimBadge = (ui: Ui, { name }: { name: string }): Html =>
  badge(ui, { kind: 'info', text: ui.t('review.claimed-by', { name: html`<bdi>${name}</bdi>` }) });
