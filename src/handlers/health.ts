import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';
import { hasRefusals, isSearchDegraded } from '../domain/search/search-engine.ts';
import { sendText } from '../http/send-text.ts';
import { pool } from '../infra/db.ts';
import { pendingMigrations } from '../infra/migrations/migrate.ts';
import { folderProblem } from '../infra/staging/probe-store.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Serves `/healthz`: 200 while the process runs, with warnings for the operator, one a line. */
export async function showLiveness(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  const warnings = [
    ...((await isSearchDegraded()) ? ['search: degraded'] : []),
    ...(hasRefusals() ? ['search: requests refused'] : []),
  ];
  sendText(response, 200, PLAIN_TEXT, `${['ok', ...warnings].join('\n')}\n`);
}

/** Makes the handler of `/readyz`: 200 while this process can serve requests, otherwise 503 with one problem a line. */
export function readinessHandler(isStopping: () => boolean) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const problems = isStopping() ? ['stopping'] : await readinessProblems();
    if (problems.length === 0) sendText(response, 200, PLAIN_TEXT, 'ready\n');
    else sendText(response, 503, PLAIN_TEXT, `${problems.join('\n')}\n`);
  };
}

/** Cached for good: a running program never gets newer than its migrated database. */
let migrated = false;

async function readinessProblems(): Promise<string[]> {
  const problems = await Promise.all([databaseProblem(), folderProblem()]);
  return problems.filter((problem) => problem !== null);
}

async function databaseProblem(): Promise<string | null> {
  try {
    await pool.query('select 1');
    if (migrated) return null;
    const pending = await pendingMigrations(config.DATABASE_URL ?? '');
    migrated = pending.length === 0;
    return migrated ? null : `${pending.length} migrations are pending`;
  } catch {
    return 'the database does not respond';
  }
}
