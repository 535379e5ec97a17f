import { html } from 'hono/html';
import { type Html, inTurns } from '../html.ts';
import type { Ui } from '../ui.ts';
import { revealInvisible } from './file-name.ts';

/** A part of a line in its language, in UTF-16 code units from 0. */
interface Token {
  kind: 'KEYWORD' | 'STRING' | 'COMMENT' | 'NUMBER';
  start: number;
  end: number;
}

export interface CodeLine {
  /** In the file, from 1; null for a line that only the other file has. */
  number: number | null;
  text: string;
  /** In order, without overlaps. */
  tokens?: readonly Token[];
  /** Of a formatted text: where the line begins in the file. */
  origin?: { line: number; column: number } | null;
  /** Whether `text` lacks the beginning or the end of the line. */
  isCutBefore?: boolean;
  isCutAfter?: boolean;
  /** The page with the whole of a line that is cut. */
  wholeHref?: string;
  kind?: 'same' | 'inserted' | 'deleted' | 'marked';
}

interface CodeTable<Line extends CodeLine> {
  /** Prefix of the anchors of its lines, unique in the page; null for lines without anchors. */
  id: string | null;
  label: Html | string;
  lines: readonly Line[];
  /** Whether lines are wrapped, instead of scrolled. */
  isWrapped?: boolean;
  /** What can be done about a line: a link, in a column of its own. */
  action?(line: Line): Html | null;
  /** The row above a line, such as the place of a part of a file. */
  above?(line: Line): string | null;
  /** The rows below a line, such as messages about it. */
  below?(line: Line): readonly Html[];
}

const SIGNS = { same: '', inserted: '+', deleted: '−', marked: '›' } as const;

/** Lines that are rendered in one turn. */
const ONE_TURN = 100;

/** In place of what is cut. */
const CUT = html`<span class="muted">…</span>`;

/** Lines of a file. It scrolls in a box that the keyboard reaches. */
export function codeTable<Line extends CodeLine>(
  ui: Ui,
  { id, label, lines, isWrapped = false, action, above = () => null, below = () => [] }: CodeTable<Line>,
): Html {
  const hasOrigins = lines.some(({ origin }) => origin != null);
  const columns = 3 + (hasOrigins ? 1 : 0) + (action === undefined ? 0 : 1);
  const row = (line: Line): Html => {
    const { number, kind = 'same', origin } = line;
    const anchor = id === null || number === null ? null : `${id}-${kind === 'deleted' ? 'D' : 'L'}${number}`;
    const heading = above(line);
    const start =
      anchor === null
        ? html`<tr class="${kind}"><th scope="row">${number}</th>`
        : html`<tr class="${kind}" id="${anchor}"><th scope="row"><a href="#${anchor}">${number}</a></th>`;
    return html`${heading !== null && html`<tr class="code-hunk"><td colspan="${columns}">${heading}</td></tr>`}${start}${hasOrigins && html`<td class="code-origin">${origin != null && `${origin.line}:${origin.column}`}</td>`}${
      action !== undefined && html`<td class="code-action">${action(line)}</td>`
    }<td class="code-sign">${SIGNS[kind]}</td><td>${codeText(line)}${wholeLink(ui, line)}</td></tr>
${below(line).map((note) => html`<tr class="code-note"><td colspan="${columns}">${note}</td></tr>`)}`;
  };
  return html`<div role="group" class="code-table${isWrapped && ' wrapped'}" aria-label="${label}" tabindex="0" dir="ltr"><table>
<tbody>
${lines.length > ONE_TURN ? inTurns(lines, row) : lines.map(row)}</tbody>
</table></div>`;
}

const wholeLink = (ui: Ui, { number, wholeHref }: CodeLine): Html | false =>
  wholeHref !== undefined &&
  html` <a class="code-whole" dir="${ui.direction}" href="${wholeHref}">${ui.t('code.line.whole', { line: number ?? 0 })}</a>`;

function codeText({ kind, text, tokens = [], isCutBefore = false, isCutAfter = false }: CodeLine): Html {
  const shown = html`${isCutBefore && CUT}${highlighted(text, tokens)}${isCutAfter && CUT}`;
  if (kind === 'inserted') return html`<ins>${shown}</ins>`;
  return kind === 'deleted' ? html`<del>${shown}</del>` : html`<code>${shown}</code>`;
}

const SPANS = {
  KEYWORD: '<span class="code-keyword">',
  STRING: '<span class="code-string">',
  COMMENT: '<span class="code-comment">',
  NUMBER: '<span class="code-number">',
} as const;

/** The text with its tokens, which may extend to what was cut. */
function highlighted(text: string, tokens: readonly Token[]): Html | string {
  if (tokens.length === 0) return revealInvisible(text);
  // Markup and, in turn, text that the template escapes.
  const markup = [''];
  const texts: string[] = [];
  let at = 0;
  for (const { kind, start, end } of tokens) {
    if (start >= text.length) break;
    texts.push(revealInvisible(text.slice(at, start)), revealInvisible(text.slice(start, end)));
    markup.push(SPANS[kind], '</span>');
    at = end;
  }
  texts.push(revealInvisible(text.slice(at)));
  markup.push('');
  return html(Object.assign(markup, { raw: markup }), ...texts);
}
