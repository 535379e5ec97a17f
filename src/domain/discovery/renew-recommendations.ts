import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { db, pool } from '../../infra/db.ts';
import { hasRecommender } from '../../infra/recommender.ts';
import { computeRecommendations } from './compute-recommendations.ts';

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
