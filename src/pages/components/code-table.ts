import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

export interface CodeLine {
  /** In the file, from 1; null for a line that only the other file has. */
  number: number | null;
  text: string;
  /** Whether `text` lacks the beginning or the end of the line. */
  isCutBefore?: boolean;
  isCutAfter?: boolean;
  kind?: 'same' | 'inserted' | 'deleted' | 'marked';
  /** Below the line. */
  note?: Html;
}

interface CodeTable {
  /** Prefix of the anchors of its lines, unique in the page; null for lines without anchors. */
  id: string | null;
  label: Html | string;
  lines: readonly CodeLine[];
}

const SIGNS = { same: '', inserted: '+', deleted: '−', marked: '›' } as const;

/** In place of what is cut. */
const CUT = html`<span class="muted">…</span>`;

/** Lines of a file. It scrolls in a box that the keyboard reaches. */
export function codeTable(_ui: Ui, { id, label, lines }: CodeTable): Html {
  return html`<div role="group" class="code-table" aria-label="${label}" tabindex="0" dir="ltr"><table>
<tbody>
${lines.map((line) => {
  const { number, kind = 'same', note } = line;
  const anchor = id === null || number === null ? null : `${id}-${kind === 'deleted' ? 'D' : 'L'}${number}`;
  return html`<tr class="${kind}"${anchor !== null && html` id="${anchor}"`}><th scope="row">${
    anchor === null ? number : html`<a href="#${anchor}">${number}</a>`
  }</th><td class="code-sign">${SIGNS[kind]}</td><td>${codeText(line)}</td></tr>
${note !== undefined && html`<tr class="code-note"><td colspan="3">${note}</td></tr>`}`;
})}</tbody>
</table></div>`;
}

function codeText({ kind, text, isCutBefore = false, isCutAfter = false }: CodeLine): Html {
  const shown = html`${isCutBefore && CUT}${visible(text)}${isCutAfter && CUT}`;
  if (kind === 'inserted') return html`<ins>${shown}</ins>`;
  return kind === 'deleted' ? html`<del>${shown}</del>` : html`<code>${shown}</code>`;
}

/**
 * Control and format characters but for tabs: those for text direction, of no width and of nothing hide what a program does, and HTML
 * allows few of the others.
 */
const INVISIBLE = /(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** `text` with the code points of invisible characters. */
const visible = (text: string): string =>
  text.replace(
    INVISIBLE,
    (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`,
  );
