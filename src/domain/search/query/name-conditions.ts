/*
 * The conditions of a interpretation on the lexemes of names, one for each name tier. Each better tier of `start`, `phrase` and `all` implies
 * the next, and `begun` implies `prefix`; counts rely on it.
 */
import { runsOf } from '../analysis/cjk.ts';
import { formsOf, spellings } from '../analysis/forms.ts';
import { joinedStems, lexeme, type NameKind, sequences, squashes } from '../analysis/lexemes.ts';
import type { Form, Word } from '../analysis/words.ts';
import { allOf, anyOf, type Condition, NEVER, prefix, term } from './condition.ts';
import { type Neighbours, neighboursOf, type QueryInterpretation, termsOf } from './query-interpretation.ts';

const MIN_PREFIX = 2;
const MIN_NAME_PREFIX = 3;
/** Runs of this many pairs also match without one of those inside. */
const MIN_LENIENT_RUN = 3;

const anyTerm = (kind: NameKind, tag: string, terms: readonly string[]): Condition =>
  anyOf(terms.map((each) => term(lexeme(kind, tag, each))));
const anyPrefix = (kind: NameKind, tag: string, starts: readonly string[]): Condition =>
  anyOf(starts.map((each) => prefix(lexeme(kind, tag, each))));
const lengthOf = (text: string): number => Array.from(text).length;

/** The name is the query, whatever its spaces, or its stemmed words. */
export function wholeName(interpretation: QueryInterpretation): Condition {
  const { tag, words, significant, content } = interpretation;
  const stems = [words, significant, content].flatMap((some) => joinedStems(some, tag));
  return anyOf([anyTerm('q', tag, squashes(interpretation, tag)), anyTerm('w', tag, stems)]);
}

/** The name starts with the words of the query. */
export function startOfName({ tag, words }: QueryInterpretation): Condition {
  return anyTerm(
    'l',
    tag,
    sequences(words, tag).map((sequence) => sequence.join(' ')),
  );
}

/** The name starts with the words of the query, whose last one is the start of a word. */
export function begunName({ tag, words }: QueryInterpretation): Condition {
  const several = sequences(words, tag, true).filter(({ length }) => length > 1);
  return anyPrefix(
    'l',
    tag,
    several.map((sequence) => sequence.join(' ')),
  );
}

/** The name starts with words, the last of which may be the start of a word. */
export function beginningOfName(words: readonly Word[], tag: string): Condition {
  const starts = sequences(words, tag, true);
  return anyPrefix(
    'l',
    tag,
    starts.map((sequence) => sequence.join(' ')),
  );
}

/** The words of the query are neighbours in the name. */
export function phraseInName(interpretation: QueryInterpretation): Condition {
  const { tag, words } = interpretation;
  if (words.length === 1) return allInName(interpretation);
  return anyOf(
    sequences(words, tag).map((sequence) =>
      allOf(sequence.slice(1).map((word, index) => term(lexeme('b', tag, `${sequence[index]} ${word}`)))),
    ),
  );
}

/** The name contains the content words. */
export function allInName({ tag, words, content }: QueryInterpretation): Condition {
  const neighbours = neighboursOf(words);
  return allOf(content.map((word) => wordInName(word, tag, neighbours.get(word))));
}

/** A name contains a word, its parts, or the word joined with a neighbour. */
function wordInName(word: Word, tag: string, neighbours?: Neighbours): Condition {
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
export function prefixInName(interpretation: QueryInterpretation): Condition {
  const { tag } = interpretation;
  const whole = squashes(interpretation, tag, true).filter((squash) => lengthOf(squash) >= MIN_NAME_PREFIX);
  return anyOf([begunWords(interpretation), anyPrefix('q', tag, whole), nearlyAllPairs(interpretation)]);
}

function begunWords({ tag, words, content }: QueryInterpretation): Condition {
  const last = words.at(-1) as Word;
  const neighbours = neighboursOf(words);
  const joined = neighbours.get(last)?.before ?? null;
  const begunJoined = joined === null ? NEVER : anyPrefix('t', tag, formsOf(joined, tag, true));
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
function begunLast(forms: readonly Form[], tag: string, isCombined: boolean): Condition {
  const last = forms.at(-1);
  if (last === undefined) return NEVER;
  if (isCombined || lengthOf(last.orig) >= MIN_PREFIX) return anyPrefix('t', tag, formsOf(last, tag, true));
  const pairs = spellings(forms.slice(-2), tag, true).filter(({ length }) => length === 2);
  return anyPrefix(
    'b',
    tag,
    pairs.map((pair) => pair.join(' ')),
  );
}

/** The name contains the content words, but for one pair inside of each long run of characters. */
function nearlyAllPairs({ tag, words, content }: QueryInterpretation): Condition {
  const required = new Set(content);
  const lenient = runsOf(words).flatMap((run) => {
    if (run.length < MIN_LENIENT_RUN) return [];
    const counted = run.filter((pair) => required.has(pair));
    // A run with few pairs that must match is read with all of its pairs.
    return [counted.length < MIN_LENIENT_RUN ? { run, pairs: run } : { run, pairs: counted }];
  });
  if (lenient.length === 0) return NEVER;
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
function allButOne(conditions: readonly Condition[]): Condition | null {
  if (conditions.length < 2) return null;
  const middle = conditions.length >> 1;
  const [left, right] = [conditions.slice(0, middle), conditions.slice(middle)];
  return anyOf([allOf([...left, ...listed(allButOne(right))]), allOf([...listed(allButOne(left)), ...right])]);
}

const listed = (condition: Condition | null): Condition[] => (condition === null ? [] : [condition]);
