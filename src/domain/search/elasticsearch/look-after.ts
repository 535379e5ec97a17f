/*
 * What workers do for the index on the search server beside writing changes into it.
 */
import { db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { hasSearchServer } from '../../../infra/search-server/ask.ts';
import { queueIndexCheck, queueSync, resumeSearchJobs } from '../index/queue-sync.ts';
import { differencesOf } from './differences.ts';
import { moveReadAlias, presentIndexes, takesChanges } from './index-admin.ts';
import {
  isOfThisProgram,
  isSearchableIndex,
  listIndexes,
  readAlias,
  type SearchIndex,
  writeAlias,
} from './index-list.ts';
import { reindex, removeRetired } from './reindex.ts';

/**
 * Sees to it that there is an index that this release can search, and makes it where there is none: the job
 * `check-search-index`. It may run twice and beside itself.
 */
export async function checkIndex(): Promise<void> {
  if (!hasSearchServer()) return;
  const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
  const live = rows.find(({ state }) => state === 'live');
  if (live === undefined) return void (await reindex());
  if (!isOfThisProgram(live)) {
    // Ours has been replaced: this worker is of the release before.
    if (!rows.some((row) => row.state === 'retired' && isOfThisProgram(row))) await reindex();
    return;
  }
  await bringBack(live, present.get(live.name));
  await removeRetired();
}

/** An index that is gone is made anew; one that only lost its alias has been written all the time. */
async function bringBack({ name }: SearchIndex, aliases: readonly string[] | undefined): Promise<void> {
  if (aliases?.includes(writeAlias(name)) !== true) {
    log.warn({ index: name }, 'The index is no longer on the search server, and is made anew.');
    await reindex();
  } else if (!aliases.includes(readAlias())) {
    await moveReadAlias(name);
    log.warn({ index: name }, 'The index had lost its alias.');
  }
}

/**
 * Compares all revisions of the index with those of the database and has what differs written again, nightly. Returns how
 * many add-ons that were.
 */
export async function reconcileIndex(): Promise<number> {
  const live = hasSearchServer() ? (await listIndexes()).find(({ state }) => state === 'live') : undefined;
  if (live === undefined || !isOfThisProgram(live)) return 0;
  const differences = await differencesOf(live.name);
  // A database that was restored counts its revisions from an earlier number: nothing it writes would be taken.
  const isAhead = differences.some(({ inIndex, inDatabase }) => inIndex !== null && inIndex > (inDatabase ?? inIndex));
  if (isAhead) await reindex();
  else
    await db.$transaction((tx) =>
      queueSync(
        tx,
        differences.map(({ id }) => id),
      ),
    );
  log.info({ differences: differences.length, rebuilt: isAhead }, 'The index was compared with the database.');
  return differences.length;
}

/**
 * The index that searches are asked of, as far as it is there; else null.
 * @throws {SearchServerError} when the server does not answer.
 */
export async function searchableIndex(): Promise<string | null> {
  const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
  const live = rows.find(({ state }) => state === 'live');
  const isThere = live !== undefined && present.get(live.name)?.includes(readAlias()) === true;
  return isThere && isSearchableIndex(live) ? live.name : null;
}

/** Lets jobs that wait for the search server run as soon as it takes changes again. */
export async function resumeWhenBack(): Promise<void> {
  if (!hasSearchServer()) return;
  const [waiting] = await db.$queryRaw<object[]>`
    SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('sync-search', 'check-search-index')
      AND run_at > now() AND last_error LIKE 'The search server %' LIMIT 1`;
  if (waiting === undefined) return;
  if (await takesChanges().catch(() => false)) {
    // First, as nothing can be written into an index that is not there.
    await queueIndexCheck(db);
    await resumeSearchJobs();
  }
}
