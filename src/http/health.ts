import { config } from '../config.ts';
import { pool } from '../infra/db.ts';
import { pendingMigrations } from '../infra/migrations/migrate.ts';
import { isStoreWritable } from '../infra/storage/blobs.ts';

/** Once everything has been applied it stays so: programs only get older than their database. */
let migrated = false;

/** What keeps this process from serving requests right now, one line each; empty when it is ready. */
export async function readinessProblems(): Promise<string[]> {
  const [database, store] = await Promise.all([databaseProblem(), isStoreWritable()]);
  return [...(database === null ? [] : [database]), ...(store ? [] : ['the data folder cannot be written to'])];
}

async function databaseProblem(): Promise<string | null> {
  try {
    await pool.query('select 1');
    if (migrated) return null;
    const pending = await pendingMigrations(config.DATABASE_URL ?? '');
    migrated = pending.length === 0;
    return migrated ? null : `${pending.length} migrations are pending`;
  } catch {
    return 'the database does not answer';
  }
}
