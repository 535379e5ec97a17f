/* Loose matches, used when nothing matches the query as written. */
import { lexeme } from '../../analysis/lexemes.ts';
import type { SearchPage } from '../../query/engine.ts';
import { isNearly, wordsNeeded, wordVariants } from '../../query/partial-match.ts';
import type { LooseQuery } from '../../query/query-plan.ts';
import type { OffsetLimit, SortKey } from '../../query/search-request.ts';
import { allOf, anyOf, type LexemeCondition, LOOSE_LEXICAL, looseBit, termCondition } from '../../query/tiers.ts';
import { binaryArray, filterSql, matchClause, type RunStatement, StatementValues, tsquery } from '../plan/statement.ts';
import type { SearchTarget } from '../plan/tier-conditions.ts';
import { type Ranking, rankedPage, scoresSql } from './ranking.ts';
import { columnsOf, orderOf } from './sorted-page.ts';

/** The scores of sets of loose tiers, for a parameter. */
export const PARTIAL_MATCH_SCORES = binaryArray(LOOSE_LEXICAL);
/** Up to this many words, the combinations are one condition; above it matching words are counted. */
const MAX_COMBINED = 8;

/** A slice of the loose matches, and their number. */
export async function partialMatchPage(
  target: SearchTarget,
  keys: readonly SortKey[],
  slice: OffsetLimit | null,
  comparesWords: boolean,
): Promise<SearchPage> {
  const values = new StatementValues();
  const ranking = await partialMatchRanking(target, keys, comparesWords, values);
  return rankedPage(target, ranking, orderOf(keys), slice, values);
}

/** The statement that selects the ids of loose matches; null when there are none. */
export async function partialMatchIds(
  target: SearchTarget,
  comparesWords: boolean,
  values: StatementValues,
): Promise<string | null> {
  const scores = scoresSql(await partialMatchRanking(target, [], comparesWords, values), values);
  return scores === null ? null : `SELECT addon_id AS id FROM (${scores}) AS scored`;
}

async function partialMatchRanking(
  { run, plan, filters }: SearchTarget,
  keys: readonly SortKey[],
  comparesWords: boolean,
  values: StatementValues,
): Promise<Ranking> {
  const near = await nearTerms(run, plan.loose, comparesWords);
  const whole = anyOf(
    plan.loose.flatMap(({ tag, squash }) => near('q', squash).map((each) => termCondition(lexeme('q', tag, each)))),
  );
  const names = tsquery(whole);
  const byName = names === null ? [] : [matchClause('operator', 'name_lex', names, values)];
  const byWords = wordsWhere(plan.loose, near, values);
  const [name, words] = [looseBit('looseName'), looseBit('looseWords')];
  return {
    // Few rows match the whole name, so most rows match one condition and need no grouping.
    overlapping: byName.flatMap((where) => [
      { where, bits: name },
      ...byWords.map((too) => ({ where: `${where} AND ${too}`, bits: words })),
    ]),
    disjoint: byWords.map((where) => ({ where, bits: words })),
    filter: filterSql(filters, values, 'operator'),
    tierScores: PARTIAL_MATCH_SCORES,
    columns: columnsOf(keys),
  };
}

/**
 * Matches names with enough of the query's words, exactly or within the edit distance, under any tag; none when too few words have
 * candidates.
 */
function wordsWhere(queries: readonly LooseQuery[], near: NearTerms, values: StatementValues): string[] {
  const matches: string[] = [];
  const counted: string[] = [];
  for (const { tag, words } of queries) {
    const needed = wordsNeeded(words.length);
    const found = words
      .map((word) => anyOf(near('t', word).map((each) => termCondition(lexeme('t', tag, each)))))
      .filter((condition) => tsquery(condition) !== null);
    if (found.length < needed) continue;
    if (words.length > MAX_COMBINED) counted.push(countedSql(found, needed, values));
    else matches.push(matchSql(atLeast(needed, found), values));
  }
  if (counted.length === 0) return matches.length === 0 ? [] : [`(${matches.join(' OR ')})`];
  return [`addon_id IN (${[...counted, ...matches.map(idsSql)].join(' UNION ALL ')})`];
}

const matchSql = (condition: LexemeCondition, values: StatementValues) =>
  matchClause('operator', 'name_lex', tsquery(condition) ?? '', values);
const idsSql = (where: string) => `SELECT addon_id FROM addon_search WHERE ${where}`;

/** The ids of rows that match at least `needed` of many conditions. */
function countedSql(conditions: readonly LexemeCondition[], needed: number, values: StatementValues): string {
  const each = conditions.map((condition) => idsSql(matchSql(condition, values)));
  return `SELECT addon_id FROM (${each.join(' UNION ALL ')}) AS one GROUP BY addon_id HAVING count(*) >= ${needed}`;
}

/** At least `needed` of some conditions. */
function atLeast(needed: number, conditions: readonly LexemeCondition[]): LexemeCondition {
  if (needed === conditions.length) return allOf(conditions);
  const [first, ...rest] = conditions;
  if (first === undefined || needed > conditions.length) return anyOf([]);
  const withFirst = needed === 1 ? first : allOf([first, atLeast(needed - 1, rest)]);
  return anyOf([withFirst, atLeast(needed, rest)]);
}

/** Terms of a kind within the edit distance of a word. */
export type NearTerms = (kind: 't' | 'q', word: string) => readonly string[];

/**
 * Finds the terms within the edit distance of the query's words. PostgreSQL's distance counts a transposition as two edits, so the
 * statement allows twice the distance and the exact rule is applied here. Without that function it selects all terms of a fitting length.
 */
export async function nearTerms(
  run: RunStatement,
  queries: readonly LooseQuery[],
  comparesWords: boolean,
): Promise<NearTerms> {
  const words = new Set(queries.flatMap(({ words }) => words));
  const squashed = new Set(queries.map(({ squash }) => squash));
  const wanted = [...[...words].map((word) => ['t', word]), ...[...squashed].map((word) => ['q', word])].flatMap(
    ([kind, word = '']) =>
      wordVariants(word).map(({ word: read, kept, edits }) => {
        return { kind, word, read, start: Array.from(read).slice(0, kept).join(''), edits };
      }),
  );
  const isNear = comparesWords ? 'AND levenshtein_less_equal(s.term, w.read, 2 * w.edits) <= 2 * w.edits' : '';
  // One array per word: transferring thousands of rows would take longer than finding them.
  const rows = await run<{ kind: string; word: string; terms: string[] }>(
    `SELECT w.kind, w.word, json_agg(s.term) AS terms
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) AS w(kind, word, read, start, edits)
    JOIN search_word s ON s.kind = w.kind::"char" AND s.c1 = left(w.start, 1) AND starts_with(s.term, w.start)
      AND s.len BETWEEN length(w.read) - w.edits AND length(w.read) + w.edits ${isNear}
    GROUP BY w.kind, w.word`,
    [
      wanted.map(({ kind }) => kind),
      wanted.map(({ word }) => word),
      wanted.map(({ read }) => read),
      wanted.map(({ start }) => start),
      wanted.map(({ edits }) => edits),
    ],
  );
  const found = new Map(
    rows.map(({ kind, word, terms }) => [
      `${kind} ${word}`,
      [...new Set(terms)].filter((each) => isNearly(word, each)),
    ]),
  );
  return (kind, word) => found.get(`${kind} ${word}`) ?? [];
}
