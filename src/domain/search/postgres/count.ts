import { unionOf } from './arms.ts';
import type { Target } from './relevance-page.ts';
import { type Run, Values } from './statement.ts';

/** How many rows match a query and its filters; of more than `limit`, only that they are more. */
export async function countMatches(run: Run, { plan, filters }: Target, limit?: number): Promise<number> {
  const values = new Values();
  const where = unionOf(plan, filters, values);
  const all =
    limit === undefined
      ? `SELECT count(*)::int AS n FROM addon_search WHERE ${where}`
      : `SELECT count(*)::int AS n FROM (SELECT FROM addon_search WHERE ${where} LIMIT ${values.add(limit + 1)}) AS few`;
  const [row] = await run<{ n: number }>(all, values.all);
  return row?.n ?? 0;
}
