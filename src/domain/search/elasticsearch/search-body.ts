/*
 * Search request → body of a search: the tiers of `tiers.ts` become constant-score clauses in a dis_max with a tie-breaker of a twentieth,
 * multiplied by the document's popularity factor.
 */
import { lexeme } from '../analysis/lexemes.ts';
import { allOf, anyOf, type Condition } from '../query/condition.ts';
import { MAX_SUGGESTIONS } from '../query/engine.ts';
import { wordsNeeded, wordVariants } from '../query/partial-match.ts';
import { CLASSES_OF, type LooseQuery, type QueryPlan, type TextTier, textWordCondition } from '../query/query-plan.ts';
import type { Slice, SortKey } from '../query/search-request.ts';
import { LOOSE_TIERS, OTHERS, TEXT_TIERS, TIERS, type Tier } from '../query/tiers.ts';
import { anyClause, type Clause, clauseOf } from './conditions.ts';

const isTextTier = (tier: Tier): tier is TextTier => TEXT_TIERS.some((text) => text === tier);

/** One clause per tier that can match. */
export function strictTiers({ names, texts }: QueryPlan): Clause[] {
  const textCondition = (tier: TextTier): Condition =>
    anyOf(texts.map(({ tag, words }) => allOf(words.map((word) => textWordCondition(word, tag, CLASSES_OF[tier])))));
  return TIERS.flatMap(([tier, weight]) => {
    const isText = isTextTier(tier);
    const condition = isText ? textCondition(tier) : names[tier];
    if ('any' in condition && condition.any.length === 0) return [];
    return [worth(tier, weight, clauseOf(condition, isText ? 'text_lex' : 'name_lex'))];
  });
}

/** Clauses of the loose tiers: the whole name misspelt, or enough of its words. */
export function looseTiers({ loose }: QueryPlan): Clause[] {
  const clauses = {
    looseName: anyClause(loose.map(({ tag, squash }) => nearly('q', tag, squash))),
    looseWords: anyClause(loose.map(enoughWords)),
  };
  return LOOSE_TIERS.map(([tier, weight]) => worth(tier, weight, clauses[tier]));
}

function enoughWords({ tag, words }: LooseQuery): Clause {
  const should = words.map((word) => nearly('t', tag, word));
  return { bool: { should, minimum_should_match: wordsNeeded(words.length) } };
}

/**
 * A lexeme whose term a word may be a misspelling of, as `isNearly` decides. The prefix length covers the lexeme's kind and tag, which
 * must not be edited, and the letters that the term has to begin with.
 */
function nearly(kind: 't' | 'q', tag: string, word: string): Clause {
  const start = Array.from(lexeme(kind, tag, '')).length;
  return anyClause(
    wordVariants(word).map(({ word: read, kept, edits: fuzziness }) => {
      const value = lexeme(kind, tag, read);
      if (fuzziness === 0) return { term: { name_lex: value } };
      const fuzzy = { value, fuzziness, prefix_length: start + kept, transpositions: true };
      // The rewrite keeps all near terms, however many there are.
      return { fuzzy: { name_lex: { ...fuzzy, rewrite: 'constant_score' } } };
    }),
  );
}

const worth = (name: string, boost: number, filter: Clause): Clause => ({
  constant_score: { filter, boost, _name: name },
});

/** A query that matches any of the tiers and all filters; with null tiers the filters alone. */
export function queryOf(tiers: readonly Clause[] | null, filter: readonly Clause[]): Clause {
  if (tiers === null) return { bool: { filter } };
  const ranked = {
    function_score: {
      query: { dis_max: { tie_breaker: OTHERS, queries: tiers } },
      functions: [{ field_value_factor: { field: 'factor' } }],
      boost_mode: 'multiply',
    },
  };
  return { bool: { must: [ranked], filter } };
}

const FIELDS: Readonly<Record<Exclude<SortKey, 'random'>, string>> = {
  created: 'created',
  downloads: 'downloads',
  hotness: 'hotness',
  rating: 'rating',
  relevance: '_score',
  updated: 'updated',
  users: 'users',
};

function sortOf(keys: readonly SortKey[]): Clause[] {
  const down = keys.flatMap((key) => (key === 'random' ? [] : [{ [FIELDS[key]]: 'desc' }]));
  const ties = keys.at(-1) === 'relevance' ? [{ users: 'desc' }] : [];
  return [...down, ...ties, { id: 'asc' }];
}

/** The body of a search for a slice and the number of results. */
export function pageBody(query: Clause, keys: readonly SortKey[], slice: Slice | null): object {
  if (slice === null) return { query, size: 0, track_total_hits: true };
  const { offset: from, limit: size } = slice;
  const shown = { _source: false, track_scores: true, track_total_hits: true };
  return { query, sort: sortOf(keys), from, size, ...shown };
}

/** The body of a search for the first few results. */
export function suggestionsBody(query: Clause, keys: readonly SortKey[]): object {
  return { ...pageBody(query, keys, { offset: 0, limit: MAX_SUGGESTIONS }), track_total_hits: false };
}
