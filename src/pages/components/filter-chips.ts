import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface Chip {
  text: Html | string;
  /** The page without this filter. */
  href: string;
}

interface Chips {
  items: readonly Chip[];
  /** The page without filters. */
  clearHref: string;
}

/** The filters in use; each link removes one. Nothing without filters. */
export function filterChips(ui: Ui, { items, clearHref }: Chips): Html {
  if (items.length === 0) return html``;
  return html`<ul class="filter-chips">
${items.map(
  ({ text, href }) =>
    html`<li><a href="${href}" rel="nofollow"><span class="visually-hidden">${ui.t('ui.chips.remove')}</span> ${text}${icon(ui, 'close')}</a></li>
`,
)}${items.length > 1 && html`<li><a class="quiet" href="${clearHref}" rel="nofollow">${ui.t('ui.chips.clear')}</a></li>`}
</ul>`;
}
