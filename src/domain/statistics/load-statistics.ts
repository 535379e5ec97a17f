/* Reads the daily statistics of add-ons: numbers that the operator imported, counted downloads, and counted update checks. */
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import type { Application } from '../../package/enums.ts';

const DAY_MS = 86_400_000;

/** Days in UTC, as YYYY-MM-DD, both included. */
interface Period {
  from: string;
  to: string;
}

/** The last `days` whole days. */
export function lastDays(days: number): Period {
  const now = Date.now();
  const day = (ago: number) => new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
  return { from: day(days), to: day(1) };
}

/** The statistics of an add-on in a period. */
export interface StatisticsKey extends Period {
  addonId: number;
}

export interface DayRow {
  date: string;
  /** Null without numbers of that day. */
  users: number | null;
  downloads: number;
}

interface Placed {
  /** Index of the key from 1. */
  place: number;
}

/** A loader that reads the rows of many keys with one statement. */
function rowsOf<Row extends Placed>(read: (wanted: Prisma.Sql) => Prisma.Sql) {
  return perRequest<StatisticsKey, readonly Row[]>(async (keys) => {
    const wanted = Prisma.sql`unnest(${keys.map(({ addonId }) => addonId)}::int[], ${keys.map(({ from }) => from)}::date[],
      ${keys.map(({ to }) => to)}::date[]) WITH ORDINALITY AS w(addon_id, first, last, place)`;
    const byPlace = Map.groupBy(await db.$queryRaw<Row[]>(read(wanted)), ({ place }) => Number(place));
    return keys.map((_, index) => byPlace.get(index + 1) ?? []);
  });
}

/** The downloads that this service counted: file, day and count of each key. */
const COUNTED = Prisma.sql`version v JOIN file f ON f.version_id = v.id JOIN download_count c ON c.file_id = f.id
  AND c.day BETWEEN w.first AND w.last WHERE v.addon_id = w.addon_id`;

/** The counted downloads, within the range of an Int. */
const TOTAL = Prisma.raw(`least(sum(c.count), ${MAX_INT4})::int`);

/** One row for each day, oldest first. Downloads of days without imported numbers are those that this service counted. */
export const daysOf = rowsOf<Placed & DayRow>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.* FROM ${wanted} CROSS JOIN LATERAL (
      SELECT d.day::date::text AS date, s.users,
        CASE WHEN NOT s.is_estimated THEN s.downloads ELSE coalesce(counted.downloads, 0) END AS downloads
      FROM generate_series(w.first::timestamp, w.last::timestamp, interval '1 day') AS d(day)
      LEFT JOIN daily_statistics s ON s.addon_id = w.addon_id AND s.day = d.day::date
      LEFT JOIN (SELECT c.day, ${TOTAL} AS downloads FROM ${COUNTED} GROUP BY c.day) counted
        ON counted.day = d.day::date
    ) n ORDER BY 1, 2`,
);

/** Versions with counted downloads, most downloads first. */
export const downloadsByVersion = rowsOf<Placed & { version: string; downloads: number }>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.version, n.downloads FROM ${wanted} CROSS JOIN LATERAL (
      SELECT v.version, max(v.id) AS id, ${TOTAL} AS downloads FROM ${COUNTED} GROUP BY v.version
    ) n ORDER BY 1, n.downloads DESC, n.id DESC`,
);

/** Update checks are averaged over the days with any, of at most this many last days of a period. */
const CHECKED_DAYS = 7;

/** Average daily users by application and version, as update checks of the last days of the period count them. */
export const checksOf = rowsOf<Placed & { app: Application; version: string; users: number }>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.app, n.version, n.users FROM ${wanted} CROSS JOIN LATERAL (
      SELECT c.app, c.version, sum(c.count) / (
          SELECT count(DISTINCT all_days.day) FROM update_check_count all_days
          WHERE all_days.addon_id = w.addon_id AND all_days.day BETWEEN w.last - ${CHECKED_DAYS - 1}::int AND w.last
        )::float8 AS users
      FROM update_check_count c
      WHERE c.addon_id = w.addon_id AND c.day BETWEEN w.last - ${CHECKED_DAYS - 1}::int AND w.last
      GROUP BY c.app, c.version
    ) n ORDER BY 1`,
);
