/*
 * The worker: validates, signs and cleans up. As many as wanted may run, on as many machines as wanted; each may be
 * killed at any moment, and another one takes its work over within seconds.
 */
import { EventEmitter } from 'node:events';
import { Logger, parseCrontab, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { config } from '../config.ts';
import { resumeWhenBack } from '../domain/search/elasticsearch/look-after.ts';
import { openSearchQueue, queueIndexCheck } from '../domain/search/index/queue-sync.ts';
import { rewriteOutdatedRows } from '../domain/search/postgres/maintain/keep-up.ts';
import { reconcileJobs } from '../domain/signing/reconcile-jobs.ts';
import { db, pool } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { ensureDevelopmentCa } from '../infra/signer/development-ca.ts';
import { openFileSigner } from '../infra/signer/file-signer.ts';
import { developmentCaFolder, readRootPem } from '../infra/signer/root-certificate.ts';
import type { Signer } from '../infra/signer/signer.ts';
import { sweepStaging } from '../infra/staging/staging.ts';
import {
  hasLostJobs,
  type Liveness,
  openLiveness,
  releaseDeadWorkers,
  resumeInterruptedJobs,
} from '../jobs/liveness.ts';
import { createTaskList, crontab, type WorkerTools } from '../jobs/task-list.ts';
import { createAuthorities } from '../package/signing/authorities.ts';
import { createValidator, type Validator } from '../package/validation/validate-package.ts';

const SWEEP_MS = 500;
/** New jobs are announced; released ones are found by looking. */
const POLL_MS = 500;
const RECONCILE_MS = 3_000;

/** The signing key this installation is set up with: the operator's, or a development CA made now. */
export async function openSigner(): Promise<{ signer: Signer; rootPem: string }> {
  const { SIGNING_KEY_FILE: keyFile, SIGNING_CHAIN_FILE: chainFile } = config;
  const signer =
    keyFile && chainFile
      ? await openFileSigner({ keyFile, chainFile })
      : await ensureDevelopmentCa(developmentCaFolder(), {
          environment: config.ALLOW_DEV_CA ? 'development' : config.ENVIRONMENT,
          createAuthorities,
        });
  const rootPem = await readRootPem();
  if (rootPem === null) throw new Error('The root certificate is not there.');
  return { signer, rootPem };
}

/** The validator with the limits of the settings. */
export function openValidator(): Validator {
  return createValidator({
    concurrency: config.VALIDATOR_CONCURRENCY,
    wallMs: config.VALIDATOR_TIMEOUT * 1_000,
    heapMb: config.VALIDATOR_MEMORY_MB,
  });
}

/** A worker at work. */
export interface RunningWorker {
  /** Finishes the jobs under way, for as long as `graphile-worker` lets them, and ends. */
  stop(): Promise<void>;
}

/**
 * Starts a worker in this process.
 * @param onLost called when the database connection that declares this worker alive breaks: the process has to end.
 * @throws {SignerSetupError} when the signing key cannot be used.
 */
export async function startWorker(onLost: () => void): Promise<RunningWorker> {
  const { signer, rootPem } = await openSigner();
  const validator = openValidator();
  const stopping = new AbortController();
  const tools = { validator, signer, rootPem, stopping: stopping.signal };
  await sweepStaging();
  // Before this one looks for work: what its killed predecessor held is then the first that it finds.
  await sweepJobs().catch((error) => log.warn({ err: error }, 'Dead workers are looked for again.'));
  const liveness = await openLiveness(onLost);
  const { runner, workerId } = await runJobs(tools, liveness, onLost);
  // A database from before the search tables, or of another analysis, is found again without waiting for the clock.
  void rewriteOutdatedRows().catch((error) => log.warn({ err: error }, 'Search rows are rewritten later.'));
  await openSearchQueue();
  await queueIndexCheck(db);
  const timers = [
    every(SWEEP_MS, sweepJobs),
    every(RECONCILE_MS, async () => (await hasLostJobs(workerId)) && onLost()),
    every(RECONCILE_MS, reconcileJobs),
    every(RECONCILE_MS, () => sweepStaging()),
    ...(hasSearchServer() ? [every(RECONCILE_MS, resumeWhenBack)] : []),
  ];
  void reportReady(validator);
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all([runner.stop(), validator.close()]);
      await liveness.release();
    },
  };
}

async function sweepJobs(): Promise<void> {
  await releaseDeadWorkers();
  await resumeInterruptedJobs();
}

/** Runs jobs under a liveness lock. A runner that ends by itself leaves an idle process, which `onLost` has to end. */
async function runJobs(
  tools: WorkerTools,
  liveness: Liveness,
  onLost: () => void,
): Promise<{ runner: Runner; workerId: string }> {
  const events = new EventEmitter() as WorkerEvents;
  const declared = new Promise<string>((resolve, reject) => {
    events.on('pool:create', ({ workerPool: { id } }) => liveness.declare(id).then(() => resolve(id), reject));
  });
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: config.WORKER_CONCURRENCY,
    pollInterval: POLL_MS,
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
    if (!tools.stopping.aborted) onLost();
  };
  void runner.promise.then(onEnd, onEnd);
  return { runner, workerId: await declared };
}

async function reportReady(validator: Validator): Promise<void> {
  try {
    await validator.warm();
    const { network } = await validator.pool.isolation();
    log.info({ network }, 'Validators are ready.');
  } catch (error) {
    log.error({ err: error }, 'Validators do not start; uploads wait.');
  }
}

/** Runs `work` again and again, `ms` after it ended, and logs what goes wrong. */
function every(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((error) => log.warn({ err: error }, 'Housekeeping failed; it will be tried again.'))
      .finally(() => {
        busy = false;
      });
  }, ms);
  return timer.unref();
}
