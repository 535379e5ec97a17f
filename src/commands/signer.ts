import { config } from '../config.ts';
import { log } from '../infra/log.ts';
import { openDatabase } from '../process/open-database.ts';
import { reloadOnHangup } from '../process/reload.ts';
import { waitForStop } from '../process/shutdown.ts';
import { startSigner } from '../process/signer.ts';

/** Holds the signing key for workers until a stop signal. */
export async function runSigner(): Promise<void> {
  const stop = waitForStop();
  // Its host has no secret key.
  const database = await openDatabase(log, 'require', 'unchecked');
  try {
    const signer = await startSigner();
    reloadOnHangup([{ what: 'the signing key', reload: () => signer.reload() }], 'unchecked');
    log.info({ host: config.SIGNER_HOST, port: signer.port }, 'The signer listens.');
    const cause = await stop;
    log.info(`The signer stops after ${cause}.`);
    await signer.stop();
  } finally {
    await database.close();
  }
}
