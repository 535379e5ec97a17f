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
