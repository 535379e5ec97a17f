/*
 * Estimates the number of matches from PostgreSQL's statistics of frequent lexemes. Only the choice of strategy depends on it, never the
 * result.
 */

import { acrossTexts, type QueryPlan } from '../../query/query-plan.ts';
import type { LexemeCondition } from '../../query/tiers.ts';
import { filterParts, type RunStatement, StatementValues } from './statement.ts';
import type { SearchTarget } from './tier-conditions.ts';

/** Number of rows, and the share of rows with each frequent lexeme. */
export interface LexemeStatistics {
  rows: number;
  frequencies: ReadonlyMap<string, number>;
  /** The frequent lexemes in ascending order. */
  lexemes: readonly string[];
}

/** Reads the planner statistics of the search table. */
export async function lexemeStatistics(run: RunStatement): Promise<LexemeStatistics> {
  const columns = await run<{ rows: number; lexemes: string[] | null; frequencies: number[] | null }>(
    `SELECT c.reltuples AS rows, s.most_common_elems::text::text[] AS lexemes, s.most_common_elem_freqs AS frequencies
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname IN ('name_lex', 'text_lex')
    WHERE c.oid = 'addon_search'::regclass`,
    [],
  );
  const frequencies = columns.flatMap(({ lexemes, frequencies }) =>
    (lexemes ?? []).map((lexeme, index): [string, number] => [lexeme, frequencies?.[index] ?? 0]),
  );
  return {
    rows: Math.max(0, columns[0]?.rows ?? 0),
    frequencies: new Map(frequencies),
    lexemes: frequencies.map(([lexeme]) => lexeme).sort((one, other) => (one < other ? -1 : 1)),
  };
}

/** Estimates the number of matches, assuming independent words. Lexemes that are not frequent count as absent. */
export function expectedMatches({ plan, filters }: Omit<SearchTarget, 'run'>, statistics: LexemeStatistics): number {
  // Nearly all other matches are among these.
  const ways = [plan.names.prefix, plan.names.tag, ...acrossTexts(plan)].map((way) => shareOf(way, statistics));
  const { lexemes } = filterParts(filters, new StatementValues());
  return statistics.rows * Math.max(...ways) * (lexemes === null ? 1 : shareOf(lexemes, statistics));
}

/** Estimates the number of rows whose name matches a condition. */
export function expectedRows(condition: LexemeCondition, statistics: LexemeStatistics): number {
  return statistics.rows * shareOf(condition, statistics);
}

/** The start of a word in names, of few letters. */
const SHORT_START = /^t[^:]*:(.{1,3})$/u;
/** By the number of letters, the share of rows whose names have words with a common start that are not frequent: rough averages. */
const OTHER_WORDS: readonly number[] = [0, 0.1, 0.012, 0.0015];

/** A word in at most this many rows is rare. */
const RARE = 2_000;

/** Whether each way to match the texts needs a rare word: an index then visits few rows, however they are looked up. */
export function hasRareWord(plan: QueryPlan, statistics: LexemeStatistics): boolean {
  return acrossTexts(plan).every((way) =>
    ('all' in way ? way.all : [way]).some((word) => expectedRows(word, statistics) <= RARE),
  );
}

function shareOf(condition: LexemeCondition, statistics: LexemeStatistics): number {
  if ('term' in condition) return statistics.frequencies.get(condition.term) ?? 0;
  if ('all' in condition) {
    return condition.all.reduce((share, each) => share * shareOf(each, statistics), 1);
  }
  if ('any' in condition) {
    return Math.min(
      1,
      condition.any.reduce((share, each) => share + shareOf(each, statistics), 0),
    );
  }
  return shareOfPrefix(condition.prefix, statistics);
}

function shareOfPrefix(prefix: string, { frequencies, lexemes }: LexemeStatistics): number {
  let share = OTHER_WORDS[SHORT_START.exec(prefix)?.[1]?.length ?? 0] ?? 0;
  for (let place = firstFrom(prefix, lexemes); lexemes[place]?.startsWith(prefix); place++) {
    share += frequencies.get(lexemes[place] ?? '') ?? 0;
  }
  return Math.min(1, share);
}

/** The place of the first of ascending texts that does not precede `text`. */
function firstFrom(text: string, ascending: readonly string[]): number {
  let [start, end] = [0, ascending.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((ascending[middle] ?? '') < text) start = middle + 1;
    else end = middle;
  }
  return start;
}
