import cluster from 'node:cluster';
import { config } from '../config.ts';
import { waitForStop } from '../process/shutdown.ts';

/** Serves the web until a stop signal, then lets running requests finish. With WEB_PROCESSES, this process supervises those that serve. */
export async function runServe(): Promise<void> {
  // A supervisor loads nothing of the service.
  if (config.WEB_PROCESSES > 1 && cluster.isPrimary) {
    const { superviseWeb } = await import('../process/supervise-web.ts');
    return superviseWeb(waitForStop());
  }
  const { serveUntilStopped } = await import('../process/web-process.ts');
  return serveUntilStopped();
}
