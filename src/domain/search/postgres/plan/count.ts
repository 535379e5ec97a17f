import { Values } from './statement.ts';
import { type Target, unionOf } from './tier-conditions.ts';

/** The statement for the number of matches of a query with its filters. */
export function countSql({ plan, filters, knownCount }: Omit<Target, 'run'>, values: Values): string {
  if (knownCount !== undefined) return `SELECT ${values.add(knownCount)}::int AS n`;
  return `SELECT count(*)::int AS n FROM addon_search WHERE ${unionOf(plan, filters, values)}`;
}

/** The number of matches of a query with its filters. */
export async function countMatches(target: Target): Promise<number> {
  const values = new Values();
  const [row] = await target.run<{ n: number }>(countSql(target, values), values.all);
  return row?.n ?? 0;
}

/** Whether any row matches a query and its filters. */
export async function hasMatches({ run, plan, filters }: Target): Promise<boolean> {
  const values = new Values();
  const sql = `SELECT FROM addon_search WHERE ${unionOf(plan, filters, values)} LIMIT 1`;
  return (await run(sql, values.all)).length > 0;
}
