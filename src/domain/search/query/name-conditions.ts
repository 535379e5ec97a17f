/*
 * The interpretations of a query, each under one language tag, and their conditions on the lexemes of names, one for each name tier. The
 * content words of an interpretation must match, the others need not. Each content word matches in several forms, and joined with a neighbour.
 *
 * Each better tier of `start`, `phrase` and `all` implies the next, and `begun` implies `prefix`; counts rely on it.
 */
import { joinWords, runsOf } from '../analysis/cjk.ts';
import { contentOf } from '../analysis/content.ts';
import { formsOf, spellings, stemsOf } from '../analysis/forms.ts';
import type { Tag } from '../analysis/languages.ts';
import { joinedSpellings, joinedStems, joinForms, lexeme, type NameKind, wordSequences } from '../analysis/lexemes.ts';
import type { Analysis, Word, WordForm } from '../analysis/words.ts';
import { allOf, anyOf, type LexemeCondition, MATCHES_NOTHING, prefixCondition, termCondition } from './tiers.ts';

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
function termsOf(form: WordForm, tag: Tag): string[] {
  return [...new Set([...formsOf(form, tag), ...stemsOf(form, tag)])];
}

/** A word joined with the word before and with the word after, where they exist. */
interface Neighbours {
  before: WordForm | null;
  after: WordForm | null;
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

const MIN_PREFIX = 2;
const MIN_NAME_PREFIX = 3;
/** Runs of this many pairs also match without one of those inside. */
const MIN_LENIENT_RUN = 3;

const anyTerm = (kind: NameKind, tag: string, terms: readonly string[]): LexemeCondition =>
  anyOf(terms.map((each) => termCondition(lexeme(kind, tag, each))));
const anyPrefix = (kind: NameKind, tag: string, starts: readonly string[]): LexemeCondition =>
  anyOf(starts.map((each) => prefixCondition(lexeme(kind, tag, each))));
const lengthOf = (text: string): number => Array.from(text).length;

/** The name is the query, whatever its spaces, or its stemmed words. */
export function wholeName(interpretation: QueryInterpretation): LexemeCondition {
  const { tag, words, significant, content } = interpretation;
  const stems = [words, significant, content].flatMap((some) => joinedStems(some, tag));
  return anyOf([anyTerm('q', tag, joinedSpellings(interpretation, tag)), anyTerm('w', tag, stems)]);
}

/** The name starts with the words of the query. */
export function startOfName({ tag, words }: QueryInterpretation): LexemeCondition {
  return anyTerm(
    'l',
    tag,
    wordSequences(words, tag).map((sequence) => sequence.join(' ')),
  );
}

/** The name starts with the words of the query, whose last one is the start of a word. */
export function begunName({ tag, words }: QueryInterpretation): LexemeCondition {
  const several = wordSequences(words, tag, true).filter(({ length }) => length > 1);
  return anyPrefix(
    'l',
    tag,
    several.map((sequence) => sequence.join(' ')),
  );
}

/** The name starts with words, the last of which may be the start of a word. */
export function beginningOfName(words: readonly Word[], tag: string): LexemeCondition {
  const starts = wordSequences(words, tag, true);
  return anyPrefix(
    'l',
    tag,
    starts.map((sequence) => sequence.join(' ')),
  );
}

/** The words of the query are neighbours in the name. */
export function phraseInName(interpretation: QueryInterpretation): LexemeCondition {
  const { tag, words } = interpretation;
  if (words.length === 1) return allInName(interpretation);
  return anyOf(
    wordSequences(words, tag).map((sequence) =>
      allOf(sequence.slice(1).map((word, index) => termCondition(lexeme('b', tag, `${sequence[index]} ${word}`)))),
    ),
  );
}

/** The name contains the content words. */
export function allInName({ tag, words, content }: QueryInterpretation): LexemeCondition {
  const neighbours = neighboursOf(words);
  return allOf(content.map((word) => wordInName(word, tag, neighbours.get(word))));
}

/** A name contains a word, its parts, or the word joined with a neighbour. */
function wordInName(word: Word, tag: string, neighbours?: Neighbours): LexemeCondition {
  const { parts } = word;
  const joined = [neighbours?.before, neighbours?.after].flatMap((form) => (form == null ? [] : termsOf(form, tag)));
  const whole = anyTerm('t', tag, [...termsOf(word, tag), ...joined]);
  if (parts.length === 1) return whole;
  return anyOf([whole, allOf(parts.map((part) => anyTerm('t', tag, termsOf(part, tag))))]);
}

/**
 * The last word is the start of a word, or the query without spaces is the start of the name without spaces. Long runs of characters may
 * lack one pair inside.
 */
export function prefixInName(interpretation: QueryInterpretation): LexemeCondition {
  const { tag } = interpretation;
  const whole = joinedSpellings(interpretation, tag, true).filter((squash) => lengthOf(squash) >= MIN_NAME_PREFIX);
  return anyOf([begunWords(interpretation), anyPrefix('q', tag, whole), nearlyAllPairs(interpretation)]);
}

function begunWords({ tag, words, content }: QueryInterpretation): LexemeCondition {
  const last = words.at(-1) as Word;
  const neighbours = neighboursOf(words);
  const joined = neighbours.get(last)?.before ?? null;
  const begunJoined = joined === null ? MATCHES_NOTHING : anyPrefix('t', tag, formsOf(joined, tag, true));
  const before = content
    .filter((word) => word !== last)
    .map((word) => {
      const found = wordInName(word, tag, neighbours.get(word));
      return word === words.at(-2) ? anyOf([found, begunJoined]) : found;
    });
  const isCombined = before.length > 0;
  const partsBefore = last.parts.slice(0, -1).map((part) => anyTerm('t', tag, termsOf(part, tag)));
  const parts = words.flatMap((word) => word.parts);
  const begunParts = allOf([...partsBefore, begunLast(parts, tag, isCombined || partsBefore.length > 0)]);
  return allOf([...before, anyOf([begunLast(words, tag, isCombined), begunParts, begunJoined])]);
}

/**
 * The name contains a word that starts with the last one. A single letter counts only together with other words that must match. After
 * words that need not match it counts directly after the last of them. So it is never looked up alone.
 */
function begunLast(forms: readonly WordForm[], tag: string, isCombined: boolean): LexemeCondition {
  const last = forms.at(-1);
  if (last === undefined) return MATCHES_NOTHING;
  if (isCombined || lengthOf(last.orig) >= MIN_PREFIX) return anyPrefix('t', tag, formsOf(last, tag, true));
  const pairs = spellings(forms.slice(-2), tag, true).filter(({ length }) => length === 2);
  return anyPrefix(
    'b',
    tag,
    pairs.map((pair) => pair.join(' ')),
  );
}

/** The name contains the content words, but for one pair inside of each long run of characters. */
function nearlyAllPairs({ tag, words, content }: QueryInterpretation): LexemeCondition {
  const required = new Set(content);
  const lenient = runsOf(words).flatMap((run) => {
    if (run.length < MIN_LENIENT_RUN) return [];
    const counted = run.filter((pair) => required.has(pair));
    // A run with few pairs that must match is read with all of its pairs.
    return [counted.length < MIN_LENIENT_RUN ? { run, pairs: run } : { run, pairs: counted }];
  });
  if (lenient.length === 0) return MATCHES_NOTHING;
  const neighbours = neighboursOf(words);
  const find = (word: Word) => wordInName(word, tag, neighbours.get(word));
  const inRuns = new Set(lenient.flatMap(({ run }) => run));
  return allOf([
    ...content.filter((word) => !inRuns.has(word)).map(find),
    ...lenient.flatMap(({ run, pairs }) => {
      const inside = pairs.filter((pair) => pair !== run[0] && pair !== run.at(-1));
      const others = pairs.filter((pair) => !inside.includes(pair));
      return [...others.map(find), ...listed(allButOne(inside.map(find)))];
    }),
  ]);
}

/** At most one of the conditions is missing; null for a single one. Halving keeps the size below n log n. */
function allButOne(conditions: readonly LexemeCondition[]): LexemeCondition | null {
  if (conditions.length < 2) return null;
  const middle = conditions.length >> 1;
  const [left, right] = [conditions.slice(0, middle), conditions.slice(middle)];
  return anyOf([allOf([...left, ...listed(allButOne(right))]), allOf([...listed(allButOne(left)), ...right])]);
}

const listed = (condition: LexemeCondition | null): LexemeCondition[] => (condition === null ? [] : [condition]);
