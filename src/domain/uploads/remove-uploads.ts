/* Removal of uploads that were never submitted. The blob collector removes their packages afterwards. */
import { db, type Transaction } from '../../infra/db.ts';

/** Uploads of one account that are not submitted. */
export const MAX_WAITING_UPLOADS = 20;
/** The size of their packages, in bytes. */
export const MAX_WAITING_BYTES = 1024 ** 3;

/** Rows per statement, well within the statement timeout. */
const BATCH = 1_000;

/** Removes the uploads whose time is over. Returns their number. */
export async function removeExpiredUploads(): Promise<number> {
  let total = 0;
  for (let removed = BATCH; removed === BATCH; total += removed) {
    // A submission has locked its upload.
    removed = await db.$executeRaw`
      WITH expired AS (
        SELECT id FROM upload WHERE expires <= now() AND version_id IS NULL ORDER BY expires LIMIT ${BATCH}
        FOR UPDATE SKIP LOCKED)
      DELETE FROM upload WHERE id IN (SELECT id FROM expired)`;
  }
  return total;
}

/**
 * Removes the oldest uploads of an account that are not submitted, as far as they exceed the limits. Keeps those that another
 * transaction is submitting. The caller has locked the account.
 */
export async function removeExcessUploads(tx: Transaction, accountId: number): Promise<void> {
  await tx.$executeRaw`
    WITH ranked AS (
      SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS total
      FROM upload WHERE account_id = ${accountId} AND version_id IS NULL WINDOW newest AS (ORDER BY id DESC)
    ), excess AS (
      SELECT id FROM upload
      WHERE version_id IS NULL AND id IN (
        SELECT id FROM ranked WHERE place > ${MAX_WAITING_UPLOADS} OR total > ${MAX_WAITING_BYTES})
      FOR UPDATE SKIP LOCKED)
    DELETE FROM upload WHERE id IN (SELECT id FROM excess)`;
}
