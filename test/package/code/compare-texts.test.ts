import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareTexts, type DiffHunk } from '../../../src/package/code/compare-texts.ts';
import { countChanges } from '../../../src/package/code/file-changes.ts';
import { unifiedDiff } from '../../support/unified-diff.ts';

const OPTIONS = { context: 3, ignoreWhitespace: false, timeoutMs: 60_000 };

const compare = (before: string, after: string, options: Partial<typeof OPTIONS> = {}): DiffHunk[] => {
  const hunks = compareTexts(before, after, { ...OPTIONS, ...options });
  if (hunks === null) throw new Error('The comparison took too long.');
  return hunks;
};

/** The first text after Git has applied the hunks to it. */
function applied(before: string, hunks: readonly DiffHunk[]): string {
  if (hunks.length === 0) return before;
  const folder = mkdtempSync(join(tmpdir(), 'compare-texts-'));
  try {
    writeFileSync(join(folder, 'file'), before);
    execFileSync('git', ['apply', '--whitespace=nowarn', '--unidiff-zero', '-'], {
      cwd: folder,
      input: unifiedDiff('file', hunks),
    });
    return readFileSync(join(folder, 'file'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers from 0 to 1 that are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

function pairOf(seed: number): [string, string] {
  const random = numbers(seed);
  const next = () => random.next().value;
  const ending = next() < 0.3 ? '\r\n' : '\n';
  const lines = Array.from({ length: Math.floor(next() * 60) }, () => `line ${Math.floor(next() * 8)}`);
  const changed = lines.flatMap((line) => {
    const change = next();
    if (change < 0.1) return [];
    if (change < 0.2) return [line, 'inserted'];
    return change < 0.3 ? [`${line} changed`] : [line];
  });
  const text = (all: string[]) => all.join(ending) + (next() < 0.5 ? ending : '');
  return [text(lines), text(changed)];
}

describe('the comparison of two texts', () => {
  it.each([0, 3, 1_000])('changes the first text into the second one, with %i lines of context', (context) => {
    for (let seed = 1; seed <= 40; seed++) {
      const [before, after] = pairOf(seed);
      // Git does not apply a patch to a file that does not end with a line break without a line around the change.
      if (context === 0 && (!before.endsWith('\n') || !after.endsWith('\n'))) continue;
      expect(applied(before, compare(before, after, { context }))).toBe(after);
    }
  });

  it('numbers the lines of both texts', () => {
    const [hunk] = compare('a\nb\nc\n', 'a\nB\nc\nd\n');
    expect(hunk).toEqual({
      ...{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 },
      lines: [
        { kind: 'context', text: 'a', oldNumber: 1, newNumber: 1, isUnterminated: false },
        { kind: 'deleted', text: 'b', oldNumber: 2, newNumber: null, isUnterminated: false },
        { kind: 'added', text: 'B', oldNumber: null, newNumber: 2, isUnterminated: false },
        { kind: 'context', text: 'c', oldNumber: 3, newNumber: 3, isUnterminated: false },
        { kind: 'added', text: 'd', oldNumber: null, newNumber: 4, isUnterminated: false },
      ],
    });
  });

  it('marks the last line of a text that does not end with a line feed', () => {
    const [hunk] = compare('a', 'a\n');
    expect(hunk?.lines.map(({ kind, isUnterminated }) => [kind, isUnterminated])).toEqual([
      ['deleted', true],
      ['added', false],
    ]);
  });

  it('compares with an empty text', () => {
    expect(compare('', 'a\nb\n')).toMatchObject([{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2 }]);
    expect(compare('', '')).toEqual([]);
  });

  it('ignores white space at the start and end of lines when it is told to', () => {
    expect(compare('if (a)\n  b();\n', 'if (a)\n\tb(); \n', { ignoreWhitespace: true })).toEqual([]);
    expect(countChanges(compare('if (a)\n  b();\n', 'if (a)\n\tb(); \n'))).toEqual({ additions: 1, deletions: 1 });
  });

  it('ends after its time', () => {
    const lines = (step: number) =>
      Array.from({ length: 30_000 }, (_, index) => `${(index * step) % 30_011}\n`).join('');
    const started = performance.now();
    expect(compareTexts(lines(7), lines(11), { ...OPTIONS, timeoutMs: 100 })).toBeNull();
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
