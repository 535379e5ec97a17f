/*
 * The worker validates, signs and cleans up. Any number of workers may run on any number of machines. When one is killed,
 * another one takes over its jobs within seconds.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, parseCrontab, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { config } from '../config.ts';
import { reconcileMails } from '../domain/mail/deliver-mails.ts';
import { DiskWatch } from '../domain/maintenance/watch-disk.ts';
import { reportWorker } from '../domain/operation/worker-reports.ts';
import { approveWaiting } from '../domain/reviewing/approve-waiting.ts';
import { resumeWhenBack } from '../domain/search/elasticsearch/maintain-index.ts';
import { openSearchQueue, queueIndexCheck } from '../domain/search/index/queue-sync.ts';
import { rebuildOutdatedRows } from '../domain/search/postgres/maintain/rebuild-rows.ts';
import { type OpenSigner, openSigner } from '../domain/signing/open-signer.ts';
import { reconcileJobs } from '../domain/signing/reconcile-jobs.ts';
import { reconcileWebhooks } from '../domain/webhooks/deliver-webhooks.ts';
import { claimStore } from '../infra/blob-store/installation.ts';
import { db, pool } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { sweepStaging } from '../infra/staging/staging.ts';
import { runningJobs } from '../jobs/implement-task.ts';
import { jobPool, pollAfterQueuedJob } from '../jobs/job-runner.ts';
import {
  type Liveness,
  limitBackoff,
  openLiveness,
  releaseAbandonedQueues,
  releaseDeadWorkers,
  releaseLostJobs,
  releaseOverdueJobs,
  resumeInterruptedJobs,
  VALIDATION_WALL_S,
} from '../jobs/liveness.ts';
import { waitingFlags } from '../jobs/tasks.ts';
import { issuerOf } from '../package/signing/issuer.ts';
import { createValidator, type Validator } from '../package/validation/validate-package.ts';
import { measureValidators } from './metrics.ts';
import { createTaskList, crontab, type WorkerTools } from './task-list.ts';

const SWEEP_MS = 500;
/** The database announces new jobs; released ones are found by polling. */
const POLL_MS = 500;
const RECONCILE_MS = 3_000;
const MAX_OUTAGE_MS = 5_000;
/** Jobs may wait for a connection longer than requests: a worker often starts while the machine recovers from something. */
const CONNECT_MS = 10_000;

/** The validator with the limits of the settings. */
export function openValidator(): Validator {
  return createValidator({
    concurrency: config.VALIDATOR_CONCURRENCY,
    processorMs: config.VALIDATOR_TIMEOUT * 1_000,
    wallMs: VALIDATION_WALL_S * 1_000,
    heapMb: config.VALIDATOR_MEMORY_MB,
  });
}

export interface RunningWorker {
  /**
   * Opens the signing key again, for files that are signed from now on. The earlier one stays in use when it rejects.
   * @throws {SignerSetupError} @throws {SharedKeyError} as `startWorker`.
   */
  reopenSigner(): Promise<void>;
  /** Lets running jobs finish, interrupts validations, and closes the connections. */
  stop(): Promise<void>;
}

/**
 * Starts a worker in this process.
 * @param onLost called with the reason when other workers take over its jobs or it runs none any more: it must stop. It can be started
 * again.
 * @throws {WrongStoreError} when the store is of another installation.
 * @throws {SignerSetupError} when the signing key cannot be used.
 * @throws {SharedKeyError} when its root is not that of the installation.
 */
export async function startWorker(onLost: (reason: string) => void): Promise<RunningWorker> {
  pool.options.connectionTimeoutMillis = CONNECT_MS;
  await claimStore();
  const signing = await openSigner();
  const ending = new AsyncDisposableStack();
  try {
    const { tools, workerId } = await takeJobs(signing, ending, onLost);
    const reopenSigner = async () => {
      await tools.reopenSigner();
      void reportState(workerId, tools);
    };
    return { stop: () => ending.disposeAsync(), reopenSigner };
  } catch (error) {
    await ending.disposeAsync();
    throw error;
  }
}

/** What it starts, `ending` stops. */
async function takeJobs(
  signing: OpenSigner,
  ending: AsyncDisposableStack,
  onLost: (reason: string) => void,
): Promise<{ tools: WorkerTools; workerId: string }> {
  let isLost = false;
  const lose = (reason: string) => {
    isLost = true;
    onLost(reason);
  };
  const disk = new DiskWatch();
  ending.defer(() => disk.stop());
  await disk.start();
  await sweepStaging();
  // First, so that this worker finds the jobs of a killed predecessor.
  await sweepJobs().catch((error) =>
    log.warn({ err: error }, 'The first sweep of dead workers failed; it is retried.'),
  );
  const liveness = await openLiveness(() => lose('its liveness connection was lost'));
  ending.defer(() => liveness.release());
  const stopping = new AbortController();
  const validator = openValidator();
  ending.defer(() => validator.close());
  measureValidators(() => validator.pool.pids());
  const tools: WorkerTools = {
    ...signing,
    validator,
    stopping: stopping.signal,
    reopenSigner: async () => void Object.assign(tools, await openSigner()),
  };
  const { runner, workerId } = await runJobs(tools, liveness, lose);
  ending.defer(async () => {
    stopping.abort();
    // Validations are interrupted; the runner waits for its other jobs. Without a database it may not end, but takes no more jobs.
    const stopped = runner.stop();
    if (isLost) stopped.catch((error) => log.debug({ err: error }, 'The runner of jobs did not stop.'));
    await Promise.all([isLost ? untilNoJobRuns() : stopped, validator.close()]);
  });
  // At once after an upgrade, not only on schedule.
  void rebuildOutdatedRows({ stopping: stopping.signal }).catch((error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'Rebuilding search rows failed; it is retried on schedule.');
  });
  await openSearchQueue();
  await queueIndexCheck(db);
  maintainRegularly(workerId, ending);
  void reportState(workerId, tools);
  return { tools, workerId };
}

