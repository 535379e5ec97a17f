import type { DiffHunk, DiffLine } from '../../src/package/code/compare-texts.ts';

const SIGNS = { context: ' ', deleted: '-', added: '+' } as const;

/** A unified diff of the file with this name, as other programs read it. */
export function unifiedDiff(name: string, hunks: readonly DiffHunk[]): string {
  const written = ({ kind, text, isUnterminated }: DiffLine) =>
    `${SIGNS[kind]}${text}\n${isUnterminated ? '\\ No newline at end of file\n' : ''}`;
  const parts = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.map(written).join('')}`,
  );
  return `--- a/${name}\n+++ b/${name}\n${parts.join('')}`;
}
