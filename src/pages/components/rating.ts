import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

/** The average of ratings as a star with a number, or that there are none. */
export function rating(ui: Ui, { average, count }: { average: number; count: number }): Html {
  if (count === 0) return html`<span class="rating none">${icon(ui, 'star')}${ui.t('ui.rating.none')}</span>`;
  const score = ui.format.score(average);
  return html`<span class="rating">${icon(ui, 'star')}<span class="visually-hidden">${ui.t('ui.rating.spoken', { score, count })}</span><span aria-hidden="true">${score} <span class="muted">(${ui.format.number(count)})</span></span></span>`;
}

const BEST = 5;

/** A score from 1 to 5 as stars, with a text for screen readers. */
export const stars = (ui: Ui, score: number): Html =>
  html`<span class="stars"><span class="visually-hidden">${ui.t('reviews.score', { score: ui.format.number(score) })}</span><span aria-hidden="true">${'★'.repeat(score)}<span class="stars-rest">${'★'.repeat(BEST - score)}</span></span></span>`;
