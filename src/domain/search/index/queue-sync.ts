/*
 * What tells the search server of changes: jobs in the transaction of the change. Without a search server there are none.
 */
import { type Database, db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { hasSearchServer } from '../../../infra/search-server/ask.ts';
import { enqueueAll, type RunSql } from '../../../jobs/enqueue.ts';

/** Of more changes at a time, one job has many. */
const MOST_SINGLE = 20;
const BATCH = 500;
/** One after the other, so that a search server that hangs holds one job up, not all jobs of a worker. */
const QUEUE = 'search';

const runnerOf =
  (tx: Database): RunSql =>
  (text, values) =>
    tx.$queryRawUnsafe(text, ...values);

/**
 * Has the search server brought up to date with these add-ons, whose search rows this transaction has written or removed.
 * Their number does not matter: whoever changes very many calls this with some hundreds at a time.
 */
export function queueSync(tx: Database, addonIds: readonly number[]): Promise<void> {
  return queueSyncBy(runnerOf(tx), addonIds);
}

/** The same in a transaction that another session has open. */
export async function queueSyncBy(run: RunSql, addonIds: readonly number[]): Promise<void> {
  if (!hasSearchServer() || addonIds.length === 0) return;
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  const size = ids.length <= MOST_SINGLE ? 1 : BATCH;
  const payloads = Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ({
    addonIds: ids.slice(index * size, (index + 1) * size),
  }));
  await enqueueAll(run, 'sync-search', payloads, { queue: QUEUE, isKeyed: size === 1 });
}

/**
 * Makes the queue, by a job that has nothing to do: a long transaction that was the first to use it would keep all others
 * from adding jobs until its end.
 */
export async function openSearchQueue(): Promise<void> {
  if (!hasSearchServer()) return;
  await enqueueAll(runnerOf(db), 'sync-search', [{ addonIds: [] }], { queue: QUEUE, isKeyed: true });
}

/** Has a worker look soon whether the search server has an index to search, and make one if not. */
export async function queueIndexCheck(tx: Database): Promise<void> {
  if (!hasSearchServer()) return;
  await enqueueAll(runnerOf(tx), 'check-search-index', [{}], { queue: 'search-index', isKeyed: true });
}

/** Lets jobs that have failed for want of the search server run now. Returns how many there are. */
export async function resumeSearchJobs(): Promise<number> {
  const resumed = await db.$queryRaw<{ id: bigint }[]>`
    SELECT job.id FROM graphile_worker.reschedule_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs WHERE task_identifier IN ('sync-search', 'check-search-index')
        AND locked_at IS NULL AND run_at > now() AND last_error LIKE 'The search server %'
    ), run_at => now(), attempts => 0) AS job`;
  if (resumed.length > 0) log.info({ jobs: resumed.length }, 'Jobs that waited for the search server run again.');
  return resumed.length;
}
