/*
 * The query planner: text and locale in, conditions on lexemes out, one condition for each tier of `tiers.ts`. Pure functions; both
 * engines evaluate the same plan, so relevance is defined here and in `tiers.ts` and nowhere else.
 *
 * A query is read once per language tag: the default tag, under which the default-language texts of every add-on are stored, and the
 * base language of the client's locale. A reading has the words of the query, their stems and their parts, and its content words (without
 * stop words, unless there are no others). Name tiers run from an exact name over whole, leading and adjacent words to prefixes; a tag
 * matches as a whole. In texts each content word must occur, as its stem or as the stems of all of its parts. `tiers.ts` weighs each tier
 * that matches.
 *
 * `read-search-request.ts` validates parameters into the `SearchRequest` of `search-request.ts`; `filter-lexemes.ts` turns filters into
 * conditions; `loose-match.ts` defines misspellings, used when no tier matches; `page-window.ts` bounds pages.
 */
import { rawText } from '../analysis/fold.ts';
import { isStopWord, type Stem, stemmerOf, type Tag, tagsOfQuery } from '../analysis/languages.ts';
import { lexeme, MAX_QUERY_WORDS, sequences, type TextClass } from '../analysis/lexemes.ts';
import { type Analysis, analyse, type Word } from '../analysis/words.ts';
import { allOf, anyOf, type Condition, NEVER, prefix, term } from './condition.ts';
import type { NAME_TIERS, TEXT_TIERS } from './tiers.ts';

export type NameTier = (typeof NAME_TIERS)[number];
export type TextTier = (typeof TEXT_TIERS)[number];

/** Alternatives for one query word in texts: all stems of one of these sets must occur. */
export type TextWord = readonly (readonly string[])[];

/** The query under one tag for the search of texts: every word must occur. */
export interface TextQuery {
  tag: Tag;
  words: readonly TextWord[];
}

export interface QueryPlan {
  /** Conditions on the lexemes of names, tags and filters. */
  names: Readonly<Record<NameTier | 'tag', Condition>>;
  /** Conditions on the lexemes of texts, by tag. */
  texts: readonly TextQuery[];
  /** Input of the loose match, by tag. */
  loose: readonly LooseQuery[];
}

export interface LooseQuery {
  tag: Tag;
  squash: string;
  words: readonly string[];
}

/** The classes of text lexemes that each tier searches. */
export const CLASSES_OF: Readonly<Record<TextTier, readonly TextClass[]>> = {
  summary: ['b', 's'],
  description: ['b', 'd'],
  across: ['b', 's', 'd', 'a'],
};

const SHORTEST_PREFIX = 2;
const SHORTEST_NAME_PREFIX = 3;

/** Plans a query in `locale`; null when it has no words, and so no results. */
export function planQuery(query: string, locale: string): QueryPlan | null {
  const analysis = analyse(query, MAX_QUERY_WORDS);
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

/** The plan restricted to names, for autocomplete. */
export function namesOnly(plan: QueryPlan): QueryPlan {
  return { ...plan, names: { ...plan.names, tag: NEVER }, texts: [] };
}

/** The lexeme of a tag of an add-on, a query or a filter: lower case, single spaces. */
export function tagLexeme(text: string): string {
  return lexeme('g', '', rawText(text));
}

/** The query under one language tag. */
interface Reading {
  tag: Tag;
  stem: Stem;
  squash: string;
  words: readonly Word[];
  /** The words without stop words; all words when there are only stop words. */
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

/** A name contains a word as written, as its stem, or as all of its parts. */
function wordInName({ orig, parts }: Word, tag: Tag, stem: Stem): Condition {
  const either = (text: string) => anyOf([term(lexeme('t', tag, text)), term(lexeme('t', tag, stem(text)))]);
  return parts.length === 1 ? either(orig) : anyOf([either(orig), allOf(parts.map(either))]);
}

/** The last word is a prefix, or the query without spaces is the prefix of a name without spaces. */
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

/** The condition that a word occurs in texts of these classes. */
export function textWordCondition(word: TextWord, tag: Tag, classes: readonly TextClass[]): Condition {
  const inClasses = (stem: string) => anyOf(classes.map((kind) => term(lexeme(kind, tag, stem))));
  return anyOf(word.map((stems) => allOf(stems.map(inClasses))));
}
