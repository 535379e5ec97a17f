import { idRows, type Transaction } from '../../infra/db.ts';
import { writeSearchRows } from '../search/postgres/maintain/write-rows.ts';

/** As many documents as one statement builds well within the time that a statement may take. */
const BATCH = 500;

/**
 * Brings the published documents of these add-ons up to date, inside the transaction that changed anything they show: the
 * add-on and its texts, authors, tags, categories, previews, featured entries, its versions, files and licences. Call it
 * after the last of the changes. A few statements for each 500 add-ons; a document that stays the same keeps its version.
 * Searches find the add-ons by what their documents say from then on.
 */
export async function publishAddons(tx: Transaction, addonIds: readonly number[]): Promise<void> {
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += BATCH) await publishBatch(tx, ids.slice(start, start + BATCH));
}

/** The same for all add-ons that an account is an author of: its name and picture are part of their documents. */
export async function publishAddonsOf(tx: Transaction, accountId: number): Promise<void> {
  const rows = await tx.addonAuthor.findMany({ where: { accountId }, select: { addonId: true } });
  await publishAddons(
    tx,
    rows.map(({ addonId }) => addonId),
  );
}

/**
 * The add-ons are locked first: of two transactions that change different parts of one, the second builds its document
 * from what the first has committed. They are locked in one order, so that nobody waits for each other.
 */
async function publishBatch(tx: Transaction, ids: number[]): Promise<void> {
  await tx.$queryRaw`SELECT FROM addon WHERE id IN ${idRows(ids)} ORDER BY id FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    INSERT INTO addon_document (addon_id, body)
    SELECT addon_id, body FROM current_addon_document WHERE addon_id = ANY(${ids})
    ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version
    WHERE addon_document.body::text IS DISTINCT FROM excluded.body::text`;
  await writeSearchRows(tx, ids);
}
