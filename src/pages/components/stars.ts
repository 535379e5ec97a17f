import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

const BEST = 5;

/** A score from 1 to 5 as stars, with a text for screen readers. */
export const stars = (ui: Ui, score: number): Html =>
  html`<span class="stars"><span class="visually-hidden">${ui.t('reviews.score', { score: ui.format.number(score) })}</span><span aria-hidden="true">${'★'.repeat(score)}<span class="stars-rest">${'★'.repeat(BEST - score)}</span></span></span>`;
