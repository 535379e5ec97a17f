/* How the page of a report shows what was reported: long parts are folded. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Characters of a text that is shown without a click. */
const SHORT = 800;

/** Whether a text is folded. */
export const isLong = (text: string | null): boolean => (text ?? '').length > SHORT;

/** A part of what was reported, behind a summary. */
export const folded = (summary: Html, content: Html, isOpen: boolean): Html =>
  html`<details${isOpen && html` open`}><summary>${summary}</summary>
${content}</details>`;

/** A written text: a long one is folded, and its summary says how long it is. `text` is what is measured. */
export function foldedText({ t }: Ui, title: Html, text: string, content: Html): Html {
  if (!isLong(text)) return folded(title, content, true);
  return folded(t('moderation.reported.long', { title, count: text.length }), content, false);
}

/** Links to the pages of what was reported. */
export const links = (items: readonly (readonly [href: string, text: Html])[]): Html =>
  html`<p class="cluster">${items.map(([href, text]) => html`<a href="${href}">${text}</a> `)}</p>`;
