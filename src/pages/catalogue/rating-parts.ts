/* Parts of pages about ratings: a rating with its reply, and the fields of forms. */
import { html } from 'hono/html';
import type {
  PageRatingFragment,
  PageRatingTextFragment,
  RatingPageQuery,
} from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import type { FormField, TextField } from '../components/form-field.ts';
import { stars } from '../components/rating.ts';
import { day, moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { pathOf } from './addresses.ts';

/** In characters. */
export const MAX_BODY = 10_000;

export const RATING_SCORES = ['5', '4', '3', '2', '1'] as const;

/** The field of the score: a choice that works by keyboard and without scripts. */
export const scoreField = (ui: Ui, value: number | null = null): FormField => ({
  kind: 'radio',
  name: 'score',
  label: ui.t('reviews.form.score'),
  isRequired: true,
  value: value === null ? null : String(value),
  options: RATING_SCORES.map((score) => ({ value: score, text: stars(ui, Number(score)) })),
});

/** The field of a text: of a rating, which is optional, or of a reply. */
export const bodyField = (ui: Ui, label: PageTextKey, value: string | null = null, isRequired = false): TextField => ({
  kind: 'textarea',
  name: 'body',
  label: ui.t(label),
  isRequired,
  value,
  maxLength: MAX_BODY,
  rows: 5,
});

/** The id of a rating in a page. */
const ratingAnchor = (id: number): string => `rating-${id}`;

/** The page of a rating where its text and the decision of a moderator are in view. */
export const decisionPath = (id: number): string => `/ratings/${id}/#${ratingAnchor(id)}`;

export const RATING_DECISIONS = ['KEEP', 'HIDE', 'DELETE'] as const;

/** The messages about decisions. */
export const RATING_DECIDED = { KEEP: 'rating-kept', HIDE: 'rating-hidden', DELETE: 'rating-removed' } as const;

type Hold = Pick<NonNullable<RatingPageQuery['rating']>, 'isOnHold' | 'holdReason' | 'openFlagCount'>;

/** Whether a moderator has hidden it and nothing was reported since: to hide it again changes nothing. */
const isHiddenByDecision = ({ holdReason, openFlagCount }: Hold): boolean =>
  holdReason === 'MODERATOR' && (openFlagCount ?? 0) === 0;

/** The fields of a decision of a moderator: what becomes of a rating or, without one, of several, and a note for moderators. */
export const decisionFields = ({ t }: Ui, rating: Hold | null = null): { decision: FormField; note: FormField } => ({
  decision: {
    kind: 'radio',
    name: 'decision',
    label: t('review.decision.what'),
    isRequired: true,
    options: RATING_DECISIONS.filter((value) => value !== 'HIDE' || rating === null || !isHiddenByDecision(rating)).map(
      (value) => ({
        value,
        text: t(
          rating?.isOnHold && value !== 'DELETE' ? `reviews.decision.hidden.${value}` : `reviews.decision.${value}`,
        ),
        hint: t(`reviews.decision-hint.${value}`),
      }),
    ),
  },
  note: {
    kind: 'textarea',
    name: 'note',
    label: t('moderation.note'),
    hint: t('reviews.decision.note-hint'),
    maxLength: MAX_BODY,
    rows: 3,
  },
});

type Decision = NonNullable<NonNullable<RatingPageQuery['rating']>['decisions']>['nodes'][number];

/** Who decided what about a rating, and when. */
export function ratingDecisionLine(
  ui: Ui,
  { decision, user, created }: Pick<Decision, 'decision' | 'user' | 'created'>,
): Html {
  const name = html`<bdi>${user?.name ?? ui.t('moderation.former-moderator')}</bdi>`;
  return ui.t(`reviews.decided.${decision}`, { name, time: moment(ui, created) });
}

/** Who wrote it, with a link to a public profile. */
export const ratingAuthor = ({ user: { name, url } }: { user: { name: string; url: string | null } }): Html =>
  url === null ? html`<bdi>${name}</bdi>` : html`<a href="${pathOf(url)}"><bdi>${name}</bdi></a>`;

/** Whether it is hidden or deleted. */
export function ratingStates(
  ui: Ui,
  { isOnHold, isDeleted }: Pick<PageRatingTextFragment, 'isOnHold' | 'isDeleted'>,
): Html {
  return html`${isOnHold && badge(ui, { kind: 'warning', text: ui.t('reviews.on-hold') })}${isDeleted && badge(ui, { kind: 'error', text: ui.t('reviews.deleted') })}`;
}

const bodyText = (body: string | null): Html =>
  body === null ? html`` : html`<p class="rating-text" dir="auto">${body}</p>`;

/** Score, writer, day and text of a rating or reply; `hrefOf` is the path of its page. */
export function ratingText(ui: Ui, rating: PageRatingTextFragment, hrefOf: (id: number) => string): Html {
  const { t } = ui;
  const { version, score } = rating;
  return html`<p class="rating-head">${score !== null && stars(ui, score)}<span class="muted">${t('reviews.by', { name: ratingAuthor(rating) })} · <a href="${hrefOf(rating.databaseId)}">${day(ui, rating.created)}</a>${
    version !== null &&
    html` · ${t('addon.versions.version', { version: html`<bdi dir="ltr">${version.number}</bdi>` })}`
  }</span>${ratingStates(ui, rating)}</p>
${bodyText(rating.body)}`;
}

/** A rating or a reply, with what the viewer may do with it. */
export function ratingArticle(ui: Ui, rating: PageRatingFragment, hrefOf: (id: number) => string): Html {
  const { t } = ui;
  const { reply } = rating;
  return html`<article class="rating-item" id="${ratingAnchor(rating.databaseId)}">
${ratingText(ui, rating, hrefOf)}
${
  reply !== null &&
  html`<div class="rating-reply" id="${ratingAnchor(reply.databaseId)}"><p class="muted">${t('reviews.reply-by', { name: ratingAuthor(reply) })} · <a href="${hrefOf(reply.databaseId)}">${day(ui, reply.created)}</a>${ratingStates(ui, reply)}</p>
${bodyText(reply.body)}
${canReport(ui, reply) && html`<p class="small"><a href="${hrefOf(reply.databaseId)}report/" rel="nofollow">${t('reviews.report-reply')}</a></p>`}</div>`
}
${links(ui, rating, hrefOf)}
</article>`;
}

/** Everyone but its writer reports what is not deleted; moderators decide about it instead. */
const canReport = ({ viewer }: Ui, { user, isDeleted, viewerRights }: PageRatingTextFragment): boolean =>
  !isDeleted && user.databaseId !== viewer?.accountId && !viewerRights.includes('DECIDE');

/** What the viewer may do with it, each in a form on its page. Visitors without an account report it on a page of its own. */
function links(ui: Ui, rating: PageRatingFragment, hrefOf: (id: number) => string): Html {
  const { databaseId, viewerRights, reply, isReply } = rating;
  const href = hrefOf(databaseId);
  const decides = viewerRights.includes('DECIDE');
  const shown = [
    ...(decides ? [{ href: decisionPath(databaseId), text: ui.t('reviews.decide') }] : []),
    ...(viewerRights.includes('EDIT') ? [{ href: `${href}#rating-edit`, text: ui.t('reviews.edit') }] : []),
    ...(viewerRights.includes('REPLY')
      ? [{ href: `${href}#rating-reply`, text: ui.t(reply === null ? 'reviews.reply' : 'reviews.reply-again') }]
      : []),
    ...(viewerRights.includes('FLAG') && !decides ? [{ href: `${href}#rating-flag`, text: ui.t('reviews.flag') }] : []),
    ...(!viewerRights.includes('FLAG') && canReport(ui, rating)
      ? [{ href: `${href}report/`, text: ui.t(isReply ? 'reviews.report-reply' : 'reviews.report') }]
      : []),
  ];
  if (shown.length === 0) return html``;
  return html`<p class="cluster small">${shown.map((link) => html`<a href="${link.href}" rel="nofollow">${link.text}</a> `)}</p>`;
}

/** A part of the page of a rating; its title has the id `<id>-title`. */
export const ratingSection = (id: string, title: Html, content: Html): Html =>
  html`<section class="stack" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
