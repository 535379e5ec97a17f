/*
 * A interpretation: the query under one language tag. Its content words must match, the others need not. Each content word matches in several
 * forms, and joined with a neighbour.
 */
import { joinWords } from '../analysis/cjk.ts';
import { contentOf } from '../analysis/content.ts';
import { formsOf, stemsOf } from '../analysis/forms.ts';
import type { Tag } from '../analysis/languages.ts';
import { joinForms } from '../analysis/lexemes.ts';
import type { Analysis, Form, Word } from '../analysis/words.ts';

export interface QueryInterpretation {
  tag: Tag;
  /** The text for exact comparison. */
  raw: string;
  /** All words joined. */
  squash: string;
  words: readonly Word[];
  /** The words without stop words. */
  significant: readonly Word[];
  /** The words that must match. */
  content: readonly Word[];
  /** Whether no other interpretation but that of all words contains this one. */
  isLongest: boolean;
}

/** The interpretations of a query under a tag. */
export interface QueryInterpretations {
  /** All words. */
  full: QueryInterpretation;
  /** Without some of the question phrases and category words: such words may be a part of a name. */
  partial: readonly QueryInterpretation[];
  /** Without all of them; null if it has none. */
  shortest: QueryInterpretation | null;
}

/** Reads an analysed query in `language` under a tag. */
export function interpretationsOf({ raw, squash, words }: Analysis, tag: Tag, language: string): QueryInterpretations {
  const { named, content, significant, partial } = contentOf(words, tag, language);
  const read = (some: readonly Word[], kept: readonly Word[], isLongest: boolean): QueryInterpretation => ({
    tag,
    raw: joinWords(
      some,
      some.map(({ written }) => written),
      ' ',
    ),
    squash: joinWords(
      some,
      some.map(({ orig }) => orig),
    ),
    words: some,
    significant: kept,
    content,
    isLongest,
  });
  return {
    full: { tag, raw, squash, words, significant, content, isLongest: true },
    partial: partial.map((part) => read(part.words, part.significant, part.isLongest)),
    shortest: named.length === words.length ? null : read(named, content, false),
  };
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

/**
 * The joined neighbours of each of `words`. With `among`, only these words are joined. A last word of one letter is the start of a word,
 * and is not joined.
 */
export function neighboursOf(words: readonly Word[], among: readonly Word[] = words): ReadonlyMap<Word, Neighbours> {
  const joinable = new Set(among);
  const last = words.at(-1);
  if (last !== undefined && Array.from(last.orig).length === 1) joinable.delete(last);
  const join = (one: Word | undefined, other: Word | undefined) =>
    one !== undefined && other !== undefined && joinable.has(one) && joinable.has(other) ? joinForms(one, other) : null;
  return new Map(
    words.map((word, index) => [word, { before: join(words[index - 1], word), after: join(word, words[index + 1]) }]),
  );
}
