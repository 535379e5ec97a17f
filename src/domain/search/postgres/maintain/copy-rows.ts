import type { BulkSession } from '../../../../infra/bulk-session.ts';
import type { AddonDocument } from '../../../addons/addon-document.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { assignments, LEARN_WORDS, PADDED, ROW, rowsOf } from './write-rows.ts';

/** The table of the rows that replace those of `addon_search`. */
export const NEXT = 'search_next.addon_search';

/** Whether the row `c` of `addon_search` equals its copy `n` in everything but its lexemes. */
const IS_COPIED = `n.addon_id = c.addon_id AND n.rev = c.rev AND n.lexer = ${LEXER_VERSION}`;

/** Ids of the next rows without a current copy: `$1` the id before them, `$2` their maximum number. */
const TO_COPY = `SELECT addon_id AS id FROM addon_search c
  WHERE addon_id > $1 AND NOT EXISTS (SELECT FROM ${NEXT} n WHERE ${IS_COPIED}) ORDER BY addon_id LIMIT $2`;

/** Removes the copies of rows that were removed. */
const REMOVE_EXTRA = `DELETE FROM ${NEXT} n WHERE NOT EXISTS (SELECT FROM addon_search c WHERE c.addon_id = n.addon_id)`;

/** One snapshot: whatever changes a row changes its document in the same transaction. */
const READ = `SELECT c.rev::text AS rev, d.body
  FROM addon_search c JOIN addon_document d USING (addon_id) WHERE c.addon_id = ANY($1::int[])`;

/** Only lexemes are new. Rows that have changed since their documents were read are left for later. */
const COPY = `WITH incoming AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS r(addon_id int, rev int8, name_lex text[], text_lex text[])
  ),
  ${LEARN_WORDS}
  INSERT INTO ${NEXT} (addon_id, rev, ${ROW}, lexer, name_lex, text_lex)
  SELECT addon_id, rev, ${ROW}, ${LEXER_VERSION}, array_to_tsvector(r.name_lex), array_to_tsvector(r.text_lex)
  FROM incoming r JOIN (SELECT addon_id, rev, ${ROW} FROM addon_search) AS c USING (addon_id, rev) ORDER BY addon_id
  ON CONFLICT (addon_id) DO UPDATE SET ${assignments(`rev, ${ROW}, lexer, name_lex, text_lex`)}, ${PADDED}`;

/** Copies these rows with the lexemes of their documents. */
export async function copyRows(session: BulkSession, ids: readonly number[]): Promise<void> {
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

/** Empties the table of copies if it has any `where` the condition holds. */
export async function removeCopies(session: BulkSession, where = 'true'): Promise<void> {
  const found = await session.query(`SELECT FROM ${NEXT} WHERE ${where} LIMIT 1`);
  if (found.length > 0) await session.query(`TRUNCATE ${NEXT}`);
}

/** Empties the table of copies if another version of the analysis made one of them. */
export const removeOtherCopies = (session: BulkSession): Promise<void> =>
  removeCopies(session, `lexer <> ${LEXER_VERSION}`);

/** Copies all rows without a current copy, and removes extra copies. Yields the number of each chunk. */
export async function* copyMissing(session: BulkSession, chunk: number): AsyncGenerator<number> {
  await session.query(REMOVE_EXTRA);
  for (let after = 0; ; ) {
    const rows = await session.query<{ id: number }>(TO_COPY, [after, chunk]);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    await copyRows(session, ids);
    after = last;
    yield ids.length;
  }
}

/** The same for at most `most` rows in all. Returns false, without a change, when there are more. */
export async function copyFew(session: BulkSession, most: number): Promise<boolean> {
  const left = await session.query<{ id: number; exists: boolean }>(
    `SELECT coalesce(c.addon_id, n.addon_id) AS id, c.addon_id IS NOT NULL AS exists
    FROM addon_search c FULL JOIN ${NEXT} n USING (addon_id)
    WHERE (n.rev, n.lexer) IS DISTINCT FROM (c.rev, ${LEXER_VERSION}::int2) LIMIT $1`,
    [most + 1],
  );
  if (left.length > most) return false;
  const idsThat = (exist: boolean) => left.filter(({ exists }) => exists === exist).map(({ id }) => id);
  await session.query(`DELETE FROM ${NEXT} WHERE addon_id = ANY($1::int[])`, [idsThat(false)]);
  await copyRows(session, idsThat(true));
  return true;
}
