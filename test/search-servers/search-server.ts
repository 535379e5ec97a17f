/* The search server that `run.ts` has started for the suites of this folder. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../src/config.ts';

const {
  SEARCH_SERVER_URL: url = '',
  SEARCH_SERVER_FLAVOR: flavor = '',
  SEARCH_SERVER_PROGRAM: program = '',
} = process.env;

/** The URL of the server, its flavor, and the program that starts and stops it. */
export const server = { url, flavor, program };

/** Tolerance of scores, which search servers store as 32-bit floats. */
export const TOLERANCE = 1e-6;

/** Configures this process to use the server, with separate indexes. */
export function useServer(): void {
  Object.assign(config, {
    ELASTICSEARCH_URL: server.url,
    SEARCH_INDEX: `test-${randomBytes(6).toString('hex')}`,
    // The machine may be under load.
    SEARCH_TIMEOUT_MS: 30_000,
  });
}

/**
 * Waits for the first connections to the database. On a machine under load, they may take longer than the service's timeout.
 */
export async function waitForDatabase(): Promise<void> {
  const { pools } = await import('../../src/infra/db.ts');
  for (const each of pools) {
    while (
      !(await each.query('SELECT 1').then(
        () => true,
        () => false,
      ))
    )
      await sleep(100);
  }
}

/** Removes the indexes of this process. */
export async function removeIndexes(): Promise<void> {
  const { presentIndexes, removeIndex } = await import('../../src/domain/search/elasticsearch/index-admin.ts');
  const { closeSearchServer } = await import('../../src/infra/search-server/send-request.ts');
  for (const name of (await presentIndexes()).keys()) await removeIndex(name);
  await closeSearchServer();
}

/** Sends a request to the search server, and returns status and body of the response. */
export async function requestServer(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...content,
  });
  return { status: response.status, text: await response.text() };
}
