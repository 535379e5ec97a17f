/*
 * A request as the body of a search: the tiers of `tiers.ts` become clauses of constant worth, of which the best counts
 * and the others a twentieth, times the factor that each document has.
 */
import { lexeme } from '../analysis/lexemes.ts';
import { MOST_SUGGESTIONS } from '../engine/engine.ts';
import { allOf, anyOf, type Condition } from '../query/condition.ts';
import { allowedEdits, wordsNeeded } from '../query/loose-match.ts';
import type { Slice } from '../query/page-window.ts';
import { CLASSES_OF, type LooseQuery, type QueryPlan, type TextTier, textWordCondition } from '../query/query-plan.ts';
import type { SortKey } from '../query/search-request.ts';
import { LOOSE_TIERS, OTHERS, TEXT_TIERS, TIERS, type Tier } from '../query/tiers.ts';
import { type Clause, clauseOf, oneOf } from './conditions.ts';

const isTextTier = (tier: Tier): tier is TextTier => TEXT_TIERS.some((text) => text === tier);

/** One clause for each tier that can match at all. */
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

/** The clauses of what may be meant: the whole name misspelt, or enough of its words. */
export function looseTiers({ loose }: QueryPlan): Clause[] {
  const clauses = {
    looseName: oneOf(loose.map(({ tag, squash }) => nearly('q', tag, squash))),
    looseWords: oneOf(loose.map(enoughWords)),
  };
  return LOOSE_TIERS.map(([tier, weight]) => worth(tier, weight, clauses[tier]));
}

function enoughWords({ tag, words }: LooseQuery): Clause {
  const should = words.map((word) => nearly('t', tag, word));
  return { bool: { should, minimum_should_match: wordsNeeded(words.length) } };
}

/**
 * A lexeme whose term is near to a word, its first letter the same. The server would count the letters of the lexeme's
 * kind and tag as well, so it is told how many edits are allowed, and from where on.
 */
function nearly(kind: 't' | 'q', tag: string, word: string): Clause {
  const value = lexeme(kind, tag, word);
  const fuzziness = allowedEdits(Array.from(word).length);
  if (fuzziness === 0) return { term: { name_lex: value } };
  const start = Array.from(lexeme(kind, tag, '')).length + 1;
  // Of that rewriting no word is left out, however many are near.
  return {
    fuzzy: { name_lex: { value, fuzziness, prefix_length: start, transpositions: true, rewrite: 'constant_score' } },
  };
}

const worth = (name: string, boost: number, filter: Clause): Clause => ({
  constant_score: { filter, boost, _name: name },
});

/** A query whose results are what any of the tiers matches and all filters let through; null tiers let all through. */
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

/** The body that asks for a slice of a query's results, and for their number. */
export function pageBody(query: Clause, keys: readonly SortKey[], slice: Slice | null): object {
  if (slice === null) return { query, size: 0, track_total_hits: true };
  const { offset: from, limit: size } = slice;
  const shown = { _source: false, track_scores: true, track_total_hits: true };
  return { query, sort: sortOf(keys), from, size, ...shown };
}

/** The body that asks for the first few results. */
export function suggestionsBody(query: Clause, keys: readonly SortKey[]): object {
  return { ...pageBody(query, keys, { offset: 0, limit: MOST_SUGGESTIONS }), track_total_hits: false };
}
