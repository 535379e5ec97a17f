/* The words of a query that must match. */
import { optionalPairs } from './cjk.ts';
import { isStopWord, type Tag } from './languages.ts';
import type { Word } from './words.ts';

/**
 * The words of a query that must match under a tag: without stop words and without pairs of characters that belong to no word. All words
 * when there are no others.
 */
export function contentOf(words: readonly Word[], tag: Tag): readonly Word[] {
  const optional = optionalPairs(words, []);
  const content = words.filter((word) => !isStopWord(tag, word.orig) && !optional.has(word));
  return content.length > 0 ? content : words;
}
