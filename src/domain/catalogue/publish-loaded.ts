/*
 * The documents and search rows of very many add-ons, in the transaction that has loaded them. What `publishAddons` does for a
 * few is done here for all that the load has touched: documents by the thousand, then search rows, whose words are found by
 * this program while the server writes those before.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import type { PublishedAddon } from '../search/addon-row.ts';
import { searchRowsStatement } from '../search/postgres/write-rows.ts';
import { queueSyncBy } from '../search/queue-sync.ts';

const DOCUMENTS = 2_000;
const SEARCH_ROWS = 500;

/** Add-ons whose documents may show something that was loaded; they are locked, so that nobody publishes an older state. */
async function findTouched(session: BulkSession): Promise<void> {
  await session.query(`CREATE TEMPORARY TABLE s_touched ON COMMIT DROP AS
    SELECT addon_id FROM s_addon
    UNION SELECT a.id FROM s_featured s JOIN addon a ON a.guid = s.guid
    UNION SELECT c.addon_id FROM s_changed s JOIN addon_category c ON s.what = 'category' AND c.category_id = s.id
    UNION SELECT w.addon_id FROM s_changed s JOIN addon_author w ON s.what = 'account' AND w.account_id = s.id`);
  await session.query('CREATE TEMPORARY TABLE s_published (addon_id int PRIMARY KEY) ON COMMIT DROP');
  await session.query('ALTER TABLE s_touched ADD PRIMARY KEY (addon_id); ANALYZE s_touched');
  await session.query(`SELECT count(*) FROM (
    SELECT FROM addon WHERE id IN (SELECT addon_id FROM s_touched) ORDER BY id FOR NO KEY UPDATE) AS locked`);
}

const nextIds = (table: string) => `SELECT addon_id FROM ${table} WHERE addon_id > $1 ORDER BY addon_id LIMIT $2`;

/** The ids of a table, some at a time. */
async function* idsOf(session: BulkSession, table: string, batch: number): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const rows = await session.query<{ addon_id: number }>(nextIds(table), [after, batch]);
    const ids = rows.map((row) => row.addon_id);
    const last = ids.at(-1);
    if (last === undefined) return;
    yield ids;
    after = last;
  }
}

async function writeDocuments(session: BulkSession, ids: readonly number[]): Promise<void> {
  await session.query(
    `WITH written AS (
      INSERT INTO addon_document (addon_id, body)
      SELECT addon_id, body FROM current_addon_document WHERE addon_id = ANY($1::int[]) ORDER BY addon_id
      ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version
      WHERE addon_document.body::text IS DISTINCT FROM excluded.body::text
      RETURNING addon_id
    ) INSERT INTO s_published SELECT addon_id FROM written`,
    [ids],
  );
}

/** Makes the search rows of add-ons whose documents have changed, and has the search server told of them. */
async function indexAddons(
  session: BulkSession,
  ids: readonly number[],
  documents: readonly PublishedAddon[],
): Promise<void> {
  const { text, values } = searchRowsStatement(ids, documents);
  const changed = await session.query<{ addon_id: number }>(text, values);
  await queueSyncBy(
    (sql, words) => session.query(sql, words),
    changed.map(({ addon_id }) => addon_id),
  );
}

/** Called as documents (first) and search rows (then) are written. */
type OnProgress = (phase: 'documents' | 'search', done: number, total: number) => void;

/** Brings documents and search up to date with what was loaded. Returns how many documents have changed. */
export async function publishLoaded(session: BulkSession, onProgress: OnProgress): Promise<number> {
  await findTouched(session);
  const touched = await countOf(session, 's_touched');
  let done = 0;
  for await (const ids of idsOf(session, 's_touched', DOCUMENTS)) {
    await writeDocuments(session, ids);
    done += ids.length;
    onProgress('documents', done, touched);
  }
  const published = await countOf(session, 's_published');
  done = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const ids of idsOf(session, 's_published', SEARCH_ROWS)) {
    const documents = await session.query<{ body: PublishedAddon }>(
      'SELECT body FROM addon_document WHERE addon_id = ANY($1::int[]) ORDER BY addon_id',
      [ids],
    );
    await writing;
    writing = indexAddons(
      session,
      ids,
      documents.map(({ body }) => body),
    );
    // Whoever awaits it next sees the error; until then it is not one that nobody handles.
    writing.catch(() => {});
    done += ids.length;
    onProgress('search', done, published);
  }
  await writing;
  return published;
}

async function countOf(session: BulkSession, table: string): Promise<number> {
  const [row] = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return row?.count ?? 0;
}
