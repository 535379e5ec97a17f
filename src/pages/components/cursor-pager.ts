import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface CursorPager {
  /** Address of the first page; null on it. */
  firstHref: string | null;
  /** Address of the next page; null on the last one. */
  nextHref: string | null;
}

/** Links of a list that is read with cursors; nothing for a single page. */
export function cursorPager(ui: Ui, { firstHref, nextHref }: CursorPager): Html {
  if (firstHref === null && nextHref === null) return html``;
  return html`<nav class="pager" aria-label="${ui.t('ui.pager')}"><ul>
${firstHref !== null && html`<li><a href="${firstHref}">${icon(ui, 'previous')}${ui.t('ui.pager.first')}</a></li>`}
${nextHref !== null && html`<li><a rel="next" href="${nextHref}">${ui.t('ui.pager.next')}${icon(ui, 'next')}</a></li>`}
</ul></nav>`;
}
