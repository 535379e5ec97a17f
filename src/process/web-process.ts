import cluster from 'node:cluster';
import { config } from '../config.ts';
import { log } from '../infra/log.ts';
import { openDatabase } from './open-database.ts';
import { reloadOnHangup } from './reload.ts';
import { REPLACED_CAUSE, serveWeb, stopWeb } from './serve.ts';
import { waitForStop } from './shutdown.ts';
import { RETIRE_MESSAGE } from './supervise-web.ts';

/** Serves the web until a stop signal, or until the supervisor has replaced this process. */
export async function serveUntilStopped(): Promise<void> {
  const stop = cluster.worker === undefined ? waitForStop() : waitForSupervisor(cluster.worker);
  const database = await openDatabase(log, 'require');
  try {
    const web = await serveWeb();
    reloadOnHangup();
    const { BASE_URL: baseUrl, ENVIRONMENT: environment } = config;
    log.info({ pid: process.pid, url: web.url, baseUrl, environment }, 'The web process serves.');
    const cause = await stop;
    log.info(`The web process stops after ${cause}.`);
    await stopWeb(web, cause);
  } finally {
    await database.close();
  }
}

/** Resolves with the cause when this process, one of several, must stop. */
function waitForSupervisor(worker: NonNullable<typeof cluster.worker>): Promise<string> {
  // Otherwise the end of the supervisor would end this process at once, with its requests.
  worker.exitedAfterDisconnect = true;
  const retirement = new Promise<string>((resolve) =>
    process.on('message', (message) => {
      if (message === RETIRE_MESSAGE) resolve(REPLACED_CAUSE);
    }),
  );
  return Promise.race([waitForStop(true), retirement]);
}
