/*
 * Computes users, downloads and hotness of add-ons from daily statistics. "This week" is seven days, the same ones for all add-ons
 * with the same source, so an add-on that its source no longer has drops to 0. Days without a row are ignored.
 *
 * - Imported days: this week ends with the newest imported day of the catalogue, so late deliveries change nothing.
 * - Estimates of users: it ends with the newest day of all. That applies to add-ons without imported days in the last four weeks of imports,
 *   and to add-ons with an estimate that is at least a week newer than all imports.
 *
 * - average daily users: the mean of this week; the popularity of a persona;
 * - weekly downloads: the sum of the imported week, since estimates have no downloads; without imported days they stay;
 * - hotness: relative growth of this week's mean over that of the three weeks before. It is 0 up to 1,000 users (250 for themes of
 * any kind), since small numbers fluctuate, and without earlier users.
 *
 * Add-ons without rows keep their numbers, which came from an import.
 */

import { BulkSession } from '../../infra/bulk-session.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { THEME_TYPES } from '../../package/enums.ts';
import { publishNumbers } from '../listing/publish-numbers.ts';
import { interleavedBatches } from '../search/postgres/maintain/maintenance.ts';

const THEMES = THEME_TYPES.map((type) => `'${type}'`).join(', ');
const MIN_USERS = { addon: 1_000, theme: 250 } as const;

/**
 * Updates users, downloads and hotness of at most some thousand add-ons with one statement. Returns the ids of the changed add-ons;
 * the caller publishes them in the same transaction, by `publishNumbers` or with its other changes.
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
 * Does the same for all add-ons and publishes them, in batches with their own transactions. Safe to run concurrently. Returns the
 * number of changed add-ons. Used by the nightly job and after an import.
 */
export async function recomputeAllStatistics(): Promise<number> {
  let changed = 0;
  for (const ids of interleavedBatches(await findOutdated())) {
    changed += await db.$transaction(async (tx) => {
      const recomputed = await recomputeStatistics(tx, ids);
      await publishNumbers(tx, recomputed);
      return recomputed.length;
    });
  }
  return changed;
}

/** Ids of add-ons with outdated numbers, in ascending order. */
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
 * SQL; `chosen` is the condition on add-ons (`a`). Only four weeks are read. The lateral joins look the days up per add-on:
 * a plain join lets the planner read all days for each batch.
 */
const fresh = (chosen: string): string => `
  newest AS MATERIALIZED (
    SELECT (SELECT max(day) FROM daily_statistics WHERE day <= today) AS day,
      (SELECT max(day) FROM daily_statistics WHERE day <= today AND NOT is_estimated) AS imported
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS now
  ), sums AS MATERIALIZED (
    SELECT a.id, a.type, of_days.*, CASE WHEN import.days > 0 THEN import.downloads ELSE a.weekly_downloads END::int8 AS downloads
    FROM addon a CROSS JOIN newest CROSS JOIN LATERAL (
      SELECT count(*) AS days, coalesce(sum(s.downloads) FILTER (WHERE s.day > newest.imported - 7), 0) AS downloads
      FROM daily_statistics s
      WHERE s.addon_id = a.id AND s.day <= newest.imported AND s.day > newest.imported - 28 AND NOT s.is_estimated
    ) AS import CROSS JOIN LATERAL (
      SELECT CASE WHEN import.days > 0 AND NOT EXISTS (
        SELECT FROM daily_statistics s WHERE s.addon_id = a.id AND s.day >= newest.imported + 7
      ) THEN newest.imported ELSE newest.day END AS day
    ) AS last CROSS JOIN LATERAL (
      SELECT coalesce(avg(s.users) FILTER (WHERE s.day > last.day - 7), 0)::float8 AS users,
        coalesce(avg(s.users) FILTER (WHERE s.day <= last.day - 7), 0)::float8 AS before
      FROM daily_statistics s WHERE s.addon_id = a.id AND s.day <= last.day AND s.day > last.day - 28
    ) AS of_days
    WHERE ${chosen} AND (SELECT min(s.day) FROM daily_statistics s WHERE s.addon_id = a.id) <= newest.day
  ), fresh AS MATERIALIZED (
    SELECT id, round(users::numeric)::int AS users, least(downloads, ${MAX_INT4})::int AS downloads,
      CASE
        WHEN before <= 1 THEN 0
        WHEN users <= CASE WHEN type IN (${THEMES}) THEN ${MIN_USERS.theme} ELSE ${MIN_USERS.addon} END THEN 0
        ELSE (users - before) / before
      END::float8 AS hotness
    FROM sums
  )`;
