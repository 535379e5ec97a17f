/*
 * Statistics of old days become those of their months, at the first day of the month: downloads are added up, users are the mean. Whole
 * months only, once each; an add-on or a file is in the state of before or after.
 */
import { config } from '../../config.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { isReadOnly } from '../../infra/read-only.ts';

/** Add-ons or files of one statement. */
const BATCH = 500;

const TOTAL = (column: string): string => `least(sum(${column}), ${MAX_INT4})::int`;
const MONTH = "date_trunc('month', day)::date";

interface RollUp {
  setting: 'STATISTICS_RETENTION_DAYS' | 'DOWNLOAD_RETENTION_DAYS';
  table: 'daily_statistics' | 'download_count';
  /** The column that batches are made of. */
  owner: 'addon_id' | 'file_id';
  /** Columns of the key, in addition to the day. */
  parts: string;
  columns: string;
  values: string;
}

const ROLL_UPS: readonly RollUp[] = [
  {
    ...{ setting: 'STATISTICS_RETENTION_DAYS', table: 'daily_statistics', owner: 'addon_id', parts: '' },
    columns: 'users, downloads, is_estimated',
    values: `round(avg(users))::int, ${TOTAL('downloads')}, bool_and(is_estimated)`,
  },
  {
    ...{ setting: 'DOWNLOAD_RETENTION_DAYS', table: 'download_count', owner: 'file_id', parts: ', source' },
    columns: 'count',
    values: TOTAL('count'),
  },
];

/** The nightly job. Safe to run twice: a month is noted when all of its rows are done. Waits in read-only mode. */
export async function rollUpStatistics(): Promise<void> {
  if (await isReadOnly()) return;
  await BulkSession.during('addons-retention', async (session) => {
    for (const each of ROLL_UPS) await rollUp(session, each);
  });
}

async function rollUp(session: BulkSession, each: RollUp): Promise<void> {
  const state = `${each.table} by month until`;
  const [{ first, end } = { first: '', end: '' }] = await session.query<{ first: string; end: string }>(
    `SELECT coalesce((SELECT value #>> '{}' FROM service_state WHERE name = $1), '-infinity') AS first,
       date_trunc('month', (now() AT TIME ZONE 'UTC')::date - $2::int)::date::text AS end`,
    [state, config[each.setting]],
  );
  if (first !== '-infinity' && first >= end) return;
  for (let after: number | null = 0; after !== null; ) after = await rollUpBatch(session, each, { first, end, after });
  await session.query(
    `INSERT INTO service_state (name, value) VALUES ($1, to_jsonb($2::text))
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now()`,
    [state, end],
  );
}

/** Returns the last add-on or file of the batch; null after the last batch. */
async function rollUpBatch(
  session: BulkSession,
  { table, owner, parts, columns, values }: RollUp,
  { first, end, after }: { first: string; end: string; after: number },
): Promise<number | null> {
  const [{ last = null } = {}] = await session.query<{ last: number | null }>(
    `WITH chosen AS MATERIALIZED (
       SELECT DISTINCT ${owner} AS id FROM ${table} WHERE ${owner} > $3 AND day >= $1::date AND day < $2::date ORDER BY 1 LIMIT ${BATCH}
     ), old AS (
       DELETE FROM ${table} WHERE ${owner} IN (SELECT id FROM chosen) AND day >= $1::date AND day < $2::date RETURNING *
     ), new AS (
       INSERT INTO ${table} (${owner}, day${parts}, ${columns})
       SELECT ${owner}, ${MONTH}${parts}, ${values} FROM old GROUP BY ${owner}, ${MONTH}${parts}
     )
     SELECT max(id) AS last FROM chosen`,
    [first, end, after],
  );
  return last;
}
