import type { BulkSession } from '../../../../infra/bulk-session.ts';
import { copyFew, NEXT } from './copy-rows.ts';
import { RECORD_VERSION } from './rows-version.ts';

/**
 * Rows that are copied while writers wait: some tenths of a second. The comparison of the tables takes about as long with hundreds of
 * thousands of rows.
 */
export const MAX_COPIED = 100;

// A lock that is not granted within its limit is given up, because statements queue behind it. Both limits are below PostgreSQL's
// deadlock_timeout, so other sessions never fail, nor is autovacuum interrupted.
const WRITERS_WAIT_MS = 400;
const READERS_WAIT_MS = 100;

/** Statements queue behind this lock once it is held or waited for, so it is the last one. */
const EXCHANGE = `SET LOCAL lock_timeout = ${READERS_WAIT_MS};
  LOCK TABLE addon_search IN ACCESS EXCLUSIVE MODE;
  ALTER TABLE public.addon_search SET SCHEMA search_previous;
  ALTER TABLE ${NEXT} SET SCHEMA public;
  ALTER TABLE search_previous.addon_search SET SCHEMA search_next;
  TRUNCATE ${NEXT};
  ${RECORD_VERSION};
  COMMIT`;

/** SQLSTATEs lock_not_available and deadlock_detected. */
const NOT_GRANTED = ['55P03', '40P01'];

/**
 * Copies the last few rows and exchanges the two tables, in one transaction. Writers wait for all of it, searches only for the
 * exchange. Statements that waited read the new table: PostgreSQL looks up the name again, for prepared statements as well. Returns
 * false, without a change, when a lock was not granted in time or more rows are left.
 */
export async function exchangeRows(session: BulkSession): Promise<boolean> {
  try {
    await session.query(`BEGIN; SET LOCAL lock_timeout = ${WRITERS_WAIT_MS};
      LOCK TABLE ${NEXT} IN ACCESS EXCLUSIVE MODE; LOCK TABLE addon_search IN EXCLUSIVE MODE`);
    if (await copyFew(session, MAX_COPIED)) {
      await session.query(EXCHANGE);
      return true;
    }
  } catch (error) {
    if (!NOT_GRANTED.includes((error as { code?: string }).code ?? '')) throw error;
  }
  await session.query('ROLLBACK');
  return false;
}
