/*
 * The documents and search rows of very many add-ons, in the transaction that has loaded them. What `publishAddons` does for a
 * few is done here for all that the load has touched, some hundred at a time: while this program finds the words of some, the
 * server writes the search rows of those before and the documents of those after them.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import type { PublishedAddon } from '../search/index/addon-row.ts';
import { queueSyncBy } from '../search/index/queue-sync.ts';
import { FOLD_CHANGES, FOLD_COUNTS, MERGE_PENDING_ROWS } from '../search/postgres/maintain/keep-up.ts';
import { searchRowsStatement } from '../search/postgres/maintain/write-rows.ts';

const BATCH = 500;

/**
 * Add-ons whose documents may show something that was loaded, by id; they are locked, so that nobody publishes an older state.
 */
async function findTouched(session: BulkSession): Promise<number[]> {
  await session.query(`CREATE TEMPORARY TABLE s_touched ON COMMIT DROP AS
    SELECT addon_id FROM s_identity
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

/** Writes documents, and returns those that have changed. */
async function writeDocuments(session: BulkSession, ids: readonly number[]): Promise<PublishedAddon[]> {
  const written = await session.query<{ body: PublishedAddon }>(
    `INSERT INTO addon_document (addon_id, body)
    SELECT addon_id, body FROM current_addon_document WHERE addon_id = ANY($1::int[]) ORDER BY addon_id
    ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version
    WHERE addon_document.body::text IS DISTINCT FROM excluded.body::text
    RETURNING body`,
    [ids],
  );
  return written.map(({ body }) => body);
}

/** Writes search rows, and has the search server told of those that have changed. */
async function writeRows(session: BulkSession, { text, values }: { text: string; values: unknown[] }): Promise<void> {
  const changed = await session.query<{ addon_id: number }>(text, values);
  await queueSyncBy(
    (sql, words) => session.query(sql, words),
    changed.map(({ addon_id }) => addon_id),
  );
}

/** Called as documents and search rows are written. */
type OnProgress = (done: number, total: number) => void;

/** The error of a promise that is awaited later is thrown then; until then it is not one that nobody handles. */
function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Brings documents and search up to date with what was loaded. Returns how many documents have changed. */
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
  if (published > BATCH) await session.query(`${FOLD_COUNTS}; ${FOLD_CHANGES}; ${MERGE_PENDING_ROWS}`);
  return published;
}
