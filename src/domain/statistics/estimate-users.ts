import { config } from '../../config.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { recomputeAllStatistics } from './recompute-statistics.ts';
import { renewUpdateCheckDays } from './update-check-days.ts';

/** The row of `service_state` with the newest day whose counts are in the statistics. */
const STATE = 'users_estimated_to';

/** One transaction: a simple query runs its statements in one. Days that the operator gave stay. */
const ESTIMATE = `
  INSERT INTO daily_statistics (addon_id, day, users, downloads, is_estimated)
  SELECT addon_id, day, least(sum(count), ${MAX_INT4}), 0, true FROM counted_check
  WHERE day < (now() AT TIME ZONE 'UTC')::date
    AND day > coalesce((SELECT (value #>> '{}')::date FROM service_state WHERE name = '${STATE}'), '-infinity')
  GROUP BY addon_id, day ORDER BY addon_id, day
  ON CONFLICT (addon_id, day) DO UPDATE SET users = excluded.users WHERE daily_statistics.is_estimated;
  INSERT INTO service_state (name, value)
  VALUES ('${STATE}', to_jsonb(((now() AT TIME ZONE 'UTC')::date - 1)::text))
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now()`;

/**
 * The nightly job. Stores the counted update checks of all days that ended since the last run as users, and updates the numbers of the catalogue.
 * Safe to run twice. Waits in read-only mode for the next night.
 */
export async function estimateUsers(): Promise<void> {
  if (await isReadOnly()) return;
  if (config.UPDATE_STATISTICS) await BulkSession.during('addons-statistics', (session) => session.query(ESTIMATE));
  await renewUpdateCheckDays(config.UPDATE_CHECK_RETENTION_DAYS);
  if (config.UPDATE_STATISTICS) await recomputeAllStatistics();
}
