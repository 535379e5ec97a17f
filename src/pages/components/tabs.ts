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

/** Links between the pages of one subject. `label` names the subject for screen readers. */
export function tabs(ui: Ui, { label, items }: { label: Html | string; items: readonly Tab[] }): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>
${items.map(
  ({ text, href, isCurrent, count }) =>
    html`<li><a href="${href}"${isCurrent === true && html` aria-current="page"`}>${text}${
      count !== undefined && html` <span class="count">${ui.format.number(count)}</span>`
    }</a></li>
`,
)}</ul></nav>`;
}
