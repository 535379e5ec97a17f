/*
 * Requests queue behind a migration that waits for a lock. So it waits for a short time only, gives up all locks that it has, and tries
 * again: between two attempts, requests go on.
 */
import type pg from 'pg';
import { isLockTimeout, type LockRetries, retryForLock } from '../database-errors.ts';
import { MigrationError } from './definitions.ts';

const LOCK_TIMEOUT_MS = 2_000;

/** How migrations wait for locks; times in milliseconds. */
export interface LockLimits extends LockRetries {
  timeoutMs?: number;
}

/**
 * Runs `work` in a transaction that waits 2 s for a lock, and repeats it up to 20 times.
 * @throws {MigrationError} when no attempt gets its locks; the message names the transactions that have run for more than a second.
 */
export async function inLockedTransaction<T>(
  client: pg.Client,
  work: () => Promise<T>,
  { timeoutMs = LOCK_TIMEOUT_MS, ...retries }: LockLimits = {},
): Promise<T> {
  let attempts = 0;
  const attempt = async (): Promise<T> => {
    attempts += 1;
    try {
      await client.query(`begin; set local lock_timeout = ${timeoutMs}`);
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  };
  try {
    return await retryForLock(attempt, retries);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new MigrationError(await describeLongTransactions(client, attempts));
  }
}

/**
 * Checks that no dump or backup reads the database: it holds locks on all tables until its end, which may be hours away.
 * @throws {MigrationError} when one does.
 */
export async function requireNoDump(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ session: string }>(
    `select ${SESSION} as session from pg_stat_activity
     where datname = current_database() and application_name in ('pg_dump', 'pg_dumpall', 'addons-backup') and xact_start is not null limit 1`,
  );
  if (rows[0]) throw new MigrationError(`A dump reads the database: ${rows[0].session}. Migrate when it has ended.`);
}

const SESSION = `format('process %s of %s (%s), since %s', pid, usename, concat_ws(', ', nullif(application_name, ''), state),
  to_char(xact_start, 'HH24:MI:SS'))`;

async function describeLongTransactions(client: pg.Client, attempts: number): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    `select ${SESSION} as session from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
     order by xact_start limit 5`,
  );
  const sessions = rows.length === 0 ? 'none now' : rows.map(({ session }) => session).join('; ');
  return `No attempt of ${attempts} got its locks; nothing was changed. Transactions that have run for more than a second: ${sessions}.`;
}
