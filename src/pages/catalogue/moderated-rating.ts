/* What moderators see on the page of a rating: the ways to others, why it waits, and earlier decisions. */
import { html } from 'hono/html';
import type { RatingPageQuery, RatingsAfterQuery } from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { RATINGS_PATH } from '../moderation/report-labels.ts';
import type { Ui } from '../ui.ts';
import { decisionPath, ratingAuthor, ratingDecisionLine, ratingSection } from './rating-parts.ts';

type Rating = NonNullable<RatingPageQuery['rating']>;

/** The ways from a rating to the list of those that wait, and to the next one of it that the viewer decides about. */
export function toModeration(
  { t }: Ui,
  { databaseId }: Rating,
  { ratingsToModerate: { nodes } }: RatingsAfterQuery,
): Html {
  const others = nodes.filter((each) => each.databaseId === databaseId || each.viewerRights.includes('DECIDE'));
  const at = others.findIndex((each) => each.databaseId === databaseId);
  // After the last one, the first.
  const next = others[at + 1] ?? (at > 0 ? others[0] : undefined);
  return html`<p class="cluster"><a href="${RATINGS_PATH}">${t('moderation.ratings')}</a> ${next && html`<a href="${decisionPath(next.databaseId)}">${t('moderation.ratings.next-waiting')}</a>`}</p>`;
}

/** What moderators have decided about it, newest first, with their notes; nothing for others. */
export function madeDecisions(ui: Ui, { decisions: made }: Rating): Html {
  if (made === null || made.nodes.length === 0) return html``;
  const list = html`<ul class="stack">${made.nodes.map(
    (each) =>
      html`<li>${ratingDecisionLine(ui, each)}${each.note !== null && html`<blockquote class="thread-text" dir="auto">${each.note}</blockquote>`}</li>
`,
  )}</ul>`;
  return ratingSection('decisions', ui.t('reviews.decisions'), list);
}

/** Why it is on hold, and who reported what. */
export function moderationReasons(ui: Ui, { flagCounts, flags, holdReason }: Rating): Html {
  const { t } = ui;
  const shown = flags?.nodes ?? [];
  const others = (flagCounts ?? []).reduce((sum, { count }) => sum + count, 0) - shown.length;
  if (shown.length === 0 && holdReason === null) return html``;
  return html`<ul class="stack">
${holdReason !== null && html`<li>${t(`reviews.hold.${holdReason}`)}</li>`}
${shown.map((flag) => html`<li>${flagText(ui, flag)}</li>`)}
${others > 0 && html`<li>${t('reviews.flags-more', { count: others })}</li>`}
</ul>`;
}

function flagText(ui: Ui, flag: NonNullable<Rating['flags']>['nodes'][number]): Html {
  const { t } = ui;
  const facts = { reason: html`<strong>${t(`reviews.flag.${flag.reason}`)}</strong>`, day: day(ui, flag.created) };
  const by =
    flag.user === null
      ? t('reviews.flagged-by-service', facts)
      : t('reviews.flagged-by', { ...facts, name: ratingAuthor({ user: flag.user }) });
  return html`${by}${flag.isByAuthor && html` ${badge(ui, { kind: 'warning', text: t('reviews.flag-by-author') })}`}${flag.decided !== null && html` ${badge(ui, { text: t('reviews.flag-decided') })}`}
${flag.note !== null && html`<blockquote class="thread-text" dir="auto">${flag.note}</blockquote>`}`;
}
