/*
 * Misspelt words: what counts as the same word when nothing is found as written.
 */

/** Edits that a word of this many characters may be away from what is meant. */
export function allowedEdits(length: number): 0 | 1 | 2 {
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/** How many of a query's words a name has to have. */
export function wordsNeeded(words: number): number {
  if (words <= 2) return words;
  return words === 3 ? 2 : Math.ceil(words * 0.75);
}

/** Whether `term` may be meant by `word`: the same first letter and few enough edits. */
export function isNearly(word: string, term: string): boolean {
  const from = Array.from(word);
  const to = Array.from(term);
  return from[0] === to[0] && isWithin(from, to, allowedEdits(from.length));
}

/**
 * Whether `to` is at most `limit` insertions, deletions, replacements or swaps of neighbours away from `from`, no
 * character being edited twice (optimal string alignment).
 */
function isWithin(from: readonly string[], to: readonly string[], limit: number): boolean {
  if (Math.abs(from.length - to.length) > limit) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const steps = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1)];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) steps.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...steps));
    }
    if (Math.min(...current) > limit) return false;
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length) <= limit;
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
