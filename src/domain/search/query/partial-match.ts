/* Matching of misspelt words, used when nothing matches as written. */

/** Maximum edit distance for a word of `length` characters. */
function allowedEdits(length: number): 0 | 1 | 2 {
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/** Minimum number of query words that a name must match. */
export function wordsNeeded(words: number): number {
  if (words <= 2) return words;
  return words === 3 ? 2 : Math.ceil(words * 0.75);
}

/** A variant of a word that may be misspelt: the terms meant have its first `kept` letters. */
interface WordVariant {
  word: string;
  kept: 1 | 2;
  /** Maximum edit distance between the variant and a term. */
  edits: number;
  /** Edits between the word and this variant. */
  spent: 0 | 1;
}

/**
 * The variants of a word: as written, and with its first two letters exchanged. Misspellings rarely change the first letter in any other
 * way, and terms of all first letters would be too many to compare.
 */
export function wordVariants(word: string): WordVariant[] {
  const [first, second, ...rest] = Array.from(word);
  const edits = allowedEdits(rest.length + 2);
  const asWritten: WordVariant = { word, kept: 1, edits, spent: 0 };
  if (first === undefined || second === undefined || first === second || edits === 0) return [asWritten];
  return [asWritten, { word: [second, first, ...rest].join(''), kept: 2, edits: edits - 1, spent: 1 }];
}

/** Whether `word` may be a misspelling of `term`: same first letter or the first two exchanged, edit distance within the limit. */
export const isNearly = (word: string, term: string): boolean => editsBetween(word, term) !== null;

/** The smallest number of edits from `word` to `term`; null when `word` cannot be a misspelling of it. */
export function editsBetween(word: string, term: string): number | null {
  const to = Array.from(term);
  const found = wordVariants(word).flatMap((variant) => {
    const from = Array.from(variant.word);
    if (from.slice(0, variant.kept).some((letter, index) => letter !== to[index])) return [];
    const edits = [0, 1, 2].find((each) => each <= variant.edits && isWithin(from, to, each));
    return edits === undefined ? [] : [edits + variant.spent];
  });
  return found.length === 0 ? null : Math.min(...found);
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
