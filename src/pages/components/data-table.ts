import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** The heading of a column: a text, or the key of one without parameters. */
type Heading = PageTextKey | Html;

/** Columns with numbers are aligned at their end. */
export type Column = Heading | { number: Heading };

interface DataTable {
  /** Of the caption; unique in the page. */
  id: string;
  caption: Html | string;
  /** Whether only screen readers get the caption, where a heading says the same. */
  isCaptionHidden?: boolean;
  /** Whether all columns have the same width, so that long tables do not move while they arrive. */
  isEven?: boolean;
  /** Whether each row is a block of its own on small screens, where the heading of the row says what it is about. */
  isStacked?: boolean;
  columns: readonly Column[];
  /** Cells by row. The first cell is the heading of its row. */
  rows: readonly (readonly (Html | string)[])[];
}

// Markup is no primitive string.
const textOf = (ui: Ui, heading: Heading): Html =>
  typeof heading === 'string' ? ui.t(heading as PageTextKey) : heading;

/** A table. Where it is wider than the page, it scrolls in a box that the keyboard reaches. */
export function dataTable(ui: Ui, table: DataTable): Html {
  const { id, caption, isCaptionHidden = false, isEven = false, isStacked = false, columns, rows } = table;
  const headings = columns.map((column) =>
    typeof column === 'object' && 'number' in column
      ? { text: textOf(ui, column.number), class: html` class="number"` }
      : { text: textOf(ui, column), class: '' },
  );
  const classOf = (index: number) => headings[index]?.class ?? '';
  return html`<section class="data-table" aria-labelledby="${id}" tabindex="0"><table${(isEven || isStacked) && html` class="${isEven ? 'even' : 'stacked'}"`}>
<caption id="${id}"${isCaptionHidden && html` class="visually-hidden"`}>${caption}</caption>
<thead><tr>${headings.map(({ text }, index) => html`<th scope="col"${classOf(index)}>${text}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell, index) =>
    index === 0
      ? html`<th scope="row"${classOf(0)}>${cell}</th>`
      : html`<td${classOf(index)}${isStacked && html` data-label="${headings[index]?.text ?? ''}"`}>${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table></section>`;
}
