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
  /** Whether only screen readers get the caption, where a heading has the same text. */
  isCaptionHidden?: boolean;
  /** Whether all columns have the same width, so that long tables do not move while they arrive. */
  isEven?: boolean;
  /** Whether each row is a block of its own on small screens, where the row has a heading. */
  isStacked?: boolean;
  columns: readonly Column[];
  /** Cells by row. The first cell is the heading of its row. */
  rows: readonly (readonly (Html | string)[])[];
}

// Markup is no primitive string.
const textOf = (ui: Ui, heading: Heading): Html =>
  typeof heading === 'string' ? ui.t(heading as PageTextKey) : heading;

/** Headings of columns with buttons and links, which say what they do where a row is a block. */
const ACTIONS: readonly Column[] = ['account.column.action', 'admin.column.actions', 'review.claim'];

/** The columns in their order; one for actions only if a row has some. */
function shownColumns({ columns, rows }: DataTable) {
  return columns.flatMap((column, index) => {
    const isActions = ACTIONS.some((each) => each === column);
    const isEmpty = rows.every((cells) => String(cells[index] ?? '') === '');
    return isActions && isEmpty ? [] : [{ column, index, isActions }];
  });
}

/** A table. Where it is wider than the page, it scrolls in a box that the keyboard reaches. */
export function dataTable(ui: Ui, table: DataTable): Html {
  const { id, caption, isCaptionHidden = false, isEven = false, isStacked = false, rows } = table;
  const headings = shownColumns(table).map(({ column, index, isActions }) => {
    const isNumber = typeof column === 'object' && 'number' in column;
    const text = textOf(ui, isNumber ? column.number : column);
    return {
      ...{ index, text, class: isNumber ? html` class="number"` : isActions && html` class="actions"` },
      label: isStacked && !isActions && html` data-label="${text}"`,
    };
  });
  return html`<section class="data-table" aria-labelledby="${id}" tabindex="0"><table${(isEven || isStacked) && html` class="${isEven ? 'even' : 'stacked'}"`}>
<caption id="${id}"${isCaptionHidden && html` class="visually-hidden"`}>${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col"${heading.class}>${heading.text}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${headings.map((heading) =>
    heading.index === 0
      ? html`<th scope="row"${heading.class}>${cells[0]}</th>`
      : html`<td${heading.class}${heading.label}>${cells[heading.index]}</td>`,
  )}</tr>
`,
)}</tbody>
</table></section>`;
}
