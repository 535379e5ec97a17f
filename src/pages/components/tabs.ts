import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface Tab {
  text: Html | string;
  href: string;
  isCurrent?: boolean;
  /** Shown after the text. */
  count?: number;
}

interface Tabs {
  /** Names the subject for screen readers. */
  label: Html | string;
}

/** Links between the pages of one subject. */
export const tabs = (ui: Ui, { label, items }: Tabs & { items: readonly Tab[] }): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>
${links(ui, items)}</ul></nav>`;

interface TabGroup {
  /** Unique in the page. */
  id: string;
  heading: Html | string;
  items: readonly Tab[];
}

/** Links between many pages, in groups with headings. On small screens they are folded. */
export const groupedTabs = (ui: Ui, { label, groups }: Tabs & { groups: readonly TabGroup[] }): Html =>
  html`<details class="area-tabs"><summary>${ui.t('ui.all-pages')}</summary>
<nav class="tabs grouped" aria-label="${label}">
${groups.map(
  ({ id, heading, items }) => html`<div><span id="${id}">${heading}</span><ul aria-labelledby="${id}">
${links(ui, items)}</ul></div>
`,
)}</nav></details>`;

const links = (ui: Ui, items: readonly Tab[]): readonly Html[] =>
  items.map(
    ({ text, href, isCurrent, count }) =>
      html`<li><a href="${href}"${isCurrent === true && html` aria-current="page"`}>${text}${
        count !== undefined && html` <span class="count">${ui.format.number(count)}</span>`
      }</a></li>
`,
  );
