import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface FilterItem {
  text: Html | string;
  href: string;
  /** Results with this value. */
  count: number | null;
  isCurrent?: boolean;
}

interface FilterGroup {
  title: Html | string;
  items: readonly FilterItem[];
}

/** Items that a group shows before "more". */
const SHOWN = 8;

/** Filters of a list as links with the number of results, by group. A link of a current value removes it. */
export function filterList(ui: Ui, groups: readonly FilterGroup[]): Html {
  return html`<details class="filter-list">
<summary>${icon(ui, 'filter')}${ui.t('ui.filters')}</summary>
<nav aria-label="${ui.t('ui.filters')}">
${groups.filter(({ items }) => items.length > 0).map((group) => filterGroup(ui, group))}
</nav>
</details>`;
}

function filterGroup(ui: Ui, { title, items }: FilterGroup): Html {
  const [first, rest] = [items.slice(0, SHOWN), items.slice(SHOWN)];
  return html`<h2>${title}</h2>
<ul>${first.map((item) => filterItem(ui, item))}</ul>
${
  rest.length > 0 &&
  html`<details class="filter-more"${rest.some(({ isCurrent }) => isCurrent === true) && html` open`}>
<summary>${ui.t('ui.filters.more', { count: rest.length })}</summary>
<ul>${rest.map((item) => filterItem(ui, item))}</ul>
</details>`
}
`;
}

function filterItem(ui: Ui, { text, href, count, isCurrent }: FilterItem): Html {
  return html`<li><a href="${href}"${isCurrent === true && html` aria-current="true"`} rel="nofollow"><span class="filter-text">${
    isCurrent === true && icon(ui, 'check')
  }${text}</span>${count !== null && html` <span class="count">${ui.format.number(count)}</span>`}</a></li>
`;
}

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
