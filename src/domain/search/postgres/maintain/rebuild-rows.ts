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
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { queueIndexCheck } from '../../index/queue-sync.ts';
import { copyChanged, copyFew, copyMissing, NEXT, removeCopies, removeOtherCopies } from './copy-rows.ts';
import { checkRowsVersion, RECORD_VERSION, rowsVersion } from './rows-version.ts';
import { writeSearchRows } from './write-rows.ts';

const CHUNK = 250;

const SETTINGS = `SET jit = off; SET work_mem = '64MB'; SET gin_pending_list_limit = '16MB'`;

/** Each pass over the changes takes less time than the one before, in which fewer rows change. */
const MAX_PASSES = 5;

/** Pauses between attempts to exchange the tables; the last one repeats. */
const PAUSES_MS = [50, 200, 1_000, 5_000];

export interface RebuildOptions {
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
export const MAX_COPIED = 100;

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
export async function exchangeRows(session: BulkSession): Promise<boolean> {
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
