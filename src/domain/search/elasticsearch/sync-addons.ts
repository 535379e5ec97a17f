import { db, type Transaction } from '../../../infra/db.ts';
import { SearchServerError } from '../../../infra/search-server/errors.ts';
import { bulkWrite, type IndexChange } from './bulk-write.ts';
import { documentsOf } from './documents.ts';
import { isOfThisProgram, listIndexes, type SearchIndex, withSteadyIndexes } from './index-list.ts';

/**
 * Brings every index up to date with these add-ons, as they are now: the job `sync-search`. It may run twice and beside
 * others for the same add-ons, as an index keeps what has the highest revision.
 * @throws {SearchServerError} when it has to be done again later.
 */
export async function syncAddons(ids: readonly number[]): Promise<void> {
  await withSteadyIndexes(async () => {
    const indexes = await indexesToWrite();
    if (indexes.length > 0) await writeInto(indexes, await changesOf(ids));
  });
}

/**
 * Indexes of another release are left to its workers, as long as ours is the newer one: that other one is about to go.
 * @throws {Error} on a worker that is itself of the older release: a newer one has to do the job.
 */
async function indexesToWrite(): Promise<SearchIndex[]> {
  const indexes = await listIndexes();
  const own = indexes.filter(isOfThisProgram);
  const [newest] = indexes;
  if (own.length > 0 && newest !== undefined && !isOfThisProgram(newest)) {
    throw new Error('The newest index is of another release, whose workers have to write it.');
  }
  return own;
}

/** An index that is no longer live may have been removed meanwhile. */
async function writeInto(indexes: readonly SearchIndex[], changes: readonly IndexChange[]): Promise<void> {
  for (const { name, state } of indexes) {
    try {
      await bulkWrite(name, changes);
    } catch (error) {
      if (!(state === 'retired' && error instanceof SearchServerError && error.isMissing)) throw error;
    }
  }
}

/** What is to be in an index of these add-ons, and since when: of one moment for each of them. */
export async function changesOf(ids: readonly number[]): Promise<IndexChange[]> {
  const found = await documentsOf(db, ids);
  const absent = without(ids, found);
  if (absent.length === 0) return found;
  return [...found, ...(await db.$transaction((tx) => absentOnes(tx, absent)))];
}

/**
 * An add-on without a row has no revision either, so it is given one now. Whoever makes its row holds the add-on locked
 * until that is committed: under the same lock, all revisions so far are lower and all to come are higher.
 */
async function absentOnes(tx: Transaction, ids: number[]): Promise<IndexChange[]> {
  await tx.$queryRaw`SELECT FROM addon WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
  const found = await documentsOf(tx, ids);
  const gone = await tx.$queryRaw<{ id: number; rev: string }[]>`
    SELECT id, nextval('addon_search_rev')::text AS rev FROM unnest(${without(ids, found)}::int[]) AS id`;
  return [...found, ...gone.map((each) => ({ ...each, body: null }))];
}

function without(ids: readonly number[], found: readonly { id: number }[]): number[] {
  const known = new Set(found.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !known.has(id));
}
