import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../app.ts';
import { requireSigningRoot } from '../auth/shared-keys.ts';
import { config, isSet } from '../config.ts';
import { isDemo } from '../demo/state.ts';
import { DiskWatch } from '../domain/maintenance/watch-disk.ts';
import { requireSearchWindow } from '../domain/search/search-engine.ts';
import { warmPackageReader } from '../domain/submission/inspect-package.ts';
import { startWebServer, type WebServer } from '../http/listener.ts';
import { claimStore } from '../infra/blob-store/installation.ts';
import { closePermanentPools } from '../infra/process-pool/process-pool.ts';
import { readRootPem } from '../infra/signer/root-certificate.ts';
import { startTracing } from '../infra/tracing.ts';
import { routes } from '../rest/routes/index.ts';
import { serveMetrics } from './metrics.ts';
import { UNHANDLED_ERROR } from './shutdown.ts';

/** The web part of a process. */
interface WebPart extends WebServer {
  /** Ends `/metrics` before the rest. */
  endMetrics(): void;
}

/** How long a start waits for the port, as a killed predecessor may still hold it. */
const ADDRESS_MS = 3_000;

/**
 * Starts the web part of this process on HOST and PORT: REST, GraphQL, pages and health. Until it has stopped, it watches the
 * free space. The database must be open. In a demo, rate limits are off unless the operator sets them.
 * @throws {WrongStoreError} when the store is of another installation.
 * @throws when the index on the search server was built for another SEARCH_WINDOW, when the root certificate is not that of the
 * installation, or when the port is in use.
 */
export async function serveWeb(): Promise<WebPart> {
  await requireSearchWindow();
  await claimStore();
  const rootPem = await readRootPem();
  if (rootPem !== null) await requireSigningRoot(rootPem, 'serves');
  if (!isSet('RATE_LIMITS') && (await isDemo())) config.RATE_LIMITS = false;
  for (const route of routes) route.prepare();
  const disk = new DiskWatch();
  await disk.start();
  const endMetrics = await serveMetrics();
  const endTracing = await startTracing('addons-web');
  const deadline = performance.now() + ADDRESS_MS;
  for (;;) {
    try {
      const server = await startWebServer(createApp);
      // After the listener: its start competes for the processor with that of this process.
      void warmPackageReader();
      const stop: WebServer['stop'] = async (graceMs) => {
        await server.stop(graceMs);
        await closePermanentPools();
        disk.stop();
        endMetrics();
        await endTracing();
      };
      return { ...server, stop, endMetrics };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (performance.now() > deadline) {
        throw new Error(`${config.HOST}:${config.PORT} is in use; set PORT to another port, or to 0 for any.`);
      }
      await sleep(100);
    }
  }
}

/** Cause of a stop: one of several web processes is replaced. */
export const REPLACED_CAUSE = 'its replacement';

/**
 * Stops the web part. After SIGTERM, an unhandled error or its replacement it drains for SHUTDOWN_DELAY; Ctrl-C and a lost parent stop it
 * at once.
 */
export async function stopWeb(web: WebPart, cause: string): Promise<void> {
  // Its port is that of the process that replaces it.
  if (cause === REPLACED_CAUSE) web.endMetrics();
  if (['SIGTERM', UNHANDLED_ERROR, REPLACED_CAUSE].includes(cause)) {
    await web.drain(config.SHUTDOWN_DELAY * 1_000, cause === REPLACED_CAUSE);
  }
  await web.stop();
}
