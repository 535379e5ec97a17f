import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { db, pool } from '../../infra/db.ts';
import { hasRecommender } from '../../infra/recommender.ts';
import { computeRecommendations } from './compute-recommendations.ts';

/** The row of `service_state` that tells when, and for how many public add-ons, recommendations were made. */
const STATE = 'recommendations';
/** Hour of the day, UTC, after which they are made anew. */
const NIGHT_HOUR = 3;
const DAY_MS = 86_400_000;
/** A catalogue that has grown or shrunk by more than this part is another one: it was filled, or imported. */
const GREAT_CHANGE = 0.1;

interface LastTime {
  at: number;
  addons: number;
}

/** The last beginning of the night before `now`. */
function lastNight(now: number): number {
  const night = new Date(now).setUTCHours(NIGHT_HOUR, 0, 0, 0);
  return night <= now ? night : night - DAY_MS;
}

/** Whether recommendations made at some time suit the catalogue of now: `addons` is how many it has that are public. */
export function isDue(last: LastTime | null, addons: number, now: number): boolean {
  if (last === null || last.at < lastNight(now)) return true;
  return Math.abs(addons - last.addons) > GREAT_CHANGE * last.addons;
}

/**
 * Makes recommendations anew where that is due: each night, and after the catalogue has changed as a whole. Cheap when it is
 * not; does nothing where an outside service recommends. Returns whether it was done.
 */
export async function renewRecommendations(now = Date.now()): Promise<boolean> {
  if (hasRecommender()) return false;
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM addon a WHERE ${IS_PUBLIC_ADDON}`,
  );
  const addons = rows[0]?.count ?? 0;
  const row = await db.serviceState.findUnique({ where: { name: STATE } });
  if (!isDue((row?.value ?? null) as LastTime | null, addons, now)) return false;
  await computeRecommendations();
  const value = { at: now, addons };
  await db.serviceState.upsert({ where: { name: STATE }, create: { name: STATE, value }, update: { value } });
  return true;
}
