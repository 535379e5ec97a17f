/*
 * The lexemes stored for an add-on's texts, such that every relevance rule is a look-up of whole terms. A lexeme is a letter for its
 * kind, the language tag, a colon and a term: `t*:garden`. Kinds in names:
 *
 *   x  the whole name, lower case           q  all words joined        w  all stemmed words joined
 *   l  every leading sequence of words      b  every pair of neighbours   t  every word, its parts and stems
 *
 * and in texts, one kind for each stemmed word: `b` in summary and description, `s` and `d` in one of them, `a` in
 * neither but in the name or the tags.
 */
import { cutTerm } from './fold.ts';
import { type Stem, stemmerOf, type Tag } from './languages.ts';
import { type Analysis, analyse, splitWords, type Word } from './words.ts';

/** Increment on every change to the analysis in this folder: rows and indexes of another version are rebuilt. */
export const LEXER_VERSION = 3;

/** Maximum number of query words, and of words in a compared sequence. */
export const MAX_QUERY_WORDS = 20;
const MAX_NAME_WORDS = 50;
const MAX_TEXT_WORDS = 3_000;

export type NameKind = 'x' | 'q' | 'w' | 'l' | 'b' | 't';
export type TextClass = 'b' | 's' | 'd' | 'a';

/** A lexeme, as described at the top of this file. */
export function lexeme(kind: string, tag: Tag, term: string): string {
  return `${kind}${tag}:${cutTerm(term)}`;
}

/** Analyses a name with the limits of stored names. */
export function analyseName(name: string): Analysis {
  return analyse(name, MAX_NAME_WORDS);
}

/** A word, its parts, and the stems of all of them. */
function wordForms({ orig, parts }: Word, stem: Stem): Set<string> {
  return new Set([orig, ...parts, stem(orig), ...parts.map(stem)]);
}

/** The name as a sequence of written words, and as a sequence of word parts. */
export function sequences(words: readonly Word[]): [string[], string[]] {
  return [words.map(({ orig }) => orig), words.flatMap(({ parts }) => parts)];
}

/** The terms of kind `t`; misspelt words are compared with them. */
function nameWords(name: Analysis, stem: Stem): Set<string> {
  const forms = name.words.flatMap((word) => [...wordForms(word, stem)]);
  return new Set([...forms, ...name.singles, name.squash].filter((term) => term !== '').map(cutTerm));
}

/** The lexemes of one name under one tag. */
export function nameLexemes(name: Analysis, tag: Tag): Set<string> {
  const stem = stemmerOf(tag);
  const found = new Set<string>();
  const add = (kind: NameKind, term: string) => term !== '' && found.add(lexeme(kind, tag, term));
  add('x', name.raw);
  add('q', name.squash);
  add('w', name.words.map(({ orig }) => stem(orig)).join(''));
  for (const words of sequences(name.words)) {
    for (let end = 1; end <= Math.min(words.length, MAX_QUERY_WORDS); end++) add('l', words.slice(0, end).join(' '));
    for (let index = 1; index < words.length; index++) add('b', `${words[index - 1]} ${words[index]}`);
  }
  for (const word of nameWords(name, stem)) add('t', word);
  return found;
}

/** The stemmed words of a text under one tag, and the stems of their parts. */
function textStems(text: string, tag: Tag): Set<string> {
  const stem = stemmerOf(tag);
  const words = splitWords(text, MAX_TEXT_WORDS);
  const written = new Set(words.flatMap(({ orig, parts }) => [orig, ...parts]));
  return new Set([...written].map(stem));
}

/** The texts of an add-on under one tag. */
export interface TaggedTexts {
  names: readonly string[];
  summaries: readonly string[];
  descriptions: readonly string[];
  tags: readonly string[];
}

/** The lexemes of texts under one tag; each stem belongs to one class. */
export function textLexemes(texts: TaggedTexts, tag: Tag): Set<string> {
  const all = (parts: readonly string[]) => new Set(parts.flatMap((part) => [...textStems(part, tag)]));
  const summary = all(texts.summaries);
  const description = all(texts.descriptions);
  const elsewhere = all([...texts.names, ...texts.tags]);
  const classOf = (stem: string): TextClass => {
    if (summary.has(stem)) return description.has(stem) ? 'b' : 's';
    return description.has(stem) ? 'd' : 'a';
  };
  const stems = new Set([...summary, ...description, ...elsewhere]);
  return new Set([...stems].map((stem) => lexeme(classOf(stem), tag, stem)));
}
