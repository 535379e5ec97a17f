/*
 * The search server of a run, which `run.ts` has started, for the suites beside this file.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../src/config.ts';

const {
  SEARCH_SERVER_URL: url = '',
  SEARCH_SERVER_FLAVOR: flavor = '',
  SEARCH_SERVER_PROGRAM: program = '',
} = process.env;

/** How the server is reached, what it is, and the program that starts and stops it. */
export const server = { url, flavor, program };

/** Scores are numbers of 32 bits there. */
export const TOLERANCE = 1e-6;

/** Has this process use the server, with indexes of its own. */
export function useServer(): void {
  Object.assign(config, {
    ELASTICSEARCH_URL: server.url,
    SEARCH_INDEX: `test-${randomBytes(6).toString('hex')}`,
    // Of a machine that does much else.
    SEARCH_TIMEOUT_MS: 30_000,
  });
}

/**
 * Waits for the first connections to the database: on a machine that does much else, they may take longer than the service
 * waits for one.
 */
export async function reachDatabase(): Promise<void> {
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
export async function leaveServer(): Promise<void> {
  const { presentIndexes, removeIndex } = await import('../../src/domain/search/elasticsearch/index-admin.ts');
  const { closeSearchServer } = await import('../../src/infra/search-server/send-request.ts');
  for (const name of (await presentIndexes()).keys()) await removeIndex(name);
  await closeSearchServer();
}

/** Sends a request to the server itself, and returns its status and what it says. */
export async function askServer(
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
