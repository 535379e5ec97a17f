import { setImmediate } from 'node:timers/promises';
import { isSearchable } from '../../../../auth/public-addon.ts';
import { idRows, Prisma, type Transaction } from '../../../../infra/db.ts';
import type { AddonDocument } from '../../../addons/addon-document.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { type AddonRow, addonRow } from '../../index/addon-row.ts';
import { queueSync } from '../../index/queue-sync.ts';

/** Add-ons per statement, chosen to stay well within the statement timeout. */
const BATCH = 250;

/**
 * Writes the search rows of these add-ons from their published documents, in the transaction that changed the documents. `publishAddons`
 * calls it, as must every other writer of documents. Add-ons that are not searchable lose their rows; unchanged rows are not written.
 * Two statements per 250 add-ons, one more with a search server.
 */
export async function writeSearchRows(tx: Transaction, addonIds: readonly number[]): Promise<void> {
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += BATCH) await writeBatch(tx, ids.slice(start, start + BATCH));
}

/**
 * Add-ons are locked first, in id order, so that rows are written in the order of their documents. Documents are locked too: a statement
 * that waits for a lock reads unlocked rows as of before the wait.
 */
async function writeBatch(tx: Transaction, ids: number[]): Promise<void> {
  const documents = await tx.$queryRaw<{ body: AddonDocument }[]>`
    SELECT d.body FROM addon a JOIN addon_document d ON d.addon_id = a.id WHERE a.id IN ${idRows(ids)}
    ORDER BY a.id FOR NO KEY UPDATE OF a, d`;
  const rows = documents
    .map(({ body }) => body)
    .filter(isSearchable)
    .map(addonRow);
  const changed = await tx.$queryRaw<{ addon_id: number }[]>(writeStatement(ids, rows));
  const changedIds = changed.map(({ addon_id }) => addon_id);
  await queueSync(tx, changedIds);
}

/** Rows between yields to the event loop: text analysis is CPU-bound. */
const AT_A_TIME = 25;

/** The rows of the searchable ones among these documents; lets the event loop run in between. */
export async function rowsOf(documents: readonly AddonDocument[]): Promise<AddonRow[]> {
  const rows: AddonRow[] = [];
  for (let start = 0; start < documents.length; start += AT_A_TIME) {
    rows.push(
      ...documents
        .slice(start, start + AT_A_TIME)
        .filter(isSearchable)
        .map(addonRow),
    );
    await setImmediate();
  }
  return rows;
}

/**
 * The statement that writes the search rows of some add-ons from their current documents, for a bulk session that has locked the
 * add-ons.
 */
export async function searchRowsStatement(
  documents: readonly AddonDocument[],
): Promise<{ text: string; values: unknown[] }> {
  const ids = documents.map(({ id }) => id);
  const { text, values } = writeStatement(ids, await rowsOf(documents));
  return { text, values };
}

// Columns by table. Counts are kept per `kind`.
const BOUNDS = 'desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max';
export const KIND_COLUMNS = `type, apps, platforms, ${BOUNDS}`;
const NUMBERS = `users, downloads, hotness, rating, ${KIND_COLUMNS}`;
export const ROW_COLUMNS = `m, lvl, created, last_updated, is_experimental, is_featured, ${NUMBERS}`;
const JSON_COLUMNS = `addon_id int, m float8, lvl int2, rating float8, created timestamptz, last_updated timestamptz,
  is_experimental bool, is_featured bool, users int, downloads int, hotness float8, type int2, apps int2, platforms int2,
  desktop_min int8, desktop_max int8, mobile_min int8, mobile_max int8, suite_min int8, suite_max int8, mail_min int8,
  mail_max int8, cats int[], name_lex text[], text_lex text[]`;

/** SQL of `DO UPDATE SET` for a list of columns. */
export const assignmentsOf = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
const columnsOf = (table: string, columns: string) =>
  columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
