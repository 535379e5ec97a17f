/*
 * Estimates the number of matches from PostgreSQL's statistics of frequent lexemes. Only the choice of strategy depends on it, never the
 * result.
 */
import type { Condition } from '../../query/condition.ts';
import { lexemeCondition } from '../../query/filter-lexemes.ts';
import { acrossTexts } from '../../query/query-plan.ts';
import type { Target } from './arms.ts';
import type { Run } from './statement.ts';

/** Number of rows, and the share of rows with each frequent lexeme. */
export interface LexemeStatistics {
  rows: number;
  frequencies: ReadonlyMap<string, number>;
}

/** Reads the planner statistics of the search table. */
export async function lexemeStatistics(run: Run): Promise<LexemeStatistics> {
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
  return { rows: Math.max(0, columns[0]?.rows ?? 0), frequencies: new Map(frequencies) };
}

/** Estimates the number of matches, assuming independent words. Lexemes that are not frequent count as absent. */
export function expectedMatches(
  { plan, filters }: Omit<Target, 'run'>,
  { rows, frequencies }: LexemeStatistics,
): number {
  // Nearly all other matches are among these.
  const ways = [plan.names.prefix, plan.names.tag, ...acrossTexts(plan)].map((way) => shareOf(way, frequencies));
  const lexemes = lexemeCondition(filters);
  return rows * Math.max(...ways) * (lexemes === null ? 1 : shareOf(lexemes, frequencies));
}

/** Estimates the number of rows whose name matches a condition. */
export function expectedRows(condition: Condition, { rows, frequencies }: LexemeStatistics): number {
  return rows * shareOf(condition, frequencies);
}

function shareOf(condition: Condition, frequencies: LexemeStatistics['frequencies']): number {
  if ('term' in condition) return frequencies.get(condition.term) ?? 0;
  if ('all' in condition) {
    return condition.all.reduce((share, each) => share * shareOf(each, frequencies), 1);
  }
  if ('any' in condition) {
    return Math.min(
      1,
      condition.any.reduce((share, each) => share + shareOf(each, frequencies), 0),
    );
  }
  let share = 0;
  for (const [lexeme, frequency] of frequencies) if (lexeme.startsWith(condition.prefix)) share += frequency;
  return Math.min(1, share);
}
