/*
 * A query as conditions on lexemes, one for each tier of `tiers.ts`: what both engines and nothing else decide by. Pure.
 */
import { rawText } from '../analysis/fold.ts';
import { isStopWord, type Stem, stemmerOf, type Tag, tagsOfQuery } from '../analysis/languages.ts';
import { lexeme, MOST_QUERY_WORDS, sequences, type TextClass } from '../analysis/lexemes.ts';
import { type Analysis, analyse, type Word } from '../analysis/words.ts';
import { allOf, anyOf, type Condition, NEVER, prefix, term } from './condition.ts';
import type { NAME_TIERS, TEXT_TIERS } from './tiers.ts';

export type NameTier = (typeof NAME_TIERS)[number];
export type TextTier = (typeof TEXT_TIERS)[number];

/** The stems that stand for one word of the query in texts: one of these sets, whole. */
export type TextWord = readonly (readonly string[])[];

/** The query under one tag, as texts are searched: every word must be there. */
export interface TextQuery {
  tag: Tag;
  words: readonly TextWord[];
}

export interface QueryPlan {
  /** On the lexemes of names, tags and filters. */
  names: Readonly<Record<NameTier | 'tag', Condition>>;
  /** On the lexemes of texts, by tag. */
  texts: readonly TextQuery[];
  /** The words and the whole of the query by tag, as misspelt names are compared with them. */
  loose: readonly LooseQuery[];
}

export interface LooseQuery {
  tag: Tag;
  squash: string;
  words: readonly string[];
}

/** In which classes of text lexemes a tier looks. */
export const CLASSES_OF: Readonly<Record<TextTier, readonly TextClass[]>> = {
  summary: ['b', 's'],
  description: ['b', 'd'],
  across: ['b', 's', 'd', 'a'],
};

const SHORTEST_PREFIX = 2;
const SHORTEST_NAME_PREFIX = 3;

/** Plans a query for readers of `locale`; null when it has no word, and so no result. */
export function planQuery(query: string, locale: string): QueryPlan | null {
  const analysis = analyse(query, MOST_QUERY_WORDS);
  if (analysis.words.length === 0) return null;
  const readings = tagsOfQuery(locale).map((tag) => readingOf(analysis, tag));
  const across = (tier: (reading: Reading) => Condition) => anyOf(readings.map(tier));
  return {
    names: {
      exact: across(({ tag }) => term(lexeme('x', tag, analysis.raw))),
      whole: across(wholeName),
      start: across(startOfName),
      phrase: across(phraseInName),
      all: across(allInName),
      prefix: across(prefixInName),
      tag: term(tagLexeme(query)),
    },
    texts: readings.map(({ tag, stem, content }) => ({ tag, words: content.map((word) => textWord(word, stem)) })),
    loose: readings.map(({ tag, content }) => ({
      tag,
      squash: analysis.squash,
      words: [...new Set(content.map(({ orig }) => orig))],
    })),
  };
}

/** The same plan for names alone, as suggestions for a half-typed query are found. */
export function namesOnly(plan: QueryPlan): QueryPlan {
  return { ...plan, names: { ...plan.names, tag: NEVER }, texts: [] };
}

/** The lexeme of an add-on's tag, or of the tag that a query or a filter names: lower case, one space between words. */
export function tagLexeme(text: string): string {
  return lexeme('g', '', rawText(text));
}

/** The query as read under one tag. */
interface Reading {
  tag: Tag;
  stem: Stem;
  squash: string;
  words: readonly Word[];
  /** The words without those too common to insist on, unless there are no others. */
  content: readonly Word[];
}

function readingOf({ squash, words }: Analysis, tag: Tag): Reading {
  const content = words.filter(({ orig }) => !isStopWord(tag, orig));
  return { tag, stem: stemmerOf(tag), squash, words, content: content.length > 0 ? content : words };
}

function wholeName({ tag, stem, squash, words, content }: Reading): Condition {
  const joined = (some: readonly Word[]) => term(lexeme('w', tag, some.map(({ orig }) => stem(orig)).join('')));
  return anyOf([term(lexeme('q', tag, squash)), joined(words), joined(content)]);
}

function startOfName({ tag, words }: Reading): Condition {
  return anyOf(sequences(words).map((sequence) => term(lexeme('l', tag, sequence.join(' ')))));
}

function phraseInName(reading: Reading): Condition {
  const { tag, words } = reading;
  if (words.length === 1) return allInName(reading);
  return anyOf(
    sequences(words).map((sequence) =>
      allOf(sequence.slice(1).map((word, index) => term(lexeme('b', tag, `${sequence[index]} ${word}`)))),
    ),
  );
}

function allInName({ tag, stem, content }: Reading): Condition {
  return allOf(content.map((word) => wordInName(word, tag, stem)));
}

/** A word is in a name as written, by its stem, or by all of its parts. */
function wordInName({ orig, parts }: Word, tag: Tag, stem: Stem): Condition {
  const either = (text: string) => anyOf([term(lexeme('t', tag, text)), term(lexeme('t', tag, stem(text)))]);
  return parts.length === 1 ? either(orig) : anyOf([either(orig), allOf(parts.map(either))]);
}

/** The last word may be half typed; or the whole query is the start of a name, however it is spaced. */
function prefixInName({ tag, stem, squash, words, content }: Reading): Condition {
  const last = words.at(-1) as Word;
  const before = content.filter((word) => word !== last).map((word) => wordInName(word, tag, stem));
  const begun = (text: string) => (Array.from(text).length < SHORTEST_PREFIX ? NEVER : prefix(lexeme('t', tag, text)));
  const lastPart = last.parts.at(-1) as string;
  const inParts = last.parts.slice(0, -1).map((part) => wordInName({ orig: part, parts: [part] }, tag, stem));
  return anyOf([
    allOf([...before, begun(last.orig)]),
    allOf([...before, ...inParts, begun(lastPart)]),
    Array.from(squash).length < SHORTEST_NAME_PREFIX ? NEVER : prefix(lexeme('q', tag, squash)),
  ]);
}

function textWord({ orig, parts }: Word, stem: Stem): TextWord {
  const whole = [stem(orig)];
  return parts.length === 1 ? [whole] : [whole, [...new Set(parts.map(stem))]];
}

/** A word of a text query in the lexemes of these classes. */
export function textWordCondition(word: TextWord, tag: Tag, classes: readonly TextClass[]): Condition {
  const inClasses = (stem: string) => anyOf(classes.map((kind) => term(lexeme(kind, tag, stem))));
  return anyOf(word.map((stems) => allOf(stems.map(inClasses))));
}
