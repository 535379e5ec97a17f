import { idRows, type Transaction } from '../../infra/db.ts';
import { writeSearchRows } from '../search/postgres/maintain/write-rows.ts';

/** Documents per statement, well within the statement timeout. */
const BATCH = 500;

/**
 * Rebuilds the published documents and search rows of these add-ons. Call it at the end of every transaction that changes
 * data in them: the add-on and its texts, authors, tags, categories, previews, featured entries, versions, files, licences.
 * A few statements per 500 add-ons. A document that does not change keeps its row version.
 */
export async function publishAddons(tx: Transaction, addonIds: readonly number[]): Promise<void> {
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += BATCH) await publishBatch(tx, ids.slice(start, start + BATCH));
}

/** Republishes all add-ons of an author: their documents contain the name and picture of the account. */
export async function publishAddonsOf(tx: Transaction, accountId: number): Promise<void> {
  const rows = await tx.addonAuthor.findMany({ where: { accountId }, select: { addonId: true } });
  const addonIds = rows.map(({ addonId }) => addonId);
  await publishAddons(tx, addonIds);
}

/** The statement that writes the changed documents of the add-ons $1. */
export const WRITE_DOCUMENTS = `INSERT INTO addon_document (addon_id, body)
  SELECT addon_id, body FROM current_addon_document WHERE addon_id = ANY($1::int[]) ORDER BY addon_id
  ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version
  WHERE addon_document.body::text IS DISTINCT FROM excluded.body::text`;

/**
 * Locks all add-ons of an author until the end of the transaction. Call it before a change of the account's row: other transactions
 * lock an add-on first, and refer to the account later.
 */
export async function lockAddonsOf(tx: Transaction, accountId: number): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM addon WHERE id IN (SELECT addon_id FROM addon_author WHERE account_id = ${accountId})
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Locks the add-ons first, so that of two concurrent transactions the second builds the document from committed data. Locks
 * in id order to prevent deadlocks.
 */
async function publishBatch(tx: Transaction, ids: number[]): Promise<void> {
  await tx.$queryRaw`SELECT FROM addon WHERE id IN ${idRows(ids)} ORDER BY id FOR NO KEY UPDATE`;
  await tx.$executeRawUnsafe(WRITE_DOCUMENTS, ids);
  await writeSearchRows(tx, ids);
}
