/* Enqueues changes for the search server, in the transaction of the change. No-op without a search server. */
import { type Database, db, Prisma } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { hasSearchServer } from '../../../infra/search-server/send-request.ts';
import {
  checkSearchIndexTask,
  enqueue,
  enqueueAll,
  FAILURE_TAGS,
  type RunSql,
  syncSearchTask,
} from '../../../jobs/tasks.ts';

/** Maximum number of add-ons per job. */
const MAX_SINGLE = 20;
const BATCH = 500;

/**
 * Enqueues the update of these add-ons on the search server; this transaction wrote or removed their search rows. Callers with very
 * many changes pass some hundreds at a time.
 */
export function queueSync(tx: Database, addonIds: readonly number[]): Promise<void> {
  return queueSyncBy((text, values) => tx.$queryRawUnsafe(text, ...values), addonIds);
}

/** The same, in the transaction of another session. */
export async function queueSyncBy(run: RunSql, addonIds: readonly number[]): Promise<void> {
  if (!hasSearchServer() || addonIds.length === 0) return;
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  const size = ids.length <= MAX_SINGLE ? 1 : BATCH;
  const payloads = Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ({
    addonIds: ids.slice(index * size, (index + 1) * size),
  }));
  await enqueueAll(run, syncSearchTask, payloads, { isKeyed: size === 1 });
}

/**
 * Creates the queue with an empty job. If a long transaction were its first user, it would block all other enqueuers until it ends.
 */
export async function openSearchQueue(): Promise<void> {
  if (!hasSearchServer()) return;
  await enqueue(db, syncSearchTask, { addonIds: [] });
}

/** Enqueues a check that the search server has a searchable index; the job creates a missing one. */
export async function queueIndexCheck(tx: Database): Promise<void> {
  if (!hasSearchServer()) return;
  await enqueue(tx, checkSearchIndexTask, {});
}

/** SQL: jobs that failed because the search server was down, and wait for their next attempt. */
const WAITING = Prisma.sql`FROM graphile_worker.jobs WHERE task_identifier IN ('sync-search', 'check-search-index')
  AND locked_at IS NULL AND run_at > now() AND starts_with(last_error, ${FAILURE_TAGS['search-server']})`;

/** Whether jobs wait for the search server. */
export async function hasWaitingJobs(): Promise<boolean> {
  return (await db.$queryRaw<object[]>`SELECT ${WAITING} LIMIT 1`).length > 0;
}

/** Makes jobs that failed because the search server was down runnable now. Returns their number. */
export async function resumeSearchJobs(): Promise<number> {
  const resumed = await db.$queryRaw<{ id: bigint }[]>`
    SELECT job.id FROM graphile_worker.reschedule_jobs(ARRAY(SELECT id ${WAITING}), run_at => now(), attempts => 0) AS job`;
  if (resumed.length > 0) log.info({ jobs: resumed.length }, 'Jobs that waited for the search server run again.');
  return resumed.length;
}