/** Repairs what dead processes, lost jobs and outages have left. */
function maintainRegularly(workerId: string, ending: AsyncDisposableStack): void {
  const timers = [
    every(SWEEP_MS, sweepJobs),
    every(RECONCILE_MS, () => releaseLostJobs(workerId)),
    every(RECONCILE_MS, reconcileJobs),
    every(RECONCILE_MS, reconcileMails),
    every(RECONCILE_MS, reconcileWebhooks),
    every(RECONCILE_MS, approveWaiting),
    every(RECONCILE_MS, () => sweepStaging()),
    ...(hasSearchServer() ? [every(RECONCILE_MS, resumeWhenBack)] : []),
  ];
  ending.defer(() => {
    for (const timer of timers) clearInterval(timer);
  });
}

async function sweepJobs(): Promise<void> {
  await releaseDeadWorkers();
  await releaseOverdueJobs();
  await releaseAbandonedQueues();
  await resumeInterruptedJobs();
  await limitBackoff();
}

/** Runs jobs under a liveness lock. A runner that ends by itself leaves an idle worker, which `onLost` has to stop. */
async function runJobs(
  tools: WorkerTools,
  liveness: Liveness,
  onLost: (reason: string) => void,
): Promise<{ runner: Runner; workerId: string }> {
  const events = new EventEmitter() as WorkerEvents;
  const declared = new Promise<string>((resolve, reject) => {
    events.on('pool:create', ({ workerPool: { id } }) => liveness.declare(id).then(() => resolve(id), reject));
  });
  pollAfterQueuedJob(events);
  watchOutage(events, () => onLost(`no job could be fetched for ${MAX_OUTAGE_MS / 1_000} s`));
  const runner = await run({
    pgPool: jobPool(),
    events,
    concurrency: config.WORKER_CONCURRENCY,
    pollInterval: POLL_MS,
    forbiddenFlags: waitingFlags,
    noHandleSignals: true,
    taskList: createTaskList(tools),
    parsedCronItems: parseCrontab(crontab()),
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error') log.error({ meta }, message);
      else if (level === 'warning') log.warn(message);
      else log.debug(message);
    }),
  });
  const onEnd = () => {
    if (!tools.stopping.aborted) onLost('its runner of jobs ended');
  };
  void runner.promise.then(onEnd, onEnd);
  return { runner, workerId: await declared };
}

/**
 * Calls `onLost` when no job could be fetched for MAX_OUTAGE_MS. The runner keeps the error of the first query that it makes,
 * so after a failed start it would fetch no job even when the database is available again.
 */
function watchOutage(events: WorkerEvents, onLost: () => void): void {
  let failingSince: number | null = null;
  const onSuccess = () => {
    failingSince = null;
  };
  events.on('worker:getJob:empty', onSuccess);
  events.on('job:start', onSuccess);
  events.on('worker:getJob:error', () => {
    failingSince ??= performance.now();
    if (performance.now() - failingSince > MAX_OUTAGE_MS) onLost();
  });
}

/** Reports to operators that this worker lives, and then whether its validators start. */
async function reportState(workerId: string, { validator, signer, stopping }: WorkerTools): Promise<void> {
  const { nameText, notAfter } = issuerOf(signer);
  const facts = { started: new Date().toISOString(), signer: nameText, signerExpires: notAfter.toISOString() };
  const report = (isValidatorReady: boolean | null) =>
    reportWorker(workerId, { ...facts, isValidatorReady }).catch((error) =>
      log.warn({ err: error }, 'The state of this worker could not be stored for operators.'),
    );
  await report(null);
  try {
    await validator.warm();
    const { network } = await validator.pool.isolation();
    log.info({ network }, 'Validators are ready.');
    await report(true);
  } catch (error) {
    if (stopping.aborted) return;
    log.error({ err: error }, 'The validators do not start; uploads wait.');
    await report(false);
  }
}

async function untilNoJobRuns(): Promise<void> {
  while (runningJobs.size > 0) await sleep(50);
}

/** Runs `work` every `ms` milliseconds unless it still runs, and logs its errors. */
function every(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((error) => log.warn({ err: error }, 'Housekeeping failed; it is retried.'))
      .finally(() => {
        busy = false;
      });
  }, ms);
  return timer.unref();
}
