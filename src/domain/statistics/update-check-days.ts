/*
 * The partitions of `update_check`, one for each day. New ones are attached and old ones dropped with locks that wait for a few milliseconds
 * only, because checks that are counted queue behind a statement that waits. What cannot be locked now is done in another night.
 */
import { BulkSession } from '../../infra/bulk-session.ts';
import { isLockTimeout, type LockRetries, retryForLock } from '../../infra/database-errors.ts';
import { log } from '../../infra/log.ts';

/** Partitions are made for this many days from tomorrow on, so that the default partition stays empty while workers run. */
const DAYS_AHEAD = 7;
const LOCK_MS = 50;
/** Rows of one statement, of days without a partition. */
const BATCH = 5_000;

const DAYS = `SELECT to_char(day, 'YYYY-MM-DD') AS day, 'd' || to_char(day, 'YYYYMMDD') AS name
  FROM generate_series((now() AT TIME ZONE 'UTC')::date + 1, (now() AT TIME ZONE 'UTC')::date + ${DAYS_AHEAD}, interval '1 day') AS day
  WHERE to_regclass('update_check_days.d' || to_char(day, 'YYYYMMDD')) IS NULL ORDER BY 1`;

const EXPIRED = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'update_check_days'::regnamespace AND relkind = 'r' AND relname ~ '^d[0-9]{8}$'
    AND to_date(substr(relname, 2), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - $1::int ORDER BY 1`;

/** Makes the partitions of the next days, and removes the counts of days before the last `keptDays`. */
export async function renewUpdateCheckDays(keptDays: number, retries: LockRetries = {}): Promise<void> {
  await BulkSession.during('addons-statistics', async (session) => {
    await session.query(`SET lock_timeout = ${LOCK_MS}`);
    for (const { day, name } of await session.query<{ day: string; name: string }>(DAYS)) {
      await briefly(session, makeDay(day, name), retries);
    }
    for (const { name } of await session.query<{ name: string }>(EXPIRED, [keptDays])) {
      await briefly(session, `DROP TABLE update_check_days.${name}`, retries);
    }
    for (const table of ['update_check_days.others', 'update_check_count']) await deleteDays(session, table, keptDays);
  });
}

/** One transaction. Attaching does not lock out readers and writers of the other days; because of the check, it does not scan the rows. */
const makeDay = (day: string, name: string): string => `
  CREATE TABLE update_check_days.${name} (LIKE update_check INCLUDING DEFAULTS INCLUDING INDEXES,
    CONSTRAINT of_day CHECK (day >= '${day}' AND day < '${day}'::date + 1));
  ALTER TABLE update_check ATTACH PARTITION update_check_days.${name} FOR VALUES FROM ('${day}') TO ('${day}'::date + 1);
  ALTER TABLE update_check_days.${name} DROP CONSTRAINT of_day`;

async function briefly(session: BulkSession, statements: string, retries: LockRetries): Promise<void> {
  try {
    await retryForLock(() => session.query(statements), retries);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    log.info({ statements }, 'A partition of update checks was in use; it is changed in another night.');
  }
}

async function deleteDays(session: BulkSession, table: string, keptDays: number): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    const rows = await session.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table}
         WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      [keptDays],
    );
    removed = rows.length;
  }
}
