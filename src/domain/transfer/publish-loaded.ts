/*
 * Publishes the documents and search rows of imported add-ons in batches, in the transaction that loaded them. `publishAddons` does
 * the same for a few. While this process analyses one batch, the server writes the search rows of the previous and the documents of
 * the next one.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { WRITE_DOCUMENTS } from '../listing/publish-addons.ts';
import { queueSyncBy } from '../search/index/queue-sync.ts';
import { FOLD_COUNTS, MERGE_PENDING_ROWS } from '../search/postgres/maintain/maintenance.ts';
import { searchRowsStatement } from '../search/postgres/maintain/write-rows.ts';

const BATCH = 500;

/**
 * Ids of add-ons whose documents may have changed, in ascending order. They are locked, so that no other session publishes an older state.
 */
async function findTouched(session: BulkSession): Promise<number[]> {
  await session.query(`CREATE TEMPORARY TABLE s_touched ON COMMIT DROP AS
    SELECT addon_id FROM s_identity
    UNION SELECT addon_id FROM s_rating
    UNION SELECT a.id FROM s_featured s JOIN addon a ON a.guid = s.guid
    UNION SELECT c.addon_id FROM s_changed s JOIN addon_category c ON s.what = 'category' AND c.category_id = s.id
    UNION SELECT w.addon_id FROM s_changed s JOIN addon_author w ON s.what = 'account' AND w.account_id = s.id`);
  await session.query('ALTER TABLE s_touched ADD PRIMARY KEY (addon_id); ANALYZE s_touched');
  await session.query(`SELECT count(*) FROM (
    SELECT FROM addon WHERE id IN (SELECT addon_id FROM s_touched) ORDER BY id FOR NO KEY UPDATE) AS locked`);
  const [row] = await session.query<{ ids: number[] | null }>(
    'SELECT array_agg(addon_id ORDER BY addon_id) AS ids FROM s_touched',
  );
  return row?.ids ?? [];
}

/** Writes documents and returns the changed ones. */
async function writeDocuments(session: BulkSession, ids: readonly number[]): Promise<AddonDocument[]> {
  const written = await session.query<{ body: AddonDocument }>(`${WRITE_DOCUMENTS} RETURNING body`, [ids]);
  return written.map(({ body }) => body);
}

/** Writes search rows and queues changed ones for the search server. */
async function writeRows(session: BulkSession, { text, values }: { text: string; values: unknown[] }): Promise<void> {
  const changed = await session.query<{ addon_id: number }>(text, values);
  await queueSyncBy(
    (sql, words) => session.query(sql, words),
    changed.map(({ addon_id }) => addon_id),
  );
}

type OnProgress = (done: number, total: number) => void;

/** Prevents an unhandled rejection of a promise that is awaited later; awaiting it still throws. */
function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Updates documents and search. Returns the number of changed documents. */
export async function publishLoaded(session: BulkSession, onProgress: OnProgress): Promise<number> {
  const touched = await findTouched(session);
  const write = (start: number) => later(writeDocuments(session, touched.slice(start, start + BATCH)));
  let published = 0;
  let documents = write(0);
  let indexing: Promise<void> = Promise.resolve();
  for (let start = 0; start < touched.length; start += BATCH) {
    const changed = await documents;
    if (start + BATCH < touched.length) documents = write(start + BATCH);
    const statement = await searchRowsStatement(changed);
    await indexing;
    if (changed.length > 0) indexing = later(writeRows(session, statement));
    published += changed.length;
    onProgress(Math.min(start + BATCH, touched.length), touched.length);
  }
  await indexing;
  if (published > BATCH) await session.query(`${FOLD_COUNTS}; ${MERGE_PENDING_ROWS}`);
  return published;
}
