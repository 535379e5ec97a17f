/* Lines of texts, and places in them. It imports no reader: the web process uses it. */

export type TokenKind = 'keyword' | 'string' | 'comment' | 'number';

/** A part of a line, in UTF-16 code units from 0; `end` is the first after it. */
export interface TokenRange {
  kind: TokenKind;
  start: number;
  end: number;
}

/** A place in a text, both from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

/** The lines of a text, which end with line feeds; the empty rest after the last one is none. A carriage return stays in its line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** How many lines `linesOf` returns. */
export function countLinesOf(text: string): number {
  const feeds = feedsIn(text, Number.POSITIVE_INFINITY).count;
  return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}

/** Where the line with this index begins; the length of the text if it has fewer lines. */
export function lineStart(text: string, index: number): number {
  const { count, end } = feedsIn(text, index);
  return count < index ? text.length : end;
}

/** At most `most` line feeds from the start of the text: how many there are, and the position after the last one. */
function feedsIn(text: string, most: number): { count: number; end: number } {
  let [count, end] = [0, 0];
  for (; count < most; count++) {
    const feed = text.indexOf('\n', end);
    if (feed < 0) break;
    end = feed + 1;
  }
  return { count, end };
}
