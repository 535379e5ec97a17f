import { db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { hasSearchServer } from '../../../infra/search-server/send-request.ts';
import { hasWaitingJobs, queueIndexCheck, queueSync, resumeSearchJobs } from '../index/queue-sync.ts';
import { checkRowsVersion } from '../postgres/maintain/rows-version.ts';
import { moveReadAlias, presentIndexes, takesChanges } from './index-admin.ts';
import {
  isOfThisProgram,
  isSearchableIndex,
  listIndexes,
  liveIndex,
  readAlias,
  type SearchIndex,
  writeAlias,
} from './index-list.ts';
import { reindex, removeRetired } from './reindex.ts';
import { differencesOf } from './verify-index.ts';

/**
 * Ensures that there is an index of this release's format, and builds a missing one: the job `check-search-index`. May run twice and
 * concurrently. Without rows of this release it does nothing; their rebuild enqueues the job again.
 */
export async function checkIndex(): Promise<void> {
  if (!hasSearchServer() || !(await checkRowsVersion())) return;
  const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
  const live = rows.find(({ state }) => state === 'live');
  if (live === undefined) return void (await reindex());
  if (!isOfThisProgram(live)) {
    // The index of this release was replaced: this worker belongs to the previous release.
    if (!rows.some((row) => row.state === 'retired' && isOfThisProgram(row))) await reindex();
    return;
  }
  await restoreIndex(live, present.get(live.name));
  await removeRetired();
}

/** A lost index is rebuilt; an index that only lost its alias has received all writes. */
async function restoreIndex({ name }: SearchIndex, aliases: readonly string[] | undefined): Promise<void> {
  if (aliases?.includes(writeAlias(name)) !== true) {
    log.warn({ index: name }, 'The index is missing on the search server; rebuilding it.');
    await reindex();
  } else if (!aliases.includes(readAlias())) {
    await moveReadAlias(name);
    log.warn({ index: name }, 'The index had lost its alias.');
  }
}

/** Compares all revisions of index and database and enqueues differing add-ons; runs nightly. Returns their number. */
export async function reconcileIndex(): Promise<number> {
  const live = hasSearchServer() ? await liveIndex() : undefined;
  if (live === undefined || !isOfThisProgram(live) || !(await checkRowsVersion())) return 0;
  const differences = await differencesOf(live.name);
  // A restored database continues from earlier revision numbers, and the index would refuse its writes.
  const isAhead = differences.some(({ inIndex, inDatabase }) => inIndex !== null && inIndex > (inDatabase ?? inIndex));
  const ids = differences.map(({ id }) => id);
  if (isAhead) await reindex();
  else await db.$transaction((tx) => queueSync(tx, ids));
  log.info({ differences: differences.length, rebuilt: isAhead }, 'The index was compared with the database.');
  return differences.length;
}

/**
 * The live index if it exists, else null.
 * @throws {SearchServerError} when the server does not respond.
 */
export async function searchableIndex(): Promise<string | null> {
  const [live, present] = await Promise.all([liveIndex(), presentIndexes()]);
  const isThere = live !== undefined && present.get(live.name)?.includes(readAlias()) === true;
  return isThere && isSearchableIndex(live) ? live.name : null;
}

/** Makes jobs that wait for the search server runnable once it accepts writes again. */
export async function resumeWhenBack(): Promise<void> {
  if (!hasSearchServer() || !(await hasWaitingJobs())) return;
  if (await takesChanges().catch(() => false)) {
    // First, as writes need an index.
    await queueIndexCheck(db);
    await resumeSearchJobs();
  }
}
