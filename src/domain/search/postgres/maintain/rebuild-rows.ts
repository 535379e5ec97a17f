/*
 * Replaces the search rows of all add-ons after a change of the analysis, while the present rows are searched. A second table,
 * `search_next.addon_search`, is filled from the published documents. A copied row has the revision of the row that it replaces, so a
 * comparison of the two tables finds what is left to copy: at first all rows, later those that were edited, added or removed in
 * between. The tables are the only record of progress: a killed run continues where it ended. Once few rows are left,
 * `exchangeRows` copies them and exchanges the tables in one transaction.
 *
 * Until then, the queries of this release run on the rows of the previous one, and its writers write rows of the new analysis among
 * them: the conditions of a query must match rows of both versions. Processes of the previous release may write rows of their version
 * after the exchange; `rewriteOlderRows` finds them by the column `lexer`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BulkSession } from '../../../../infra/bulk-session.ts';
import { db } from '../../../../infra/db.ts';
import { LOCK_KEYS } from '../../../../infra/lock-keys.ts';
import { log } from '../../../../infra/log.ts';
import type { AddonDocument } from '../../../addons/addon-document.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { queueIndexCheck } from '../../index/queue-sync.ts';
import { checkRowsVersion, RECORD_VERSION, rowsVersion } from './rows-version.ts';
import { assignmentsOf, INSERT_WORDS, ROW_COLUMNS, rowsOf, SET_PADDING, writeSearchRows } from './write-rows.ts';

/** The table of the rows that replace those of `addon_search`. */
const NEXT = 'search_next.addon_search';

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
  INSERT INTO ${NEXT} (addon_id, rev, ${ROW_COLUMNS}, lexer, name_lex, text_lex)
  SELECT addon_id, rev, ${ROW_COLUMNS}, ${LEXER_VERSION}, array_to_tsvector(r.name_lex), array_to_tsvector(r.text_lex)
  FROM incoming r JOIN (SELECT addon_id, rev, ${ROW_COLUMNS} FROM addon_search) AS c USING (addon_id, rev) ORDER BY addon_id
  ON CONFLICT (addon_id) DO UPDATE SET ${assignmentsOf(`rev, ${ROW_COLUMNS}, lexer, name_lex, text_lex`)}, ${SET_PADDING}`;

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
async function removeCopies(session: BulkSession, where = 'true'): Promise<void> {
  const found = await session.query(`SELECT FROM ${NEXT} WHERE ${where} LIMIT 1`);
  if (found.length > 0) await session.query(`TRUNCATE ${NEXT}`);
}

/** Empties the table of copies if another version of the analysis made one of them. */
const removeOtherCopies = (session: BulkSession): Promise<void> => removeCopies(session, `lexer <> ${LEXER_VERSION}`);

// The first copy walks both tables in order of their keys; planned with the statistics of an empty table, it would hash them for each chunk.
const IN_ORDER = 'SET enable_hashjoin = off; SET enable_seqscan = off';
const AS_PLANNED = 'RESET enable_hashjoin; RESET enable_seqscan';

/** Copies all rows that were not copied. Yields the number of each chunk. */
async function* copyMissing(session: BulkSession, chunk: number): AsyncGenerator<number> {
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
async function* copyChanged(session: BulkSession, chunk: number): AsyncGenerator<number> {
  const changed = await session.query<Different>(DIFFERENT, [null]);
  for (let start = 0; start < changed.length; start += chunk) {
    const some = changed.slice(start, start + chunk);
    await copyDifferent(session, some);
    yield some.length;
  }
}

/** The same for at most `most` rows. Returns false, without a change, when there are more. */
async function copyFew(session: BulkSession, most: number): Promise<boolean> {
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

const CHUNK = 250;

const SETTINGS = `SET jit = off; SET work_mem = '64MB'; SET gin_pending_list_limit = '16MB'`;

/** Each pass over the changes takes less time than the one before, in which fewer rows change. */
const MAX_PASSES = 5;

/** Pauses between attempts to exchange the tables; the last one repeats. */
const PAUSES_MS = [50, 200, 1_000, 5_000];

interface RebuildOptions {
  /** Ends the run with its reason; the next run continues. */
  stopping?: AbortSignal | undefined;
  /** Called and awaited after each chunk, with the number of rows copied by this run. */
  onProgress?: (copied: number) => unknown;
  /** Rows per chunk. */
  chunk?: number;
}

/**
 * Replaces the rows of all add-ons if an older version of the analysis made them; leaves rows of a newer release alone. Returns whether
 * they were replaced; null when another process is replacing them.
 */
export async function rebuildOutdatedRows(options: RebuildOptions = {}): Promise<boolean | null> {
  if (!(await haveOlderRows())) return false;
  return withLock(async (session) => {
    // Another process may have replaced them before it released the lock.
    if (!(await haveOlderRows())) return false;
    await rebuild(session, options);
    return true;
  });
}

const haveOlderRows = async () => !(await checkRowsVersion()) && ((await rowsVersion()) ?? 0) < LEXER_VERSION;

/** Replaces the rows of all add-ons, whatever made them. Returns true; null when another process is replacing them. */
export async function rebuildRows(options: RebuildOptions = {}): Promise<boolean | null> {
  return withLock(async (session) => {
    await rebuild(session, options);
    return true;
  });
}

function withLock<Result>(work: (session: BulkSession) => Promise<Result>): Promise<Result | null> {
  return BulkSession.during('addons-search-rows', async (session) =>
    (await session.tryLock(LOCK_KEYS.rowsRebuild)) ? work(session) : null,
  );
}

async function rebuild(session: BulkSession, { stopping, onProgress, chunk = CHUNK }: RebuildOptions): Promise<void> {
  log.info({ version: LEXER_VERSION }, 'Analysing all add-ons again; searches continue on the present rows.');
  await session.query(SETTINGS);
  await removeOtherCopies(session);
  let copied = 0;
  const follow = async (chunks: AsyncGenerator<number>) => {
    const before = copied;
    for await (const rows of chunks) {
      copied += rows;
      await onProgress?.(copied);
      stopping?.throwIfAborted();
    }
    return copied - before;
  };
  await follow(copyMissing(session, chunk));
  // Statistics for the planner, and short pending lists of the text indexes.
  await session.query(`VACUUM (ANALYZE) ${NEXT}`);
  for (let attempt = 0; ; attempt++) {
    for (let pass = 0; pass < MAX_PASSES && (await follow(copyChanged(session, chunk))) > MAX_COPIED; pass++);
    if (await exchangeRows(session)) break;
    await sleep(PAUSES_MS[attempt] ?? PAUSES_MS.at(-1), undefined, { signal: stopping });
  }
  log.info({ copied, version: LEXER_VERSION }, 'Searches use the rows of the new analysis.');
  await queueIndexCheck(db);
}

/** Add-ons per transaction of `rewriteOlderRows`. */
const REWRITTEN = 500;

/**
 * Rewrites single rows that processes of an older release wrote after the exchange, and removes the copies of a run that is not
 * continued: the nightly run. Returns the number of rewritten rows.
 */
export async function rewriteOlderRows(): Promise<number> {
  if (!(await checkRowsVersion())) return 0;
  await withLock(removeCopies);
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT addon_id AS id FROM addon_search WHERE lexer < ${LEXER_VERSION} ORDER BY addon_id`;
  const ids = rows.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += REWRITTEN) {
    await db.$transaction((tx) => writeSearchRows(tx, ids.slice(start, start + REWRITTEN)));
  }
  return ids.length;
}

/**
 * Rows that are copied while writers wait: some tenths of a second. The comparison of the tables takes about as long with hundreds of
 * thousands of rows.
 */
const MAX_COPIED = 100;

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
async function exchangeRows(session: BulkSession): Promise<boolean> {
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
