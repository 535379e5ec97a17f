/*
 * `npm start`: everything for one machine. This process serves the web and supervises a worker as a
 * child process. After a kill, the next start continues.
 */

import { type Demo, prepareDemo } from '../demo/fill-demo.ts';
import { claimStore } from '../infra/blob-store/installation.ts';
import { log } from '../infra/log.ts';
import { openDatabase } from './open-database.ts';
import { serveWeb, stopWeb } from './serve.ts';
import { isFulfilled, waitForStop, within } from './shutdown.ts';
import { type SupervisedWorker, superviseWorker } from './supervise-worker.ts';
import { welcome } from './welcome.ts';

/** How long a start waits for its worker. After that the service accepts uploads, which wait for the worker. */
const WORKER_START_MS = 30_000;

/** Prepares the database, starts worker and web, prints the welcome page, fills the demo, and runs until a stop signal. */
export async function start(): Promise<void> {
  const stop = waitForStop();
  const database = await openDatabase(log, 'apply');
  try {
    await claimStore();
    const demo = await prepareDemo(database.isEmbedded);
    await runWorkerAndWeb(demo, stop);
  } finally {
    await database.close();
  }
}

async function runWorkerAndWeb(demo: Demo | null, stop: Promise<string>): Promise<void> {
  const worker = superviseWorker();
  try {
    const isReady = await within(WORKER_START_MS, Promise.race([worker.ready, stop]));
    if (!isReady) log.warn('The worker is not ready yet; uploads wait for it.');
    if (!(await isFulfilled(stop))) await serveUntil(stop, demo, worker);
  } finally {
    await worker.stop();
  }
}

async function serveUntil(stop: Promise<string>, demo: Demo | null, worker: SupervisedWorker): Promise<void> {
  const web = await serveWeb();
  const stopping = new AbortController();
  let seeding: Promise<void> | undefined;
  if (!(await isFulfilled(stop))) {
    process.stdout.write(welcome(demo));
    if (demo?.credentials) await demo.noteShown();
    seeding = demo?.fill(stopping.signal);
  }
  const cause = await stop;
  log.info(`The service stops after ${cause}.`);
  stopping.abort();
  // Together, because the time of a stop is limited. Uploads that are still accepted wait for the next start.
  await Promise.all([stopWeb(web, cause), worker.stop(), seeding]);
}
