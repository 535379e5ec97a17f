import type { Hit } from '../engine.ts';
import type { Slice } from '../page-window.ts';
import { LEXICAL } from '../tiers.ts';
import type { Arm } from './arms.ts';
import type { Run, Values } from './statement.ts';

/** What a set of tiers is worth, as PostgreSQL reads an array: the same numbers as everywhere. */
export const LEXICAL_ARRAY = `{${LEXICAL.join(',')}}`;

const BY_SCORE = 'score DESC, users DESC, addon_id';

export interface Ranking {
  arms: readonly (Arm & { extra: string })[];
  /** The worth of each sum of bits. */
  worth: string;
  /** Columns to sort by beside the score, and the order. */
  columns?: readonly string[];
  order?: string;
}

/**
 * The statement that ranks the rows of some arms: their bits are put together for each row, what they are worth is
 * multiplied by the row's factor. Rows are `{id, score}`, best first.
 */
export function rankingSql({ arms, worth, columns = [], order = BY_SCORE }: Ranking, values: Values): string {
  const kept = ['addon_id', 'm', 'users', ...columns.filter((column) => column !== 'users')].join(', ');
  const found = arms.map(
    ({ where, bits, extra }) => `SELECT ${kept}, ${bits} AS b FROM addon_search WHERE ${where}${extra}`,
  );
  return `SELECT addon_id AS id, (${values.add(worth)}::float8[])[bit_or(b) + 1] * m AS score
    FROM (${found.join(' UNION ALL ')}) AS found
    GROUP BY ${kept} ORDER BY ${order}`;
}

/** `LIMIT` and `OFFSET` of a slice. */
export function sliceSql({ offset, limit }: Slice, values: Values): string {
  return ` LIMIT ${values.add(limit)}::int OFFSET ${values.add(offset)}::int`;
}

/** Runs a ranking for a slice of it. */
export async function rank(run: Run, ranking: Ranking, slice: Slice, values: Values): Promise<Hit[]> {
  if (ranking.arms.length === 0) return [];
  return run<Hit>(rankingSql(ranking, values) + sliceSql(slice, values), values.all);
}
