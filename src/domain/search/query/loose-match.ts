/* Matching of misspelt words, used when nothing matches as written. */

/** Maximum edit distance for a word of `length` characters. */
export function allowedEdits(length: number): 0 | 1 | 2 {
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/** Minimum number of query words that a name must match. */
export function wordsNeeded(words: number): number {
  if (words <= 2) return words;
  return words === 3 ? 2 : Math.ceil(words * 0.75);
}

/** Whether `word` may be a misspelling of `term`: same first letter, edit distance within the limit. */
export function isNearly(word: string, term: string): boolean {
  const from = Array.from(word);
  const to = Array.from(term);
  return from[0] === to[0] && isWithin(from, to, allowedEdits(from.length));
}

/** The smallest number of edits from `word` to `term`; null when `word` cannot be a misspelling of it. */
export function editsBetween(word: string, term: string): number | null {
  const from = Array.from(word);
  const to = Array.from(term);
  if (from[0] !== to[0]) return null;
  const most = allowedEdits(from.length);
  return [0, 1, 2].find((edits) => edits <= most && isWithin(from, to, edits)) ?? null;
}

/**
 * Whether the optimal string alignment distance between the rest of `from` and the rest of `to` is at most `edits`. Matching
 * equal characters is never worse than editing them, so the recursion only branches at a difference.
 */
function isWithin(from: readonly string[], to: readonly string[], edits: number, fromIndex = 0, toIndex = 0): boolean {
  let [i, j] = [fromIndex, toIndex];
  while (i < from.length && from[i] === to[j]) {
    i++;
    j++;
  }
  const [missing, more] = [from.length - i, to.length - j];
  if (Math.abs(missing - more) > edits) return false;
  if (missing === 0 || more === 0) return true;
  if (edits === 0) return false;
  const isSwapped = missing > 1 && from[i] === to[j + 1] && from[i + 1] === to[j];
  return (
    (isSwapped && isWithin(from, to, edits - 1, i + 2, j + 2)) ||
    isWithin(from, to, edits - 1, i + 1, j + 1) ||
    isWithin(from, to, edits - 1, i + 1, j) ||
    isWithin(from, to, edits - 1, i, j + 1)
  );
}
