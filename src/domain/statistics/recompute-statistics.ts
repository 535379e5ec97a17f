/*
 * What the catalogue says of the use of an add-on, from the numbers of single days. "This week" are the seven days up to the
 * newest day that there are any numbers for, so that a late delivery changes nothing; days without a row are not counted.
 *
 * - average daily users: the mean of this week; of a persona that is its popularity;
 * - weekly downloads: the sum of this week;
 * - hotness: by which part the mean of this week is above (or below) that of the three weeks before. Small numbers jump
 *   about, so it is 0 up to 1,000 users (of themes of any kind: 250), and without users before.
 *
 * An add-on without any rows keeps the numbers that it has: they came with it from elsewhere.
 */
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { publishNumbers } from './publish-numbers.ts';

const LEAST_USERS = { addon: 1_000, theme: 250 } as const;

/** As many ids at a time, each a transaction of its own: nobody who changes an add-on waits longer than for one of them. */
const PART = 10_000;

const EVERYTHING = Prisma.sql`TRUE`;

/**
 * Brings users, downloads and hotness of all add-ons, or of those with these ids, up to date with the daily statistics:
 * one statement. Returns the ids of the add-ons whose numbers have changed. The caller publishes them in the same
 * transaction: by `publishNumbers`, or together with whatever else it has changed.
 */
export async function recomputeStatistics(tx: Transaction, addonIds?: readonly number[]): Promise<number[]> {
  const chosen = (column: string) =>
    addonIds === undefined ? EVERYTHING : Prisma.sql`${Prisma.raw(column)} = ANY(${[...addonIds]}::int[])`;
  return recompute(tx, chosen);
}

/**
 * The same for all add-ons, published, in parts that are transactions of their own. Safe beside itself and every other
 * change. Returns how many add-ons have changed. Made for the nightly job, and for after an import.
 */
export async function recomputeAllStatistics(): Promise<number> {
  const [range] = await db.$queryRaw<{ first: number | null; last: number | null }[]>`
    SELECT min(addon_id) AS first, max(addon_id) AS last FROM daily_statistics`;
  let changed = 0;
  for (let from = range?.first ?? 1; from <= (range?.last ?? 0); from += PART) {
    changed += await db.$transaction(async (tx) => {
      const ids = await recompute(tx, (column) => {
        const name = Prisma.raw(column);
        return Prisma.sql`${name} >= ${from} AND ${name} < ${from + PART}`;
      });
      await publishNumbers(tx, ids);
      return ids.length;
    });
  }
  return changed;
}

/** `chosen` says by the name of a column with their ids which add-ons are meant. Rows are locked in the order of ids. */
async function recompute(tx: Transaction, chosen: (column: string) => Prisma.Sql): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    WITH newest AS (
      SELECT max(day) AS day FROM daily_statistics WHERE day <= (now() AT TIME ZONE 'UTC')::date
    ), sums AS MATERIALIZED (
      SELECT s.addon_id,
        coalesce(avg(s.users) FILTER (WHERE s.day > newest.day - 7), 0)::float8 AS users,
        coalesce(avg(s.users) FILTER (WHERE s.day <= newest.day - 7 AND s.day > newest.day - 28), 0)::float8 AS before,
        coalesce(sum(s.downloads) FILTER (WHERE s.day > newest.day - 7), 0)::int8 AS downloads
      FROM daily_statistics s CROSS JOIN newest
      WHERE s.day <= newest.day AND ${chosen('s.addon_id')}
      GROUP BY s.addon_id
    ), fresh AS MATERIALIZED (
      SELECT a.id, round(s.users::numeric)::int AS users, least(s.downloads, 2147483647)::int AS downloads,
        CASE
          WHEN s.before <= 1 THEN 0
          WHEN s.users <= CASE WHEN a.type IN ('theme', 'statictheme', 'persona') THEN ${LEAST_USERS.theme}::int ELSE ${LEAST_USERS.addon}::int END THEN 0
          ELSE (s.users - s.before) / s.before
        END::float8 AS hotness
      FROM sums s JOIN addon a ON a.id = s.addon_id
    ), locked AS MATERIALIZED (
      SELECT a.id FROM addon a JOIN fresh f ON f.id = a.id
      WHERE (a.average_daily_users, a.weekly_downloads, a.hotness) IS DISTINCT FROM (f.users, f.downloads, f.hotness)
      ORDER BY a.id FOR NO KEY UPDATE OF a
    )
    UPDATE addon a SET average_daily_users = f.users, weekly_downloads = f.downloads, hotness = f.hotness
    FROM fresh f JOIN locked l ON l.id = f.id WHERE a.id = f.id
    RETURNING a.id`;
  return rows.map(({ id }) => id);
}
