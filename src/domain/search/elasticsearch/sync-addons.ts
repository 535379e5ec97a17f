import { db, type Transaction } from '../../../infra/db.ts';
import { SearchServerError } from '../../../infra/search-server/failures.ts';
import { bulkWrite, type IndexChange } from './bulk-write.ts';
import { documentsOf } from './documents.ts';
import { isOfThisProgram, listIndexes, type SearchIndex, withSteadyIndexes } from './index-list.ts';

/**
 * Writes the current state of these add-ons to every index: the job `sync-search`. May run twice and concurrently for the same add-ons, as an
 * index keeps the highest revision.
 * @throws {SearchServerError} when it must be retried later.
 */
export async function syncAddons(ids: readonly number[]): Promise<void> {
  await withSteadyIndexes(async () => {
    const indexes = await indexesToWrite();
    if (indexes.length > 0) await writeInto(indexes, await changesOf(ids));
  });
}

/**
 * Skips indexes of an older release, which its own workers write.
 * @throws {Error} on a worker of an older release: a newer worker must run the job.
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

/** An index that is no longer live may have been deleted. */
async function writeInto(indexes: readonly SearchIndex[], changes: readonly IndexChange[]): Promise<void> {
  for (const { name, state } of indexes) {
    try {
      await bulkWrite(name, changes);
    } catch (error) {
      if (!(state === 'retired' && error instanceof SearchServerError && error.isMissing)) throw error;
    }
  }
}

/** The desired documents of these add-ons with their revisions; document and revision come from one snapshot. */
export async function changesOf(ids: readonly number[]): Promise<IndexChange[]> {
  const found = await documentsOf(db, ids);
  const absent = without(ids, found);
  if (absent.length === 0) return found;
  return [...found, ...(await db.$transaction((tx) => absentOnes(tx, absent)))];
}

/**
 * An add-on without a row has no revision, so one is assigned here. A writer of its row holds the add-on's lock until commit: under the same
 * lock, all earlier revisions are lower and all later ones higher.
 */
async function absentOnes(tx: Transaction, ids: number[]): Promise<IndexChange[]> {
  await tx.$queryRaw`SELECT FROM addon WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
  const found = await documentsOf(tx, ids);
  const removed = await tx.$queryRaw<{ id: number; rev: string }[]>`
    SELECT id, nextval('addon_search_rev')::text AS rev FROM unnest(${without(ids, found)}::int[]) AS id`;
  return [...found, ...removed.map((each) => ({ ...each, body: null }))];
}

function without(ids: readonly number[], found: readonly { id: number }[]): number[] {
  const known = new Set(found.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !known.has(id));
}
