import type { AddonLine } from './addon-line.ts';
import { type CatalogueLine, daysBefore, moment } from './catalogue-line.ts';
import { randomFor } from './random.ts';

const ADDONS = 40;
const DAYS = 30;

interface Day {
  date: string;
  users: number;
  downloads: number;
}

/**
 * Daily users and downloads of the most used add-ons for a month, as lines, and all add-ons with the numbers that the nightly job
 * computes from them.
 */
export function dailyStatistics(
  addons: readonly AddonLine[],
  until: Date,
): { addons: AddonLine[]; lines: CatalogueLine[] } {
  const most = [...addons].sort((one, other) => other.average_daily_users - one.average_daily_users).slice(0, ADDONS);
  const daysOf = new Map(most.map((addon) => [addon, month(addon, until)]));
  return {
    addons: addons.map((addon) => ({ ...addon, ...numbersOf(daysOf.get(addon)) })),
    lines: [...daysOf].flatMap(([{ guid }, days]) => days.map((day) => ({ kind: 'daily_statistics', guid, ...day }))),
  };
}

/** The days before `until`, with fewer users at weekends. */
function month({ guid, average_daily_users: users }: AddonLine, until: Date): Day[] {
  const random = randomFor('statistics', guid);
  return Array.from({ length: DAYS }, (_, index) => {
    const day = daysBefore(until, DAYS - index);
    const share = (day.getUTCDay() % 6 === 0 ? 0.8 : 1) * (0.95 + random.share() / 10);
    const date = moment(day).slice(0, 10);
    return { date, users: Math.round(users * share), downloads: Math.round((users * share) / 100) };
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (days: readonly Day[]): number => sum(days.map(({ users }) => users)) / days.length;

/** Numbers of the last week and hotness. The most used add-ons are above the minimum of users for it. */
function numbersOf(days: readonly Day[] | undefined) {
  if (days === undefined) return {};
  const week = days.slice(-7);
  const before = mean(days.slice(-28, -7));
  return {
    average_daily_users: Math.round(mean(week)),
    weekly_downloads: sum(week.map(({ downloads }) => downloads)),
    hotness: (mean(week) - before) / before,
  };
}
