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
import { BulkSession } from '../../infra/bulk-session.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { apart } from '../search/postgres/maintain/keep-up.ts';
import { publishNumbers } from './publish-numbers.ts';

const LEAST_USERS = { addon: 1_000, theme: 250 } as const;

/**
 * Brings users, downloads and hotness of these add-ons up to date with the daily statistics: one statement, for at most some
 * thousand of them. Returns the ids of the add-ons whose numbers have changed. The caller publishes them in the same
 * transaction: by `publishNumbers`, or together with whatever else it has changed.
 */
export async function recomputeStatistics(tx: Transaction, addonIds: readonly number[]): Promise<number[]> {
  const rows = await tx.$queryRawUnsafe<{ id: number }[]>(
    `WITH ${fresh('a.id = ANY($1::int[])')}, locked AS MATERIALIZED (
      SELECT f.* FROM addon a JOIN fresh f ON f.id = a.id WHERE ${DIFFERS} ORDER BY a.id FOR NO KEY UPDATE OF a
    )
    UPDATE addon a SET average_daily_users = l.users, weekly_downloads = l.downloads, hotness = l.hotness
    FROM locked l WHERE a.id = l.id
    RETURNING a.id`,
    addonIds,
  );
  return rows.map(({ id }) => id);
}

/**
 * The same for all add-ons, published, in parts that are transactions of their own. Safe beside itself and every other
 * change. Returns how many add-ons have changed. Made for the nightly job, and for after an import.
 */
export async function recomputeAllStatistics(): Promise<number> {
  let changed = 0;
  for (const ids of apart(await findOutdated())) {
    changed += await db.$transaction(async (tx) => {
      const recomputed = await recomputeStatistics(tx, ids);
      await publishNumbers(tx, recomputed);
      return recomputed.length;
    });
  }
  return changed;
}

/** The add-ons whose numbers are not what their days say, in ascending order. */
async function findOutdated(): Promise<number[]> {
  const rows = await BulkSession.during('addons-statistics', (session) =>
    session.query<{ id: number }>(
      `WITH ${fresh('true')} SELECT a.id FROM addon a JOIN fresh f ON f.id = a.id WHERE ${DIFFERS} ORDER BY a.id`,
    ),
  );
  return rows.map(({ id }) => id);
}

const DIFFERS =
  '(a.average_daily_users, a.weekly_downloads, a.hotness) IS DISTINCT FROM (f.users, f.downloads, f.hotness)';

/**
 * `chosen` says which add-ons (`a`) are meant. Days before the last four weeks are not read, and those of an add-on are looked
 * up together: a planner that may join them reads all days of all add-ons for each few thousand of these.
 */
const fresh = (chosen: string): string => `
  newest AS MATERIALIZED (
    SELECT max(day) AS day FROM daily_statistics WHERE day <= (now() AT TIME ZONE 'UTC')::date
  ), sums AS MATERIALIZED (
    SELECT a.id, a.type, of_days.* FROM addon a CROSS JOIN newest CROSS JOIN LATERAL (
      SELECT coalesce(avg(s.users) FILTER (WHERE s.day > newest.day - 7), 0)::float8 AS users,
        coalesce(avg(s.users) FILTER (WHERE s.day <= newest.day - 7), 0)::float8 AS before,
        coalesce(sum(s.downloads) FILTER (WHERE s.day > newest.day - 7), 0)::int8 AS downloads
      FROM daily_statistics s WHERE s.addon_id = a.id AND s.day <= newest.day AND s.day > newest.day - 28
    ) AS of_days
    WHERE ${chosen} AND (SELECT min(s.day) FROM daily_statistics s WHERE s.addon_id = a.id) <= newest.day
  ), fresh AS MATERIALIZED (
    SELECT id, round(users::numeric)::int AS users, least(downloads, 2147483647)::int AS downloads,
      CASE
        WHEN before <= 1 THEN 0
        WHEN users <= CASE WHEN type IN ('theme', 'statictheme', 'persona') THEN ${LEAST_USERS.theme} ELSE ${LEAST_USERS.addon} END THEN 0
        ELSE (users - before) / before
      END::float8 AS hotness
    FROM sums
  )`;
