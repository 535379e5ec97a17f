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
 * Whether what `to` has from `toIndex` on is at most `edits` insertions, deletions, replacements or swaps of neighbours away from
 * what `from` has, no character being edited twice (optimal string alignment). To take equal characters for each other is never
 * worse than to edit them, and so few edits leave few ways to try.
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
