import { SharedKeyError } from '../auth/shared-keys.ts';
import { WrongStoreError } from '../infra/blob-store/installation.ts';
import { log } from '../infra/log.ts';
import { SignerSetupError } from '../infra/signer/signer.ts';
import { afterEachTurn } from '../package/zip/in-turn.ts';
import { OutdatedDatabaseError, openDatabase } from '../process/open-database.ts';
import { waitForStop, within } from '../process/shutdown.ts';
import type { WorkerReport } from '../process/supervise-worker.ts';
import { startWorker } from '../process/worker.ts';
import type { Invocation } from './command.ts';

/** How long running jobs may continue after a stop signal. */
const STOP_MS = 30_000;

/** Validates and signs until a stop signal. With `--supervised` it reports to its parent process and stops with it. */
export async function runWorker(invocation: Invocation): Promise<void> {
  const supervised = invocation.flag('supervised');
  const stop = waitForStop(supervised);
  try {
    await work(stop, supervised);
  } catch (error) {
    const isFinal = [SignerSetupError, SharedKeyError, OutdatedDatabaseError, WrongStoreError].some(
      (kind) => error instanceof kind,
    );
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
  try {
    // Other workers take over its jobs.
    const worker = await startWorker((reason) => {
      log.error(`The worker ends: ${reason}.`);
      process.exit(1);
    });
    log.info('The worker takes jobs.');
    if (supervised) await report({ kind: 'ready' });
    log.info(`The worker stops after ${await stop}.`);
    if (!(await within(STOP_MS, worker.stop()))) log.warn('Jobs are still running; another worker repeats them.');
  } finally {
    await database.close();
  }
}

/** Returns when the message is sent, or the parent has exited. */
function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
