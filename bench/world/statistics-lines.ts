import type { AddonLine } from './addon-line.ts';
import { type CatalogueLine, daysBefore, moment } from './catalogue-line.ts';
import { randomFor } from './random.ts';

const ADDONS = 40;
/** Half a year, so that charts show a history. */
const DAYS = 182;
const WEEK = 7;

interface Day {
  date: string;
  users: number;
  downloads: number;
}

/**
 * Daily users and downloads of the most used add-ons and of the chosen ones, as lines, and all add-ons with the numbers that the
 * nightly job computes from them.
 */
export function dailyStatistics(
  addons: readonly AddonLine[],
  until: Date,
  isChosen: (addon: AddonLine) => boolean,
): { addons: AddonLine[]; lines: CatalogueLine[] } {
  const byUsers = [...addons].sort((one, other) => other.average_daily_users - one.average_daily_users);
  const counted = byUsers.filter((addon, rank) => rank < ADDONS || isChosen(addon));
  const daysOf = new Map(counted.map((addon) => [addon, history(addon, until)]));
  return {
    addons: addons.map((addon) => ({ ...addon, ...numbersOf(daysOf.get(addon)) })),
    lines: [...daysOf].flatMap(([{ guid }, days]) => days.map((day) => ({ kind: 'daily_statistics', guid, ...day }))),
  };
}

/** The days before `until`: a steady trend, fewer users at weekends, and for some add-ons a recent growth. */
function history({ guid, average_daily_users: users }: AddonLine, until: Date): Day[] {
  const random = randomFor('statistics', guid);
  const first = 0.35 + random.share() * 0.8;
  const growth = random.chance(0.3) ? 1.1 + random.share() / 2 : 1;
  return Array.from({ length: DAYS }, (_, index) => {
    const day = daysBefore(until, DAYS - index);
    const trend = (first + ((1 - first) * index) / DAYS) * (DAYS - index <= WEEK ? growth : 1);
    const share = trend * (day.getUTCDay() % 6 === 0 ? 0.8 : 1) * (0.95 + random.share() / 10);
    const date = moment(day).slice(0, 10);
    return { date, users: Math.round(users * share), downloads: Math.round((users * share) / 100) };
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (days: readonly Day[]): number => sum(days.map(({ users }) => users)) / days.length;

/** Numbers of the last week and hotness. The most used add-ons are above the minimum of users for it. */
function numbersOf(days: readonly Day[] | undefined) {
  if (days === undefined) return {};
  const week = days.slice(-WEEK);
  const before = mean(days.slice(-28, -7));
  return {
    average_daily_users: Math.round(mean(week)),
    weekly_downloads: sum(week.map(({ downloads }) => downloads)),
    hotness: (mean(week) - before) / before,
  };
}
