import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import type { AddonType } from '../../package/enums.ts';
import { AddonTypeEnum } from '../addons/enums.ts';

/** The review times of a type of add-ons. */
interface ReviewTime {
  type: AddonType;
  medianHours: number;
  count: number;
}

const DAYS = 30;
/** How long a process keeps the result, which changes slowly and reads all recent decisions, in milliseconds. */
const CACHE_MS = 10 * 60_000;

let cached: { times: Promise<ReviewTime[]>; at: number } | null = null;

function currentTimes(): Promise<ReviewTime[]> {
  if (cached !== null && performance.now() - cached.at < CACHE_MS) return cached.times;
  const times = readTimes();
  cached = { times, at: performance.now() };
  // A failure is not kept.
  times.catch(() => {
    cached = null;
  });
  return times;
}

const readTimes = (): Promise<ReviewTime[]> => db.$queryRaw<ReviewTime[]>`
  SELECT a.type, count(*)::int AS count,
    (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM v.reviewed - v.created)) / 3600)::float8 AS "medianHours"
  FROM version v JOIN addon a ON a.id = v.addon_id
  WHERE v.reviewed > now() - make_interval(days => ${DAYS}) AND v.channel = 'listed' AND v.reviewed >= v.created
  GROUP BY a.type ORDER BY count(*) DESC, a.type`;

const ReviewTimeType = builder.objectRef<ReviewTime>('ReviewTime').implement({
  description: 'How long reviews of a type of add-ons take at present.',
  fields: (t) => ({
    type: t.expose('type', { type: AddonTypeEnum, description: 'The type of the add-ons.' }),
    medianHours: t.exposeFloat('medianHours', {
      description: 'Median of the hours from the arrival of a listed version to the decision, of the last 30 days.',
    }),
    count: t.exposeInt('count', { description: 'Number of these decisions.' }),
  }),
});

builder.queryField('reviewTimes', (t) =>
  t.field({
    type: [ReviewTimeType],
    description:
      'How long reviews take, by type, most decisions first; a type without a decision in the last 30 days is missing. At most ten minutes old.',
    resolve: currentTimes,
  }),
);
