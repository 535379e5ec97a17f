import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface Shelf {
  /** Of the heading; unique in the page. */
  id: string;
  title: Html | string;
  /** Below the title. */
  hint?: Html | string;
  cards: readonly Html[];
  /** The link to all of them. Its text should name the subject, as screen readers list links without their place. */
  more?: { href: string; text: Html | string };
}

/** A row of cards with a title; nothing without cards. */
export function shelf(ui: Ui, { id, title, hint, cards, more }: Shelf): Html {
  if (cards.length === 0) return html``;
  return html`<section class="shelf" aria-labelledby="${id}">
<div class="shelf-head">
<h2 id="${id}">${title}</h2>
${more !== undefined && html`<a href="${more.href}">${more.text}${icon(ui, 'next')}</a>`}
</div>
${hint !== undefined && html`<p class="muted">${hint}</p>`}
<ul class="${cards.length === 4 ? 'cards four' : 'cards'}">
${cards.map((card) => html`<li>${card}</li>`)}</ul>
</section>`;
}
