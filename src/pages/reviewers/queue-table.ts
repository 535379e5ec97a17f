import { html } from 'hono/html';
import type { ReviewerQueueQuery } from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { localText } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import { channelName } from '../hub/states.ts';
import type { Ui } from '../ui.ts';
import { ageOf, authorNames, canClaim, claimBadge, claimButton, reviewVersionUrl } from './reviewer-page.ts';

type Item = ReviewerQueueQuery['reviewQueue']['nodes'][number];

/** Entries of the queue with what a reviewer chooses by, and their claims. */
export function queueTable(ui: Ui, items: readonly Item[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'queue',
    caption: t('review.title'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      'review.addon',
      'review.type',
      { number: 'review.users' },
      'review.waiting',
      'review.state',
      'review.claim',
    ],
    rows: items.map((item) => [
      html`${addonLink(ui, item)}${authorLine(ui, item)}`,
      html`${t(`review.type.${item.addon.type}`)}<div class="small muted">${channelName(ui, item.version.channel)}</div>`,
      ui.format.number(item.addon.averageDailyUsers),
      ageOf(ui, item.waitingSince),
      html`${states(ui, item)}`,
      rowClaim(ui, item),
    ]),
  });
}

const addonLink = (ui: Ui, { addon, version }: Item): Html =>
  html`<a href="${reviewVersionUrl(addon, version.version)}">${addon.name?.value ? localText(ui, addon.name) : html`<bdi dir="ltr">${addon.guid}</bdi>`} <bdi dir="ltr">${version.version}</bdi></a>`;

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
function newness({ t }: Ui, { baseVersion, isFirstVersion, version: { channel } }: Item): Html {
  if (baseVersion !== null) return t('review.update-of', { version: html`<bdi dir="ltr">${baseVersion}</bdi>` });
  return t(isFirstVersion ? 'review.first' : `review.first.${channel}`);
}

/** Only the reviewers of a referred version claim it, not those who decide about it. */
function rowClaim(ui: Ui, { version: { id, version, reviewActs }, addon, claimedBy }: Item): Html {
  if (!canClaim(reviewActs)) return html``;
  const what = html`<span class="visually-hidden"> ${addon.name?.value ?? addon.guid} ${version}</span>`;
  return claimButton(ui, { name: 'queue-claim', id, what, claimedBy });
}
