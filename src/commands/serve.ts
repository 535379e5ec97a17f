import { config } from '../config.ts';
import { log } from '../infra/log.ts';
import { openDatabase } from '../process/open-database.ts';
import { reloadOnHangup } from '../process/reload.ts';
import { serveWeb, stopWeb } from '../process/serve.ts';
import { waitForStop } from '../process/shutdown.ts';

/** Serves the web until a stop signal, then lets running requests finish. */
export async function runServe(): Promise<void> {
  const stop = waitForStop();
  const database = await openDatabase(log, 'require');
  try {
    const web = await serveWeb();
    reloadOnHangup();
    log.info({ url: web.url, baseUrl: config.BASE_URL, environment: config.ENVIRONMENT }, 'The web process serves.');
    const cause = await stop;
    log.info(`The web process stops after ${cause}.`);
    await stopWeb(web, cause);
  } finally {
    await database.close();
  }
}
