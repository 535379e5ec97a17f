/*
 * Recognition of poolers between this process and PostgreSQL. In transaction mode a pooler gives a client another session of the server
 * for each transaction, so what belongs to a session is lost or is found by another client: locks, LISTEN, settings, statements by name.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { config } from '../config.ts';
import { withClient } from './with-client.ts';

/** A notification within a session arrives at once. */
const HEARD_MS = 3_000;
const CONNECT_MS = 5_000;

/** Settings of the database that do not work with a pooler, in one sentence. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

const NO_POOLER =
  'DATABASE_SESSION_URL is set, but DATABASE_URL does not lead through a connection pooler, so statements are planned each time for ' +
  'nothing. Unset DATABASE_SESSION_URL, or set DATABASE_URL to the pooler.';

/**
 * Checks the settings of the database. Returns a warning, or null.
 * @throws {PoolerError} when DATABASE_URL leads to a pooler and DATABASE_SESSION_URL is not set, or when that does not keep sessions, or
 * leads to another database.
 */
export async function requireUsableConnections(): Promise<string | null> {
  const { DATABASE_URL: url = '', DATABASE_SESSION_URL: sessionUrl } = config;
  if (sessionUrl !== undefined) {
    await requireSessions(sessionUrl, 'DATABASE_SESSION_URL');
    await requireSameDatabase(url, sessionUrl);
    return (await onConnection(url, isPooled)) ? null : NO_POOLER;
  }
  if (!(await onConnection(url, isPooled))) return null;
  throw new PoolerError(
    'DATABASE_URL leads to a connection pooler: set DATABASE_SESSION_URL to the same database at PostgreSQL itself.',
  );
}

/**
 * Checks that connections to a URL keep their session.
 * @throws {PoolerError} when it leads to a pooler in transaction or statement mode; the message names the setting.
 */
export async function requireSessions(url: string, setting: string): Promise<void> {
  if (await keepsSessions(url)) return;
  throw new PoolerError(
    `${setting} leads to a connection pooler that does not keep sessions: set it to PostgreSQL itself, or to a pooler in session mode.`,
  );
}

async function requireSameDatabase(url: string, sessionUrl: string): Promise<void> {
  const [one, other] = await Promise.all([onConnection(url, identify), onConnection(sessionUrl, identify)]);
  if (one === other) return;
  throw new PoolerError('DATABASE_SESSION_URL leads to another database than DATABASE_URL: set both to the same one.');
}

/** The database and the start of its server. */
async function identify(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT concat_ws(chr(10), current_database(), pg_postmaster_start_time()::text) AS id',
  );
  return rows[0]?.id ?? '';
}

/** Whether a pooler has accepted a connection: it announces a process id of its own, not that of the server's process. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as pg.Client & { processID: number }).processID;
}

/**
 * Whether a client hears a notification while it waits. In transaction mode it has no session then, so it never does.
 */
async function keepsSessions(url: string): Promise<boolean> {
  return onConnection(url, async (listener) => {
    if (!(await isPooled(listener))) return true;
    const channel = `addons_session_${randomBytes(8).toString('hex')}`;
    const heard = once(listener, 'notification').then(() => true);
    await listener.query(`LISTEN ${channel}`);
    await onConnection(url, (notifier) => notifier.query(`NOTIFY ${channel}`));
    const isHeard = await Promise.race([heard, sleep(HEARD_MS, false)]);
    await listener.query(`UNLISTEN ${channel}`);
    return isHeard;
  });
}

const onConnection = <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withClient(
    {
      ...{ connectionString: url, application_name: 'addons-check' },
      ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS },
    },
    work,
  );
