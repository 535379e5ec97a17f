/*
 * A backup copies files after the snapshot of the database. A row of the snapshot may be deleted in between, and its file is old, so that a
 * collection would remove it. Collections therefore hold a lock that a backup waits for, and remove nothing while a backup holds it.
 */
import type pg from 'pg';
import { openDatabaseSession } from '../db.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { BackupError } from './manifest.ts';

/** By this name `migrate` recognises a backup. */
const SESSION = 'addons-backup';

/**
 * Opens the database session of a backup, which excludes collections and other backups until it ends. Waits for a running collection.
 * @throws {BackupError} when another backup of the database runs.
 */
export async function openBackupSession(): Promise<pg.Client> {
  const session = await openDatabaseSession(SESSION);
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS "isFree"', [LOCK_KEYS.backup]);
  if (!rows[0].isFree) {
    await session.end();
    throw new BackupError('Another backup of this database runs.');
  }
  await session.query('SELECT pg_advisory_lock($1)', [LOCK_KEYS.collection]);
  return session;
}

/** @throws {BackupError} when the session of a backup was lost: a collection may have removed files since. */
export async function requireSession(session: pg.Client): Promise<void> {
  await session.query('SELECT').catch((error: Error) => {
    throw new BackupError(`The connection to the database was lost during the backup (${error.message}). Repeat it.`);
  });
}

/** Runs a collection of files, unless a backup copies them; returns null then. */
export async function unlessBackupRuns<Result>(collect: () => Promise<Result>): Promise<Result | null> {
  const session = await openDatabaseSession('addons collection');
  try {
    const { rows } = await session.query('SELECT pg_try_advisory_lock_shared($1) AS "isFree"', [LOCK_KEYS.collection]);
    return rows[0].isFree ? await collect() : null;
  } finally {
    await session.end();
  }
}
