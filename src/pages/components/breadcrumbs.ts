import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface Crumb {
  text: Html | string;
  /** Absent for the page itself. */
  href?: string;
}

/** The way from the home page to this one. */
export function breadcrumbs(ui: Ui, crumbs: readonly Crumb[]): Html {
  return html`<nav class="breadcrumbs" aria-label="${ui.t('ui.breadcrumbs')}"><ol>
${crumbs.map(
  ({ text, href }, index) => html`<li>${index > 0 && icon(ui, 'next')}${
    href === undefined ? html`<span aria-current="page">${text}</span>` : html`<a href="${href}">${text}</a>`
  }</li>
`,
)}</ol></nav>`;
}
