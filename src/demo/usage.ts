/* Downloads and update checks of the demo by day and version, made from its daily statistics. */
import { db } from '../infra/db.ts';

/** The days of update checks. The service removes older ones. */
const CHECKED_DAYS = 31;

/**
 * SQL: the newest four versions of each day with daily statistics, and the share of each: a new version has a tenth of the users, and
 * five per cent more every day; the older ones share the rest, each with half of what the next newer one has.
 */
const SHARES = `
  SELECT s.addon_id, s.day, s.users, s.downloads, v.id AS version_id, v.version,
    CASE WHEN v.nth = 1 THEN v.newest ELSE (1 - v.newest) / 2 ^ least(v.nth - 1, v.total - 2) END AS share
  FROM daily_statistics s CROSS JOIN LATERAL (
    SELECT o.id, o.version, row_number() OVER w AS nth, count(*) OVER () AS total,
      CASE WHEN count(*) OVER () = 1 THEN 1
        ELSE least(0.85, 0.1 + 0.05 * (s.day - max(o.created::date) OVER ())) END AS newest
    FROM version o WHERE o.addon_id = s.addon_id AND o.channel = 'listed' AND o.stage = 'signed' AND o.deleted_at IS NULL
      AND o.created::date <= s.day
    WINDOW w AS (ORDER BY o.created DESC, o.id DESC)
    ORDER BY o.created DESC, o.id DESC LIMIT 4
  ) v`;

const UPDATE_CHECKS = `
  INSERT INTO update_check (addon_id, day, app, version, count)
  SELECT addon_id, day, 'desktop_browser', version, round(users * share) FROM (${SHARES}) AS shares
  WHERE day > (now() AT TIME ZONE 'UTC')::date - ${CHECKED_DAYS} AND round(users * share) > 0
  ON CONFLICT DO NOTHING`;

const DOWNLOADS = `
  INSERT INTO download_count (file_id, day, source, count)
  SELECT f.id, day, source, round(downloads * share * part) FROM (${SHARES}) AS shares
  JOIN LATERAL (SELECT id FROM file WHERE version_id = shares.version_id ORDER BY id LIMIT 1) f ON true
  CROSS JOIN (VALUES ('addondetail', 0.7), ('search', 0.3)) AS sources(source, part)
  WHERE round(downloads * share * part) > 0
  ON CONFLICT DO NOTHING`;

/** Adds update checks of a month and downloads of half a year. Safe to repeat: existing counts stay. */
export async function addUsage(): Promise<void> {
  await db.$executeRawUnsafe(UPDATE_CHECKS);
  await db.$executeRawUnsafe(DOWNLOADS);
}
