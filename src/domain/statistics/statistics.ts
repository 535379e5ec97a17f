import { canSeeStatistics } from '../../auth/addon-rights.ts';
import { refuse } from '../../auth/permissions.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';
import { checksOf, type DayRow, daysOf, downloadsByVersion, lastDays, type StatisticsKey } from './load-statistics.ts';

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
  description: 'Users and downloads of an add-on in a period that ends yesterday (UTC).',
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
