import { canSeeStatistics } from '../../auth/addon-rights.ts';
import { refuse } from '../../auth/permissions.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import type { Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';

/* Reads the daily statistics of add-ons: numbers that the operator imported, counted downloads, and counted update checks. */

const DAY_MS = 86_400_000;

/** Days in UTC, as YYYY-MM-DD, both included. */
interface Period {
  from: string;
  to: string;
}

/** The last `days` whole days. */
function lastDays(days: number): Period {
  const now = Date.now();
  const day = (ago: number) => new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
  return { from: day(days), to: day(1) };
}

/** The statistics of an add-on in a period. */
interface StatisticsKey extends Period {
  addonId: number;
}

interface DayRow {
  date: string;
  /** Null without numbers of that day. */
  users: number | null;
  downloads: number;
  ratings: number;
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

/** The ratings that were written in the period of each key and are shown. */
const WRITTEN = Prisma.sql`rating r WHERE r.addon_id = w.addon_id
  AND r.created >= w.first::timestamp AT TIME ZONE 'UTC' AND r.created < (w.last + 1)::timestamp AT TIME ZONE 'UTC'
  AND r.reply_to IS NULL AND r.deleted_at IS NULL AND r.held_at IS NULL`;

/** One row for each day, oldest first. Downloads of days without imported numbers are those that this service counted. */
const daysOf = rowsOf<Placed & DayRow>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.* FROM ${wanted} CROSS JOIN LATERAL (
      SELECT d.day::date::text AS date, s.users,
        CASE WHEN NOT s.is_estimated THEN s.downloads ELSE coalesce(counted.downloads, 0) END AS downloads,
        coalesce(rated.ratings, 0) AS ratings
      FROM generate_series(w.first::timestamp, w.last::timestamp, interval '1 day') AS d(day)
      LEFT JOIN daily_statistics s ON s.addon_id = w.addon_id AND s.day = d.day::date
      LEFT JOIN (SELECT c.day, ${TOTAL} AS downloads FROM ${COUNTED} GROUP BY c.day) counted
        ON counted.day = d.day::date
      LEFT JOIN (SELECT (r.created AT TIME ZONE 'UTC')::date AS day, count(*)::int AS ratings FROM ${WRITTEN} GROUP BY 1) rated
        ON rated.day = d.day::date
    ) n ORDER BY 1, 2`,
);

/** Versions with counted downloads, most downloads first. */
const downloadsByVersion = rowsOf<Placed & { version: string; downloads: number }>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.version, n.downloads FROM ${wanted} CROSS JOIN LATERAL (
      SELECT v.version, max(v.id) AS id, ${TOTAL} AS downloads FROM ${COUNTED} GROUP BY v.version
    ) n ORDER BY 1, n.downloads DESC, n.id DESC`,
);

/** Update checks are averaged over the days with any, of at most this many last days of a period. */
const CHECKED_DAYS = 7;

/** Average daily users by application and version, as update checks of the last days of the period count them. */
const checksOf = rowsOf<Placed & { app: Application; version: string; users: number }>(
  (wanted) => Prisma.sql`
    SELECT w.place::int, n.app, n.version, n.users FROM ${wanted} CROSS JOIN LATERAL (
      SELECT c.app, c.version, sum(c.count) / (
          SELECT count(DISTINCT all_days.day) FROM counted_check all_days
          WHERE all_days.addon_id = w.addon_id AND all_days.day BETWEEN w.last - ${CHECKED_DAYS - 1}::int AND w.last
        )::float8 AS users
      FROM counted_check c
      WHERE c.addon_id = w.addon_id AND c.day BETWEEN w.last - ${CHECKED_DAYS - 1}::int AND w.last
      GROUP BY c.app, c.version
    ) n ORDER BY 1`,
);

const PERIODS: readonly number[] = [30, 90, 365];

const DayStatistics = builder.objectRef<DayRow>('DayStatistics').implement({
  description: 'The numbers of an add-on on one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
    users: t.exposeInt('users', { nullable: true, description: 'Users on that day; null where nothing is stored.' }),
    downloads: t.exposeInt('downloads', {
      description:
        'Downloads on that day: those that the operator imported, otherwise those that this service counted.',
    }),
    ratings: t.exposeInt('ratings', {
      description: 'Ratings that were written on that day, without deleted ones and those on hold.',
    }),
  }),
});

