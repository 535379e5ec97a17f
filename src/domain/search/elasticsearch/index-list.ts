/*
 * The indexes of this installation, listed in the table `search_index`. One is live and has the search alias. Each index is written only
 * through its own alias: a write to a deleted index would otherwise create a new one of that name.
 */
import { config } from '../../../config.ts';
import { BulkSession } from '../../../infra/bulk-session.ts';
import { db, sessionPool } from '../../../infra/db.ts';
import { LOCK_KEYS } from '../../../infra/lock-keys.ts';
import { currentMake, type IndexMake } from './index-schema.ts';

export interface SearchIndex extends IndexMake {
  name: string;
  state: 'building' | 'live' | 'retired';
  /** Id of the last add-on copied by the initial fill. */
  backfilledTo: number;
}

/** The search alias. */
export const readAlias = (): string => config.SEARCH_INDEX;

/** The write alias of an index. */
export const writeAlias = (name: string): string => `${name}-writes`;

/** All indexes, newest first. */
export async function listIndexes(): Promise<SearchIndex[]> {
  const rows = await db.searchIndex.findMany({ orderBy: [{ created: 'desc' }, { name: 'desc' }] });
  return rows.map((row) => ({ ...row, state: row.state as SearchIndex['state'] }));
}

/** The index that searches use. */
export async function liveIndex(): Promise<SearchIndex | undefined> {
  return (await listIndexes()).find(({ state }) => state === 'live');
}

/** Whether an index has the document and query format of this program. */
export function isOfThisProgram({ schemaHash, lexer }: IndexMake): boolean {
  const current = currentMake();
  return schemaHash === current.schemaHash && lexer === current.lexer;
}

/** Whether this process can search an index. */
export function isSearchableIndex(index: IndexMake): boolean {
  return isOfThisProgram(index) && index.resultWindow === config.SEARCH_WINDOW;
}

const SESSION = 'addons-reindex';
const MAX_WAIT_MS = 60_000;

/** Runs `work` under a shared lock on the list of indexes. */
export async function withSteadyIndexes<Result>(work: () => Promise<Result>): Promise<Result> {
  const client = await sessionPool.connect();
  try {
    await client.query('SELECT pg_advisory_lock_shared($1)', [LOCK_KEYS.indexList]);
    return await work();
  } finally {
    // A connection that cannot unlock is closed, which releases its locks.
    const isFree = await client.query('SELECT pg_advisory_unlock_shared($1)', [LOCK_KEYS.indexList]).then(
      () => true,
      () => false,
    );
    client.release(!isFree);
  }
}

/** Waits until all holders of the shared lock have finished. */
export async function waitForOlderList(): Promise<void> {
  await BulkSession.during(SESSION, async (session) => {
    await session.query(`SET statement_timeout = ${MAX_WAIT_MS}`);
    await session.query('SELECT pg_advisory_lock($1)', [LOCK_KEYS.indexList]);
  });
}

/** Runs `work` under an exclusive lock; null, without running it, when another process holds the lock. */
export function asOnlyRebuilder<Result>(work: () => Promise<Result>): Promise<Result | null> {
  return BulkSession.during(SESSION, async (session) =>
    (await session.tryLock(LOCK_KEYS.indexRebuild)) ? work() : null,
  );
}
