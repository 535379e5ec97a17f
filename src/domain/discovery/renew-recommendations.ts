import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { db, pool } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { hasRecommender } from '../../infra/recommender.ts';

/*
 * The built-in recommender, for deployments without an external service. It scores add-ons by shared tags and categories:
 * rare ones weigh more, and popular add-ons come first. It runs nightly as SQL over the whole catalogue.
 */

/** Recommendations stored per add-on: more than are shown, because add-ons may leave the catalogue during the day. */
const MAX_STORED = 12;
/** Most popular add-ons considered per tag and category, so that the run time grows linearly with the catalogue. */
const MAX_CANDIDATES = 40;
const BATCH = 5_000;

/** Tags and categories with their weights. Categories are broad, so they weigh half. */
const TRAITS = `
  CREATE TEMP TABLE trait ON COMMIT DROP AS
  SELECT a.id AS addon_id, a.type, a.average_daily_users AS users, f.trait, f.value
  FROM addon a JOIN (
    SELECT addon_id, 't' || lower(tag) AS trait, 1.0 AS value FROM addon_tag
    UNION SELECT addon_id, 'c' || category_id, 0.5 FROM addon_category
  ) f ON f.addon_id = a.id
  WHERE ${IS_PUBLIC_ADDON}`;

const CANDIDATES = `
  CREATE TEMP TABLE candidate ON COMMIT DROP AS
  SELECT trait, type, addon_id, users, value * ln(1 + (SELECT count(DISTINCT addon_id) FROM trait)::float / shared) AS weight
  FROM (
    SELECT *, count(*) OVER (PARTITION BY trait, type) AS shared,
      row_number() OVER (PARTITION BY trait, type ORDER BY users DESC, addon_id) AS place
    FROM trait
  ) t WHERE shared > 1 AND place <= ${MAX_CANDIDATES}`;

const FRESH = `
  INSERT INTO fresh
  SELECT addon_id, array_agg(other ORDER BY place) FROM (
    SELECT t.addon_id, c.addon_id AS other, row_number() OVER (
      PARTITION BY t.addon_id ORDER BY sum(c.weight) * (1 + ln(1 + c.users) / 20) DESC, c.addon_id) AS place
    FROM trait t JOIN candidate c ON c.trait = t.trait AND c.type = t.type AND c.addon_id <> t.addon_id
    WHERE t.addon_id > $1 AND t.addon_id <= $2
    GROUP BY t.addon_id, c.addon_id, c.users
  ) ranked WHERE place <= ${MAX_STORED} GROUP BY addon_id`;

const PREPARE = [
  TRAITS,
  'CREATE INDEX ON trait (addon_id)',
  'ANALYZE trait',
  CANDIDATES,
  'CREATE INDEX ON candidate (trait, type)',
  'ANALYZE candidate',
  'CREATE TEMP TABLE fresh (addon_id int PRIMARY KEY, recommended int[]) ON COMMIT DROP',
];

const REPLACE = [
  'DELETE FROM recommendation r WHERE NOT EXISTS (SELECT FROM fresh f WHERE f.addon_id = r.addon_id)',
  `INSERT INTO recommendation AS r (addon_id, recommended) SELECT f.addon_id, f.recommended FROM fresh f JOIN addon a ON a.id = f.addon_id
   ON CONFLICT (addon_id) DO UPDATE SET recommended = excluded.recommended
   WHERE r.recommended IS DISTINCT FROM excluded.recommended`,
];

/**
 * Computes the recommendations of all public add-ons and replaces the stored ones in one transaction. Does nothing while
 * another process is computing them.
 */
export function computeRecommendations(): Promise<void> {
  return BulkSession.during('addons-recommendations', async (session) => {
    if (!(await session.tryLock(LOCK_KEYS.recommendations))) return;
    await session.query('BEGIN');
    for (const statement of PREPARE) await session.query(statement);
    const [end] = await session.query<{ last: number }>('SELECT coalesce(max(addon_id), 0) AS last FROM trait');
    for (let start = 0; start < (end?.last ?? 0); start += BATCH) await session.query(FRESH, [start, start + BATCH]);
    for (const statement of REPLACE) await session.query(statement);
    await session.query('COMMIT');
  });
}

/** Key of the `service_state` row with the time of the last run and the number of public add-ons then. */
const STATE = 'recommendations';
/** Hour of the nightly run. */
const RUN_HOUR_UTC = 3;
const DAY_MS = 86_400_000;
/** Relative change in catalogue size, such as after an import, that triggers a run before the next night. */
const LARGE_CHANGE = 0.1;

interface LastRun {
  at: number;
  addons: number;
}

/** The last scheduled time before `now`, in milliseconds. */
function lastScheduledRun(now: number): number {
  const night = new Date(now).setUTCHours(RUN_HOUR_UTC, 0, 0, 0);
  return night <= now ? night : night - DAY_MS;
}

/** Whether the recommendations of the last run are outdated; `addons` is the current number of public add-ons. */
export function isDue(last: LastRun | null, addons: number, now: number): boolean {
  if (last === null || last.at < lastScheduledRun(now)) return true;
  return Math.abs(addons - last.addons) > LARGE_CHANGE * last.addons;
}

/**
 * Recomputes recommendations if due: each night, and after a large change in catalogue size. Cheap if not due. Does nothing
 * if an external service is configured. Returns whether it recomputed them.
 */
export async function renewRecommendations(now = Date.now()): Promise<boolean> {
  if (hasRecommender()) return false;
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM addon a WHERE ${IS_PUBLIC_ADDON}`,
  );
  const addons = rows[0]?.count ?? 0;
  const row = await db.serviceState.findUnique({ where: { name: STATE } });
  if (!isDue((row?.value ?? null) as LastRun | null, addons, now)) return false;
  await computeRecommendations();
  const value = { at: now, addons };
  await db.serviceState.upsert({ where: { name: STATE }, create: { name: STATE, value }, update: { value } });
  return true;
}
