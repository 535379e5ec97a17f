import type { BulkSession } from '../../../../infra/bulk-session.ts';
import type { AddonDocument } from '../../../addons/addon-document.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { assignments, INSERT_WORDS, PADDED, ROW, rowsOf } from './write-rows.ts';

/** The table of the rows that replace those of `addon_search`. */
export const NEXT = 'search_next.addon_search';

/** Ids of the next rows that were not copied: `$1` the id before them, `$2` their maximum number. */
const TO_COPY = `SELECT addon_id AS id FROM addon_search c WHERE addon_id > $1 AND NOT EXISTS (
    SELECT FROM ${NEXT} n WHERE n.addon_id = c.addon_id AND n.rev = c.rev AND n.lexer = ${LEXER_VERSION}
  ) ORDER BY addon_id LIMIT $2`;

/** Rows that differ in anything but their lexemes, at most `$1`. Materialized: the planner would prefer a plan with fast first rows. */
const DIFFERENT = `WITH different AS MATERIALIZED (
    SELECT coalesce(c.addon_id, n.addon_id) AS id, c.addon_id IS NOT NULL AS exists
    FROM addon_search c FULL JOIN ${NEXT} n USING (addon_id)
    WHERE (n.rev, n.lexer) IS DISTINCT FROM (c.rev, ${LEXER_VERSION}::int2)
  ) SELECT * FROM different ORDER BY id LIMIT $1`;

/** One snapshot: whatever changes a row changes its document in the same transaction. */
const READ = `SELECT c.rev::text AS rev, d.body
  FROM addon_search c JOIN addon_document d USING (addon_id) WHERE c.addon_id = ANY($1::int[])`;

/** Only lexemes are new. Rows that have changed since their documents were read are left for later. */
const COPY = `WITH incoming AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS r(addon_id int, rev int8, name_lex text[], text_lex text[])
  ),
  ${INSERT_WORDS}
  INSERT INTO ${NEXT} (addon_id, rev, ${ROW}, lexer, name_lex, text_lex)
  SELECT addon_id, rev, ${ROW}, ${LEXER_VERSION}, array_to_tsvector(r.name_lex), array_to_tsvector(r.text_lex)
  FROM incoming r JOIN (SELECT addon_id, rev, ${ROW} FROM addon_search) AS c USING (addon_id, rev) ORDER BY addon_id
  ON CONFLICT (addon_id) DO UPDATE SET ${assignments(`rev, ${ROW}, lexer, name_lex, text_lex`)}, ${PADDED}`;

/** Copies these rows with the lexemes of their documents. */
async function copyRows(session: BulkSession, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await session.query<{ rev: string; body: AddonDocument }>(READ, [ids]);
  const revisions = new Map(found.map(({ rev, body }) => [body.id, rev]));
  const rows = await rowsOf(found.map(({ body }) => body));
  const incoming = rows.map(({ addon_id, name_lex, text_lex }) => ({
    addon_id,
    rev: revisions.get(addon_id),
    name_lex,
    text_lex,
  }));
  await session.query(COPY, [JSON.stringify(incoming)]);
}

/** Empties the table of copies if the SQL condition `where` holds for one of them. */
export async function removeCopies(session: BulkSession, where = 'true'): Promise<void> {
  const found = await session.query(`SELECT FROM ${NEXT} WHERE ${where} LIMIT 1`);
  if (found.length > 0) await session.query(`TRUNCATE ${NEXT}`);
}

/** Empties the table of copies if another version of the analysis made one of them. */
export const removeOtherCopies = (session: BulkSession): Promise<void> =>
  removeCopies(session, `lexer <> ${LEXER_VERSION}`);

// The first copy walks both tables in order of their keys; planned with the statistics of an empty table, it would hash them for each chunk.
const IN_ORDER = 'SET enable_hashjoin = off; SET enable_seqscan = off';
const AS_PLANNED = 'RESET enable_hashjoin; RESET enable_seqscan';

/** Copies all rows that were not copied. Yields the number of each chunk. */
export async function* copyMissing(session: BulkSession, chunk: number): AsyncGenerator<number> {
  await session.query(IN_ORDER);
  for (let after = 0; ; ) {
    const rows = await session.query<{ id: number }>(TO_COPY, [after, chunk]);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) break;
    await copyRows(session, ids);
    after = last;
    yield ids.length;
  }
  await session.query(AS_PLANNED);
}

/** Copies rows that were changed since they were copied, and removes the copies of removed ones. Yields the number of each chunk. */
export async function* copyChanged(session: BulkSession, chunk: number): AsyncGenerator<number> {
  const changed = await session.query<Different>(DIFFERENT, [null]);
  for (let start = 0; start < changed.length; start += chunk) {
    const some = changed.slice(start, start + chunk);
    await copyDifferent(session, some);
    yield some.length;
  }
}

/** The same for at most `most` rows. Returns false, without a change, when there are more. */
export async function copyFew(session: BulkSession, most: number): Promise<boolean> {
  const changed = await session.query<Different>(DIFFERENT, [most + 1]);
  if (changed.length > most) return false;
  await copyDifferent(session, changed);
  return true;
}

interface Different {
  id: number;
  /** False for a copy of a removed row. */
  exists: boolean;
}

async function copyDifferent(session: BulkSession, rows: readonly Different[]): Promise<void> {
  const idsThat = (exist: boolean) => rows.filter(({ exists }) => exists === exist).map(({ id }) => id);
  await session.query(`DELETE FROM ${NEXT} WHERE addon_id = ANY($1::int[])`, [idsThat(false)]);
  await copyRows(session, idsThat(true));
}
