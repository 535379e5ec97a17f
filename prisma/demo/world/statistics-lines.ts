import type { AddonLine } from './addon-line.ts';
import { type CatalogueLine, daysBefore, moment } from './catalogue-line.ts';
import { randomFor } from './random.ts';

const ADDONS = 40;
const DAYS = 30;

/** Users and downloads of the most used add-ons, day by day for a month. There are fewer at weekends. */
export function statisticsLines(addons: readonly AddonLine[], until: Date): CatalogueLine[] {
  const most = [...addons].sort((one, other) => other.average_daily_users - one.average_daily_users).slice(0, ADDONS);
  return most.flatMap(({ guid, average_daily_users: users }) => {
    const random = randomFor('statistics', guid);
    return Array.from({ length: DAYS }, (_, index) => {
      const day = daysBefore(until, DAYS - index);
      const share = (day.getUTCDay() % 6 === 0 ? 0.8 : 1) * (0.95 + random.share() / 10);
      return {
        kind: 'daily_statistics',
        guid,
        date: moment(day).slice(0, 10),
        users: Math.round(users * share),
        downloads: Math.round((users * share) / 100),
      };
    });
  });
}
