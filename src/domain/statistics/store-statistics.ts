import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { Prisma, type Transaction } from '../../infra/db.ts';
import type { DailyNumbers, RatingNumbers } from './read-statistics.ts';

/** Rows per statement, to stay within the statement timeout. */
export const STORED_AT_ONCE = 5_000;

/**
 * Stores the numbers of at most 5,000 days, with two statements. A stored day is replaced; of two entries for one day the second
 * counts. Returns the number of stored days and the unknown guids, for which nothing is stored.
 */
export async function storeDays(
  tx: Transaction,
  days: readonly DailyNumbers[],
): Promise<{ stored: number; unknown: string[] }> {
  const byDay = new Map(days.map((day) => [`${day.date} ${day.guid.toLowerCase()}`, day]));
  const rows = JSON.stringify([...byDay.values()].map(({ ratings: _, ...row }) => row));
  const missing = await tx.$queryRaw<{ guid: string }[]>`
    SELECT DISTINCT r.guid FROM json_to_recordset(${rows}::json) AS r(guid citext)
    WHERE NOT EXISTS (SELECT FROM addon a WHERE a.guid = r.guid) ORDER BY 1`;
  await tx.$executeRaw`
    INSERT INTO daily_statistics (addon_id, day, users, downloads)
    SELECT a.id, r.date, r.users, r.downloads
    FROM json_to_recordset(${rows}::json) AS r(guid citext, date date, users int, downloads int) JOIN addon a USING (guid)
    ORDER BY a.id, r.date
    ON CONFLICT (addon_id, day) DO UPDATE SET users = excluded.users, downloads = excluded.downloads,
      is_estimated = false
    WHERE (daily_statistics.users, daily_statistics.downloads, daily_statistics.is_estimated)
      IS DISTINCT FROM (excluded.users, excluded.downloads, false)`;
  const unknown = missing.map(({ guid }) => guid);
  const without = new Set(unknown.map((guid) => guid.toLowerCase()));
  const stored = [...byDay.values()].filter(({ guid }) => !without.has(guid.toLowerCase())).length;
  return { stored, unknown };
}

/** Ratings by guid in lower case; later entries win. */
export type Ratings = Map<string, RatingNumbers & { date: string }>;

/** Merges ratings of some days; the newest day wins. */
export function collectRatings(known: Ratings, days: readonly DailyNumbers[]): void {
  for (const { guid, date, ratings } of days) {
    const key = guid.toLowerCase();
    if (ratings !== null && (known.get(key)?.date ?? '') <= date) known.set(key, { ...ratings, date });
  }
}

/**
 * Stores at most 5,000 ratings and the values derived from them, with three statements. The Bayesian average pulls add-ons with few
 * ratings towards the mean of all rated public add-ons, weighted with their mean number of ratings. Returns the ids of the changed
 * add-ons; the caller publishes them.
 */
export async function storeRatings(tx: Transaction, ratings: Ratings): Promise<number[]> {
  const rows = JSON.stringify(
    [...ratings].map(([guid, { count, textCount, average }]) => ({ guid, count, textCount, average })),
  );
  await tx.$queryRaw`
    SELECT FROM addon WHERE guid IN (SELECT guid FROM json_to_recordset(${rows}::json) AS r(guid citext))
    ORDER BY id FOR NO KEY UPDATE`;
  const stored = await tx.$queryRaw<{ id: number }[]>`
    UPDATE addon a SET rating_count = r.count, rating_text_count = r."textCount", rating_average = r.average
    FROM json_to_recordset(${rows}::json) AS r(guid citext, count int, "textCount" int, average float8)
    WHERE a.guid = r.guid
    RETURNING a.id`;
  const ids = stored.map(({ id }) => id);
  await tx.$executeRaw`
    WITH usual AS (
      SELECT coalesce(avg(rating_count), 0)::float8 AS count, coalesce(avg(rating_average), 0)::float8 AS average
      FROM addon a WHERE ${Prisma.raw(IS_PUBLIC_ADDON)} AND rating_count > 0
    )
    UPDATE addon a SET rating_bayesian = CASE WHEN a.rating_count = 0 THEN 0
      ELSE (usual.count * usual.average + a.rating_count * a.rating_average) / (usual.count + a.rating_count) END
    FROM usual WHERE a.id = ANY(${ids})`;
  return ids;
}
