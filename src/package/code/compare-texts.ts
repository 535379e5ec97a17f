import { structuredPatch } from 'diff';

/** A line of a comparison. */
export interface DiffLine {
  kind: 'context' | 'deleted' | 'added';
  /** Without its line feed. */
  text: string;
  /** Its number in the old and the new text, from 1; null where it is not. */
  oldNumber: number | null;
  newNumber: number | null;
  /** Whether it is the last line of a text that does not end with a line feed. */
  isUnterminated: boolean;
}

/** A part of a comparison, as in a unified diff. Numbers count from 1; a part without lines starts at the line before it. */
export interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: DiffLine[];
}

export interface CompareOptions {
  /** Unchanged lines before and after each change. */
  context: number;
  /** Whether white space at the start and end of lines counts. */
  ignoreWhitespace: boolean;
  timeoutMs: number;
}

const KINDS = { ' ': 'context', '-': 'deleted', '+': 'added' } as const;

/** Compares two texts by lines. Null when that takes longer than `timeoutMs`. */
export function compareTexts(
  before: string,
  after: string,
  { context, ignoreWhitespace, timeoutMs }: CompareOptions,
): DiffHunk[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context, ignoreWhitespace, timeout: timeoutMs });
  return patch?.hunks.map(readHunk) ?? null;
}

function readHunk({
  oldStart,
  oldLines,
  newStart,
  newLines,
  lines,
}: Omit<DiffHunk, 'lines'> & { lines: string[] }): DiffHunk {
  // The library counts to the line after a place without lines; a unified diff names the line before it.
  const start = (line: number, lines: number) => (lines === 0 ? line - 1 : line);
  const starts = { oldStart: start(oldStart, oldLines), newStart: start(newStart, newLines) };
  const hunk: DiffHunk = { ...starts, oldLines, newLines, lines: [] };
  let oldNumber = oldStart;
  let newNumber = newStart;
  for (const line of lines) {
    const kind = KINDS[line[0] as keyof typeof KINDS];
    if (kind === undefined) {
      // `\ No newline at end of file` is about the line before it.
      const last = hunk.lines.at(-1);
      if (last !== undefined) last.isUnterminated = true;
      continue;
    }
    hunk.lines.push({
      ...{ kind, text: line.slice(1), isUnterminated: false },
      oldNumber: kind === 'added' ? null : oldNumber++,
      newNumber: kind === 'deleted' ? null : newNumber++,
    });
  }
  return hunk;
}