interface VersionNumbers {
  /** Null for numbers that the add-on does not have. */
  version: string | null;
  users: number;
  downloads: number;
}

const VersionStatistics = builder.objectRef<VersionNumbers>('VersionStatistics').implement({
  description: 'The numbers of one version of an add-on.',
  fields: (t) => ({
    version: t.exposeString('version', {
      nullable: true,
      description: 'The version number; null for all that this service does not have.',
    }),
    users: t.exposeInt('users', {
      description: 'Average daily users in the last seven days, counted by update checks.',
    }),
    downloads: t.exposeInt('downloads', { description: 'Downloads in the period, as this service counted them.' }),
  }),
});

const ApplicationStatistics = builder
  .objectRef<{ app: Application; users: number }>('ApplicationStatistics')
  .implement({
    description: 'The users of an add-on in one application.',
    fields: (t) => ({
      app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
      users: t.exposeInt('users', {
        description: 'Average daily users in the last seven days, counted by update checks.',
      }),
    }),
  });

/** Sums by key, largest first. */
function sums<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  numberOf: (row: Row) => number,
): [Key, number][] {
  const byKey = new Map<Key, number>();
  for (const row of rows) byKey.set(keyOf(row), (byKey.get(keyOf(row)) ?? 0) + numberOf(row));
  return [...byKey].map(([key, sum]): [Key, number] => [key, Math.round(sum)]).sort((one, other) => other[1] - one[1]);
}

const AddonStatistics = builder.objectRef<StatisticsKey>('AddonStatistics').implement({
  description: 'Users, downloads and ratings of an add-on in a period that ends yesterday (UTC).',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'The first day.' }),
    to: t.expose('to', { type: 'Date', description: 'The last day.' }),
    days: t.field({
      type: [DayStatistics],
      description: 'Every day of the period, oldest first.',
      resolve: async (key, _args, context) => [...(await daysOf(context).load(key))],
    }),
    versions: t.field({
      type: [VersionStatistics],
      description: 'Versions with users or downloads, most users first. Counts of users are kept for 31 days.',
      resolve: async (key, _args, context) => {
        const [checks, downloads] = await Promise.all([
          checksOf(context).load(key),
          downloadsByVersion(context).load(key),
        ]);
        const users = new Map(
          sums(
            checks,
            ({ version }) => version || null,
            (row) => row.users,
          ),
        );
        const downloaded = new Map(downloads.map((row) => [row.version as string | null, row.downloads]));
        return [...new Set([...users.keys(), ...downloaded.keys()])].map((version) => ({
          version,
          users: users.get(version) ?? 0,
          downloads: downloaded.get(version) ?? 0,
        }));
      },
    }),
    applications: t.field({
      type: [ApplicationStatistics],
      description: 'Applications with users, most users first.',
      resolve: async (key, _args, context) =>
        sums(
          await checksOf(context).load(key),
          ({ app }) => app,
          ({ users }) => users,
        ).map(([app, users]) => ({ app, users })),
    }),
  }),
});

builder.objectField(Addon, 'statistics', (t) =>
  t.field({
    type: AddonStatistics,
    nullable: true,
    description:
      'Daily statistics. Null with the error NOT_AUTHENTICATED or NOT_PERMITTED unless hasPublicStatistics is true, or the viewer is an author of the add-on or holds Stats:View.',
    args: {
      days: t.arg.int({ defaultValue: 30, description: 'Length of the period in days: 30, 90 or 365.' }),
    },
    resolve: async ({ id, publicStats }, { days }, context) => {
      const { authors } = await addonRights(context).load(id);
      if (!canSeeStatistics(context.viewer, { publicStats, authors })) throw refuse(context.viewer);
      const length = days ?? 30;
      if (!PERIODS.includes(length)) throw refusedField('days', message('statistics.invalid_days'));
      return { addonId: id, ...lastDays(length) };
    },
  }),
);
