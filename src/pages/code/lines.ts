/* What pages of code have in common: lines in pages, and the part of a long line that is shown. */
import type { CodeLine } from '../components/code-table.ts';

/** Lines of one page. */
export const LINES = 2_000;

const LINE_LIMIT = 400;

/** A line, cut after 400 characters. */
export function cutLine(line: CodeLine): CodeLine {
  if (line.text.length <= LINE_LIMIT) return line;
  // A cut may leave half of a character.
  return { ...line, text: line.text.slice(0, LINE_LIMIT).toWellFormed(), isCutAfter: true };
}
