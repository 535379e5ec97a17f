/*
 * The indexes that this installation has on the search server. The table `search_index` says which there are; one of them
 * is live and has the alias that is searched. Each has an alias of its own as well, through which alone it is written: a
 * write to an index that is gone would otherwise make a new one of that name.
 */
import { config } from '../../../config.ts';
import { db, pool } from '../../../infra/db.ts';
import { currentMake, type IndexMake } from './index-schema.ts';

export interface SearchIndex extends IndexMake {
  name: string;
  state: 'building' | 'live' | 'retired';
  /** The last add-on that the first filling has written. */
  backfilledTo: number;
}

/** The alias that is searched. */
export const readAlias = (): string => config.SEARCH_INDEX;

/** The alias that an index is written through. */
export const writeAlias = (name: string): string => `${name}-writes`;

/** All indexes, the newest first. */
export async function listIndexes(): Promise<SearchIndex[]> {
  const rows = await db.searchIndex.findMany({ orderBy: [{ created: 'desc' }, { name: 'desc' }] });
  return rows.map((row) => ({ ...row, state: row.state as SearchIndex['state'] }));
}

/** Whether documents and queries of this program are of the same kind as those that an index was made for. */
export function isOfThisProgram({ schemaHash, lexer }: IndexMake): boolean {
  const current = currentMake();
  return schemaHash === current.schemaHash && lexer === current.lexer;
}

/** Whether searches of this process can be asked of an index. */
export function isSearchableIndex(index: IndexMake): boolean {
  return isOfThisProgram(index) && index.resultWindow === config.SEARCH_WINDOW;
}

const LOCK_SPACE = 7_303;
const LIST = 1;
const REBUILD = 2;
const LONGEST_WAIT_MS = 60_000;

/** Does some work while the list of indexes cannot change under it. Any number of workers may, at the same time. */
export async function withSteadyIndexes<Result>(work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [LOCK_SPACE, LIST]);
    return await work();
  } finally {
    // A connection that cannot unlock is of no use any more, and its end is the end of its locks.
    const isFree = await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [LOCK_SPACE, LIST]).then(
      () => true,
      () => false,
    );
    client.release(!isFree);
  }
}

/** Waits until everybody who works with an older list of indexes has finished. */
export async function waitForOlderList(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET statement_timeout = ${LONGEST_WAIT_MS}`);
    const lock = { text: 'SELECT pg_advisory_lock($1, $2)', values: [LOCK_SPACE, LIST] };
    await client.query({ ...lock, query_timeout: LONGEST_WAIT_MS + 1_000 } as typeof lock);
  } finally {
    client.release(true);
  }
}

/** Does what only one process may do at a time; null, without doing it, when another one does. */
export async function asOnlyRebuilder<Result>(work: () => Promise<Result>): Promise<Result | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS ok', [
      LOCK_SPACE,
      REBUILD,
    ]);
    return rows[0]?.ok === true ? await work() : null;
  } finally {
    client.release(true);
  }
}