const changed = (table: string, columns: string) =>
  `(${columnsOf(table, columns)}) IS DISTINCT FROM (${columnsOf('excluded', columns)})`;

/** The assignment that every statement needs that sets lexemes: else the row would be stored whole. */
export const SET_PADDING = "pad = repeat(' ', 2100)";

/** Parts of a statement: adds the words in `name_lex` of its part `incoming`. */
export const INSERT_WORDS = `words AS (
    SELECT DISTINCT left(lex, 1)::"char" AS kind, substr(lex, strpos(lex, ':') + 1) COLLATE "C" AS term
    FROM incoming, unnest(name_lex) AS lex WHERE left(lex, 1) IN ('t', 'q')
  ),
  inserted AS (
    INSERT INTO search_word (kind, c1, len, term)
    SELECT kind, left(term, 1), length(term), term FROM words w
    WHERE NOT EXISTS (
      SELECT FROM search_word s WHERE s.kind = w.kind AND s.c1 = left(w.term, 1) AND s.len = length(w.term) AND s.term = w.term)
  )`;

/**
 * One statement for all tables. Its parts see the tables as of before the statement, so `counted` reads the old kinds from the listing
 * while `listed` replaces them. Rows and ids are passed as JSON (see `idRows`), as planning takes as long as execution.
 */
const BEFORE_ROWS = 'WITH incoming AS MATERIALIZED (SELECT * FROM json_to_recordset(';
const BEFORE_IDS = `::json) AS r(${JSON_COLUMNS})),
  affected AS MATERIALIZED (SELECT id::int AS addon_id FROM json_array_elements_text(`;
const AFTER = `::json) AS ids(id)),
  deleted AS (DELETE FROM addon_search WHERE addon_id IN (SELECT addon_id FROM affected EXCEPT SELECT addon_id FROM incoming)
    RETURNING addon_id),
  unlisted AS (DELETE FROM search_listing WHERE addon_id IN (SELECT addon_id FROM affected EXCEPT SELECT addon_id FROM incoming)),
  written AS (
    INSERT INTO addon_search (addon_id, ${ROW_COLUMNS}, lexer, name_lex, text_lex)
    SELECT addon_id, ${ROW_COLUMNS}, ${LEXER_VERSION}, array_to_tsvector(name_lex), array_to_tsvector(text_lex)
    FROM incoming ORDER BY addon_id
    ON CONFLICT (addon_id) DO UPDATE
    SET ${assignmentsOf(`${ROW_COLUMNS}, rev, lexer, name_lex, text_lex`)}, ${SET_PADDING}
    WHERE ${changed('addon_search', `${ROW_COLUMNS}, lexer, name_lex, text_lex`)}
    RETURNING addon_id
  ),
  listed AS (
    INSERT INTO search_listing (addon_id, ${NUMBERS}, cats) SELECT addon_id, ${NUMBERS}, cats FROM incoming ORDER BY addon_id
    ON CONFLICT (addon_id) DO UPDATE SET ${assignmentsOf(`${NUMBERS}, cats`)}
    WHERE ${changed('search_listing', `${NUMBERS}, cats`)}
  ),
  counted AS (
    INSERT INTO search_facet (${KIND_COLUMNS}, n)
    SELECT ${KIND_COLUMNS}, sum(n) FROM (
      SELECT ${KIND_COLUMNS}, 1 AS n FROM incoming
      UNION ALL
      SELECT ${KIND_COLUMNS}, -1 FROM search_listing WHERE addon_id IN (SELECT addon_id FROM affected)
    ) AS changes GROUP BY ${KIND_COLUMNS} HAVING sum(n) <> 0
  ),
  ${INSERT_WORDS}
  SELECT addon_id FROM written UNION ALL SELECT addon_id FROM deleted`;

function writeStatement(ids: readonly number[], rows: readonly AddonRow[]): Prisma.Sql {
  return new Prisma.Sql([BEFORE_ROWS, BEFORE_IDS, AFTER], [JSON.stringify(rows), JSON.stringify(ids)]);
}
