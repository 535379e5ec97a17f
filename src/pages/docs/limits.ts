import { html } from 'hono/html';
import { dataTable } from '../components/data-table.ts';
import type { Html } from '../html.ts';
import { helpPage } from './article.ts';
import { SERVICE_LIMITS } from './service-limits.ts';

/** The limits of the service, from the tables that the code itself uses. */
export const limitsPage = helpPage({
  path: '/docs/limits/',
  intro: 'docs.limits.intro',
  body: (ui) => html`<div class="prose" lang="en" dir="ltr">
${SERVICE_LIMITS.map(
  ({ title, parts }, index) => html`<h2 id="limits-${index}">${title}</h2>
${parts.map((part, place) =>
  'lines' in part
    ? html`<p>${inline(part.lines.join(' '))}</p>`
    : dataTable(ui, {
        id: `limits-${index}-${place}`,
        caption: place < 2 ? title : `${title} (${place})`,
        isCaptionHidden: true,
        columns: part.columns.map(inline),
        rows: part.rows.map((cells) => cells.map((cell) => inline(String(cell)))),
      }),
)}
`,
)}
</div>`,
});

/** A line of text with `code` between backquotes. Links to files of the repository become their text. */
function inline(text: string): Html {
  const parts = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
