/*
 * A reading: the query under one language tag. Its content words must match, the others need not. Each content word matches in several
 * forms, and joined with a neighbour.
 */
import { contentOf } from '../analysis/content.ts';
import { formsOf, stemsOf } from '../analysis/forms.ts';
import type { Tag } from '../analysis/languages.ts';
import { joinForms } from '../analysis/lexemes.ts';
import type { Analysis, Form, Word } from '../analysis/words.ts';

export interface Reading {
  tag: Tag;
  squash: string;
  words: readonly Word[];
  /** The words that must match; all words when there are no others. */
  content: readonly Word[];
}

/** Reads an analysed query under a tag. */
export function readingOf({ squash, words }: Analysis, tag: Tag): Reading {
  return { tag, squash, words, content: contentOf(words, tag) };
}

/** The terms of a form in names: its spellings and their stems. */
export function termsOf(form: Form, tag: Tag): string[] {
  return [...new Set([...formsOf(form, tag), ...stemsOf(form, tag)])];
}

/** A word joined with the word before and with the word after, where they exist. */
export interface Neighbours {
  before: Form | null;
  after: Form | null;
}

/** The joined neighbours of each of `words`. With `among`, only these words are joined. */
export function neighboursOf(words: readonly Word[], among: readonly Word[] = words): ReadonlyMap<Word, Neighbours> {
  const joinable = new Set(among);
  const join = (one: Word | undefined, other: Word | undefined) =>
    one === undefined || other === undefined || !joinable.has(one) || !joinable.has(other)
      ? null
      : joinForms(one, other);
  return new Map(
    words.map((word, index) => [word, { before: join(words[index - 1], word), after: join(word, words[index + 1]) }]),
  );
}
