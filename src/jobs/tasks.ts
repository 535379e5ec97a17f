import { z } from 'zod';
import { currentRequest } from '../infra/current-request.ts';
import type { Database } from '../infra/db.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { currentTraceparent } from '../infra/tracing.ts';

/**
 * Tags that begin the stored error of a failed job, by which SQL finds the job:
 * - interrupted: the worker's stop or the loss of a database connection ended it, which is not a failed attempt, see `liveness.ts`;
 * - unavailable: a store, disk or other service was not available; it is retried after a short time, see `liveness.ts`;
 * - search-server: the search server did not respond correctly; it is retried when the server responds again, see `queue-sync.ts`.
 */
export const FAILURE_TAGS = {
  interrupted: 'Interrupted: ',
  unavailable: 'Unavailable: ',
  'search-server': '[search-server] ',
} as const;

/** A failing job is retried with exponential backoff for about three days. */
const MAX_ATTEMPTS = 25;

/** Runs one statement in a transaction and returns its rows. */
export type RunSql = (text: string, values: unknown[]) => Promise<{ ok?: boolean }[]>;

const RACES = 3;
const ADD_JOBS = `SELECT job.id IS NOT NULL AS ok
  FROM json_to_recordset($2::json) AS wanted(payload json, key text),
    LATERAL graphile_worker.add_job(identifier => $1::text, payload => wanted.payload, queue_name => $3::text,
      job_key => wanted.key, max_attempts => $4::int, flags => $5::text[]) AS job`;

/** Flag of jobs that no worker starts in read-only mode. */
const USER_CHANGE = 'user-change';

/** The flags of jobs that must not start now, for the runner of graphile-worker. */
export async function waitingFlags(): Promise<string[]> {
  return (await isReadOnly()) ? [USER_CHANGE] : [];
}

/** Adds a job in the caller's transaction, unless a waiting job has the same payload. */
export function enqueue<Payload extends object>(tx: Database, task: Task<Payload>, payload: Payload): Promise<void> {
  return enqueueAll((text, values) => tx.$queryRawUnsafe(text, ...values), task, [payload], { isKeyed: true });
}

/**
 * Adds jobs in the caller's transaction with one statement. Each records the id of the current request for its log lines, and its span.
 * With `isKeyed`, a waiting job with the same payload is replaced. A job that a worker is starting can keep a job with its
 * key from being added, so those are retried.
 * @throws {Error} when a job could not be added: the transaction must not be committed.
 */
export async function enqueueAll<Payload extends object>(
  run: RunSql,
  { name, queue, waitsInReadOnlyMode }: Task<Payload>,
  payloads: readonly Payload[],
  { isKeyed }: { isKeyed: boolean },
): Promise<void> {
  const request = currentRequest.getStore();
  const flags = waitsInReadOnlyMode ? [USER_CHANGE] : null;
  let left = payloads.map((payload) => ({
    payload: { ...payload, requestId: request?.requestId, traceparent: currentTraceparent() },
    key: isKeyed ? `${name}:${Object.values(payload).join(':')}` : null,
  }));
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > RACES) throw new Error(`Jobs of task ${name} could not be added.`);
    const added = await run(ADD_JOBS, [name, JSON.stringify(left), queue ?? null, MAX_ATTEMPTS, flags]);
    left = left.filter((_, index) => added[index]?.ok !== true);
  }
}

/** A kind of job that other code enqueues. Its implementation is in `task-list.ts`. */
export interface Task<Payload extends object> {
  name: string;
  /** Jobs carry ids and read the rows again. */
  payload: z.ZodType<Payload>;
  /** Jobs in one queue run one after the other. */
  queue?: string;
  /** Whether it stores or sends what users caused, so that its jobs wait in read-only mode. */
  waitsInReadOnlyMode?: true;
}

function defineTask<Payload extends object>(task: Task<Payload>): Task<Payload> {
  return task;
}

/** Validates a received version, takes it to its next stage, and signs an unlisted version that passed. */
export const validateVersionTask = defineTask({
  name: 'validate-version',
  waitsInReadOnlyMode: true,
  payload: z.object({ versionId: z.int().positive() }),
});

/** Validates an upload that is not submitted. */
export const validateUploadTask = defineTask({
  name: 'validate-upload',
  waitsInReadOnlyMode: true,
  payload: z.object({ uploadId: z.int().positive() }),
});

/** Signs and publishes a version in stage `signing`. */
export const signVersionTask = defineTask({
  name: 'sign-version',
  waitsInReadOnlyMode: true,
  payload: z.object({ versionId: z.int().positive() }),
});

/** Signs the imported packages of an add-on. One add-on at a time, so that uploads do not wait for many of them. */
export const signImportedTask = defineTask({
  name: 'sign-imported',
  payload: z.object({ addonId: z.int().positive() }),
  queue: 'sign-imported',
  waitsInReadOnlyMode: true,
});

/** Stores the hashes of the files of a package that could not be read before. One at a time, so that uploads do not wait for many of them. */
export const hashPackageTask = defineTask({
  name: 'hash-package',
  payload: z.object({ fileId: z.int().positive() }),
  queue: 'hash-package',
  waitsInReadOnlyMode: true,
});

/** Sends the mails that are due. One at a time, so that a mail server that hangs blocks one job only. */
export const deliverMailsTask = defineTask({
  name: 'deliver-mails',
  payload: z.object({}),
  queue: 'mail',
  waitsInReadOnlyMode: true,
});

/** Sends the deliveries of webhooks that are due. One at a time: each has several connections. A trigger adds it, too. */
export const deliverWebhooksTask = defineTask({
  name: 'deliver-webhooks',
  payload: z.object({}),
  queue: 'webhooks',
  waitsInReadOnlyMode: true,
});

/** Updates add-ons on the search server. One at a time, so that a search server that hangs blocks one job only. */
export const syncSearchTask = defineTask({
  name: 'sync-search',
  payload: z.object({ addonIds: z.array(z.int().positive()) }),
  queue: 'search',
});

/** Creates an index on the search server if there is none to search. */
export const checkSearchIndexTask = defineTask({
  name: 'check-search-index',
  payload: z.object({}),
  queue: 'search-index',
});
