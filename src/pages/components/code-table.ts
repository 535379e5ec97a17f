import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

export interface CodeLine {
  /** In the file, from 1; null for a line that only the other file has. */
  number: number | null;
  text: string;
  kind?: 'same' | 'inserted' | 'deleted' | 'marked';
  /** Below the line. */
  note?: Html;
}

interface CodeTable {
  /** Prefix of the anchors of its lines; unique in the page. */
  id: string;
  label: Html | string;
  lines: readonly CodeLine[];
}

const SIGNS = { same: '', inserted: '+', deleted: '−', marked: '' } as const;

/** Lines of a file, each with an anchor. It scrolls in a box that the keyboard reaches. */
export function codeTable(_ui: Ui, { id, label, lines }: CodeTable): Html {
  return html`<section class="code-table" aria-label="${label}" tabindex="0" dir="ltr"><table>
<tbody>
${lines.map(({ number, text, kind = 'same', note }) => {
  const anchor = kind === 'deleted' ? `${id}-D${number}` : `${id}-L${number}`;
  const sign = SIGNS[kind];
  return html`<tr class="${kind}"${number !== null && html` id="${anchor}"`}><th scope="row">${
    number !== null && html`<a href="#${anchor}">${number}</a>`
  }</th><td class="code-sign">${sign}</td><td>${codeText(kind, visible(text))}</td></tr>
${note !== undefined && html`<tr class="code-note"><td colspan="3">${note}</td></tr>`}`;
})}</tbody>
</table></section>`;
}

function codeText(kind: NonNullable<CodeLine['kind']>, text: string): Html {
  if (kind === 'inserted') return html`<ins>${text}</ins>`;
  return kind === 'deleted' ? html`<del>${text}</del>` : html`<code>${text}</code>`;
}

/** Characters that change the order of the shown text, which hide what a program does. */
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g;

/** `text` with the code points of control characters for text direction. */
const visible = (text: string): string =>
  text.replace(BIDI, (control) => `<U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);
