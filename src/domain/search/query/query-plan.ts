/*
 * The query planner: text and locale in, conditions on lexemes out, one condition for each tier of `tiers.ts`. Pure functions; both
 * engines evaluate the same plan, so relevance is defined here and in `tiers.ts` and nowhere else.
 *
 * A query is read once per language tag: the default tag, under which the default-language texts of every add-on are stored, and the
 * base language of the client's locale. An interpretation has the words of the query and its content words, which must match. A
 * query with question phrases or category words has shorter interpretations without some of them and without all. Name tiers run from an exact
 * name over whole, leading and adjacent words to prefixes (`name-conditions.ts`); a tag matches as a whole. In texts each content word must
 * occur: one of its stems, the stems of all of its parts, or a stem of the word joined with the content word next to it. `tiers.ts` weighs
 * each tier that matches.
 *
 * `search-request.ts` validates parameters into a `SearchRequest`; `filter-lexemes.ts` turns filters into
 * conditions; `partial-match.ts` defines misspellings, used when no tier matches.
 */
import { stemsOf } from '../analysis/forms.ts';
import { type Tag, tagsOfQuery } from '../analysis/languages.ts';
import { lexeme, MAX_QUERY_WORDS, type TextClass, tagLexeme } from '../analysis/lexemes.ts';
import { analyse } from '../analysis/words.ts';
import {
  allInName,
  beginningOfName,
  begunName,
  interpretationsOf,
  neighboursOf,
  phraseInName,
  prefixInName,
  type QueryInterpretation,
  type QueryInterpretations,
  startOfName,
  wholeName,
} from './name-conditions.ts';
import type { SearchRequest } from './search-request.ts';
import {
  allOf,
  anyOf,
  type LexemeCondition,
  MATCHES_NOTHING,
  type NAME_TIERS,
  type TEXT_TIERS,
  termCondition,
} from './tiers.ts';

export type NameTier = (typeof NAME_TIERS)[number];
export type TextTier = (typeof TEXT_TIERS)[number];

/** Alternatives for one query word in texts: of each list of one alternative, one stem must occur. */
type TextWord = readonly (readonly (readonly string[])[])[];

/** The query under one tag for the search of texts: every word must occur. */
export interface TextQuery {
  tag: Tag;
  words: readonly TextWord[];
}

export interface QueryPlan {
  /** Conditions on the lexemes of names, tags and filters. */
  names: Readonly<Record<NameTier | 'tag', LexemeCondition>>;
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

/** Plans a query in `locale` and further languages; null when it has no words, and so no results. */
export function planQuery(query: string, locale: string, alsoIn: readonly string[] = []): QueryPlan | null {
  const analysis = analyse(query, MAX_QUERY_WORDS);
  if (analysis.words.length === 0) return null;
  const tags = tagsOfQuery(locale, alsoIn);
  const all = tags.map((tag) => interpretationsOf(analysis, tag, tags[1] ?? ''));
  const interpretations = all.map(({ full }) => full);
  const across = (
    tier: (interpretation: QueryInterpretation) => LexemeCondition,
    kinds: (interpretations: QueryInterpretations) => readonly QueryInterpretation[],
  ) => anyOf(all.flatMap((each) => kinds(each).map(tier)));
  return {
    names: {
      exact: across(({ tag, raw }) => termCondition(lexeme('x', tag, raw)), fuller),
      whole: across(wholeName, ({ full, partial, shortest }) => [full, ...partial, ...listed(shortest)]),
      start: across(startOfName, fullerWithContent),
      phrase: across(phraseInName, onlyFull),
      all: across(allInName, onlyFull),
      begun: across(begunName, (each) => [...fullerWithContent(each), ...listed(each.shortest)]),
      prefix: across(prefixInName, ({ full, shortest }) => [full, ...listed(shortest)]),
      tag: termCondition(tagLexeme(query)),
    },
    texts: interpretations.map((interpretation) => ({ tag: interpretation.tag, words: textWords(interpretation) })),
    loose: interpretations.map(({ tag, content }) => ({
      tag,
      squash: analysis.squash,
      words: [...new Set(content.map(({ orig }) => orig))],
    })),
  };
}

// The interpretations that a tier compares.
const listed = (interpretation: QueryInterpretation | null): QueryInterpretation[] =>
  interpretation === null ? [] : [interpretation];
const onlyFull = ({ full }: QueryInterpretations): readonly QueryInterpretation[] => [full];
const fuller = ({ full, partial }: QueryInterpretations): readonly QueryInterpretation[] => [
  full,
  ...partial.filter(({ isLongest }) => isLongest),
];
/** Those that contain all words that must match, so that a match in these tiers is one in `prefix` too. */
const fullerWithContent = (interpretations: QueryInterpretations): readonly QueryInterpretation[] =>
  fuller(interpretations).filter(({ words, content }) => content.every((word) => words.includes(word)));

/** Names that begin with the words of a query, the last of which may be the start of a word; null when it has no words. */
export function beginningOfNames({ query, locale, alsoIn }: SearchRequest): LexemeCondition | null {
  const { words } = analyse(query ?? '', MAX_QUERY_WORDS);
  if (words.length === 0) return null;
  return anyOf(tagsOfQuery(locale, alsoIn).map((tag) => beginningOfName(words, tag)));
}

/** The plan restricted to names, for autocomplete. */
export function namesOnly(plan: QueryPlan): QueryPlan {
  return { ...plan, names: { ...plan.names, tag: MATCHES_NOTHING }, texts: [] };
}

/** Content words that are neighbours also match joined. */
function textWords({ tag, words, content }: QueryInterpretation): TextWord[] {
  const neighbours = neighboursOf(words, content);
  return content.map((word) => {
    const { before, after } = neighbours.get(word) ?? { before: null, after: null };
    const forms = [word, ...(before === null ? [] : [before]), ...(after === null ? [] : [after])];
    const whole = [...new Set(forms.flatMap((form) => stemsOf(form, tag)))];
    return word.parts.length === 1 ? [[whole]] : [[whole], word.parts.map((part) => stemsOf(part, tag))];
  });
}

/** The conditions that all words occur in texts of these classes, by tag. */
export function inTexts({ texts }: Pick<QueryPlan, 'texts'>, classes: readonly TextClass[]): LexemeCondition[] {
  return texts.map(({ tag, words }) => allOf(words.map((word) => textWordCondition(word, tag, classes))));
}

/** The same in all texts: the tier `across`. */
export const acrossTexts = (plan: Pick<QueryPlan, 'texts'>): LexemeCondition[] => inTexts(plan, CLASSES_OF.across);

/** The condition that a word occurs in texts of these classes. */
export function textWordCondition(word: TextWord, tag: Tag, classes: readonly TextClass[]): LexemeCondition {
  const inClasses = (stems: readonly string[]) =>
    anyOf(stems.flatMap((stem) => classes.map((kind) => termCondition(lexeme(kind, tag, stem)))));
  return anyOf(word.map((stems) => allOf(stems.map(inClasses))));
}
