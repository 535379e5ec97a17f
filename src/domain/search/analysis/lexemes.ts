/*
 * The lexemes stored for an add-on's texts, such that every relevance rule is a look-up of whole terms. A lexeme is a letter for its
 * kind, the language tag, a colon and a term: `t*:garden`. Kinds in names:
 *
 *   x  the whole name, lower case           q  all words joined        w  all stemmed words joined
 *   l  every leading sequence of words      b  every pair of neighbours
 *   t  every word, its parts, the forms and stems of all of them (`forms.ts`), and neighbours joined to a word
 *
 * and in texts, one kind for each stemmed word: `b` in summary and description, `s` and `d` in one of them, `a` in
 * neither but in the name or the tags. Neighbours in names, joined, are words of texts too.
 */
import { joinWords } from './cjk.ts';
import { cutTerm, rawText } from './fold.ts';
import { formsOf, spellings, stemsOf } from './forms.ts';
import { stemmerOf, type Tag } from './languages.ts';
import { type Analysis, analyse, isPaired, splitWords, type Word, type WordForm } from './words.ts';

/** Increment on every change to the analysis in this folder: rows and indexes of another version are rebuilt. */
export const LEXER_VERSION = 3;

/** Maximum number of query words, and of words in a compared sequence. */
export const MAX_QUERY_WORDS = 20;
const MAX_NAME_WORDS = 50;
const MAX_TEXT_WORDS = 3_000;
/** Minimum length of joined neighbours, in characters: shorter ones are often unrelated words. */
const MIN_JOINED = 5;

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

/**
 * The sequences of words that compare the order of words: as written and as parts, in each spelling, without duplicates. `isBegun`:
 * the last word is the start of a word.
 */
export function wordSequences(words: readonly Word[], tag: Tag, isBegun = false): string[][] {
  const parts = words.flatMap((word) => word.parts);
  const all = [...spellings(words, tag, isBegun), ...spellings(parts, tag, isBegun)];
  return [...new Map(all.map((sequence) => [sequence.join(' '), sequence])).values()];
}

/** All words joined, in each spelling. `squash` contains words beyond the maximum number of words. */
export function joinedSpellings(
  { squash, words }: Pick<Analysis, 'squash' | 'words'>,
  tag: Tag,
  isBegun = false,
): string[] {
  const [plain, ...others] = spellings(words, tag, isBegun).map((spelled) => cutTerm(joinWords(words, spelled)));
  return plain === squash ? [squash, ...others] : [squash];
}

/** All stemmed words joined, in each spelling, and with the stems of accented words. */
export function joinedStems(words: readonly Word[], tag: Tag): string[] {
  const stem = stemmerOf(tag);
  const spelled = spellings(words, tag).map((sequence) => sequence.map(stem).join(''));
  return [...new Set([...spelled, words.map((word) => stemsOf(word, tag).at(-1) ?? '').join('')])];
}

/** Two neighbours as one word; null for short words, and for pairs of characters. */
export function joinForms(one: WordForm, other: WordForm): WordForm | null {
  if (isPaired(one.orig) || isPaired(other.orig)) return null;
  const joined = { orig: one.orig + other.orig, written: one.written + other.written };
  return Array.from(joined.orig).length < MIN_JOINED ? null : joined;
}

/** The neighbours of a name, and of its parts, as one word each. */
function joinedNeighbours(words: readonly Word[]): WordForm[] {
  const joinedOf = (forms: readonly WordForm[]) =>
    forms.slice(1).flatMap((form, index) => joinForms(forms[index] as WordForm, form) ?? []);
  return [...joinedOf(words), ...joinedOf(words.flatMap(({ parts }) => parts))];
}

/** The terms of kind `t`; misspelt words are compared with them. */
function nameWords(name: Analysis, tag: Tag): Set<string> {
  const forms = name.words.flatMap((word) => [word, ...word.parts]);
  const terms = [
    ...forms.flatMap((form) => [...formsOf(form, tag), ...stemsOf(form, tag)]),
    ...joinedNeighbours(name.words).flatMap((form) => formsOf(form, tag)),
    ...name.singles,
    ...joinedSpellings(name, tag),
  ];
  return new Set(terms.filter((term) => term !== '').map(cutTerm));
}

/** The lexemes of one name under one tag. */
export function nameLexemes(name: Analysis, tag: Tag): Set<string> {
  const found = new Set<string>();
  const add = (kind: NameKind, term: string) => term !== '' && found.add(lexeme(kind, tag, term));
  add('x', name.raw);
  for (const squash of joinedSpellings(name, tag)) add('q', squash);
  for (const joined of joinedStems(name.words, tag)) add('w', joined);
  for (const words of wordSequences(name.words, tag)) {
    for (let end = 1; end <= Math.min(words.length, MAX_QUERY_WORDS); end++) add('l', words.slice(0, end).join(' '));
    for (let index = 1; index < words.length; index++) add('b', `${words[index - 1]} ${words[index]}`);
  }
  for (const word of nameWords(name, tag)) add('t', word);
  return found;
}

/** The stems of words and of their parts under one tag. */
function stemsOfAll(words: readonly Word[], joined: readonly WordForm[], tag: Tag): Set<string> {
  const forms = [...words.flatMap((word) => [word, ...word.parts]), ...joined];
  const distinct = new Map(forms.map((form) => [form.written, form]));
  return new Set([...distinct.values()].flatMap((form) => stemsOf(form, tag)));
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
  const all = (parts: readonly string[]) =>
    new Set(parts.flatMap((part) => [...stemsOfAll(splitWords(part, MAX_TEXT_WORDS), [], tag)]));
  const names = texts.names.flatMap((name) => {
    const words = splitWords(name, MAX_TEXT_WORDS);
    return [...stemsOfAll(words, joinedNeighbours(words.slice(0, MAX_NAME_WORDS)), tag)];
  });
  const summary = all(texts.summaries);
  const description = all(texts.descriptions);
  const classOf = (stem: string): TextClass => {
    if (summary.has(stem)) return description.has(stem) ? 'b' : 's';
    return description.has(stem) ? 'd' : 'a';
  };
  const stems = new Set([...summary, ...description, ...names, ...all(texts.tags)]);
  return new Set([...stems].map((stem) => lexeme(classOf(stem), tag, stem)));
}

/** The lexeme of a tag of an add-on, a query or a filter: lower case, single spaces. */
export function tagLexeme(text: string): string {
  return lexeme('g', '', rawText(text));
}
