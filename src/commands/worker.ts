import { setTimeout as sleep } from 'node:timers/promises';
import { SharedKeyError } from '../auth/shared-keys.ts';
import { UnfinishedRestorationError } from '../infra/backup/restoration.ts';
import { WrongStoreError } from '../infra/blob-store/installation.ts';
import { pool } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { PoolerError } from '../infra/pooler.ts';
import { SignerSetupError } from '../infra/signer/signer.ts';
import { startTracing } from '../infra/tracing.ts';
import { afterEachTurn } from '../package/zip/in-turn.ts';
import { serveMetrics } from '../process/metrics.ts';
import { OutdatedDatabaseError, openDatabase } from '../process/open-database.ts';
import { reloadOnHangup } from '../process/reload.ts';
import { endsWithin, isFulfilled, waitForStop } from '../process/shutdown.ts';
import type { WorkerMessage } from '../process/supervise-worker.ts';
import { type RunningWorker, startWorker } from '../process/worker.ts';
import type { Invocation } from './command.ts';

/** How long running jobs may continue after a stop signal. */
const STOP_MS = 30_000;

/** Between two attempts to reach a database that was lost. */
const RECONNECT_MS = 500;

/** Errors that another start of the worker would meet again. */
const FINAL = [
  SignerSetupError,
  SharedKeyError,
  OutdatedDatabaseError,
  UnfinishedRestorationError,
  WrongStoreError,
  PoolerError,
];

/** Validates and signs until a stop signal. With `--supervised` it reports to its parent process and stops with it. */
export async function runWorker(invocation: Invocation): Promise<void> {
  const supervised = invocation.flag('supervised');
  const stop = waitForStop(supervised);
  try {
    await work(stop, supervised);
  } catch (error) {
    const isFinal = FINAL.some((kind) => error instanceof kind);
    if (!supervised || !isFinal || !(error instanceof Error)) throw error;
    // The parent logs the problem.
    await report({ kind: 'refused', problem: error.message });
    process.exitCode = 1;
  }
}

async function work(stop: Promise<string>, supervised: boolean): Promise<void> {
  // Decompressors hold memory that V8 does not count. Without --expose-gc it stays until the next collection.
  afterEachTurn(() => globalThis.gc?.());
  const database = await openDatabase(log, 'require');
  const endMetrics = await serveMetrics();
  const endTracing = await startTracing('addons-worker');
  const reportReady = () => (supervised ? report({ kind: 'ready' }) : Promise.resolve());
  let running: RunningWorker | undefined;
  const onStart = async (worker: RunningWorker) => {
    running = worker;
    await reportReady();
  };
  reloadOnHangup([{ what: 'the signing key', reload: async () => running?.reopenSigner() }]);
  try {
    while (!(await takeJobs(stop, onStart))) await untilDatabaseResponds(stop);
  } finally {
    endMetrics();
    await endTracing();
    await database.close();
  }
}

/**
 * Takes jobs until the stop signal, and returns true; or, when other workers take over its jobs because the database lost its session,
 * until its own have ended, and returns false. Ends the process when they do not end.
 */
async function takeJobs(stop: Promise<string>, onStart: (worker: RunningWorker) => Promise<void>): Promise<boolean> {
  if (await isFulfilled(stop)) return true;
  const lost = Promise.withResolvers<string>();
  const worker = await startWorker(lost.resolve);
  log.info('The worker takes jobs.');
  await onStart(worker);
  const isStopped = await Promise.race([stop.then(() => true), lost.promise.then(() => false)]);
  if (isStopped) log.info(`The worker stops after ${await stop}.`);
  else log.warn(`The worker stops its jobs: ${await lost.promise}. It starts again when the database responds.`);
  // Its runner fails to stop when it has ended with the connection.
  const stopped = isStopped
    ? worker.stop()
    : worker.stop().catch((error) => log.warn({ err: error }, 'A job was lost.'));
  if (await endsWithin(STOP_MS, stopped)) return isStopped;
  log.warn('Jobs are still running; another worker repeats them.');
  if (!isStopped) process.exit(1);
  return true;
}

/** Returns when the database responds, or at the stop signal. */
async function untilDatabaseResponds(stop: Promise<string>): Promise<void> {
  const isBack = async () =>
    pool.query('SELECT').then(
      () => true,
      () => false,
    );
  while (!(await isFulfilled(stop)) && !(await isBack())) await Promise.race([sleep(RECONNECT_MS), stop]);
}

/** Returns when the message is sent, or the parent has exited. */
function report(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
