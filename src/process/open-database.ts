import { settleUses } from '../auth/record-last-used.ts';
import { requireSecretKey } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import { flushUpdateCounts } from '../domain/updates/count-checks.ts';
import { flushDownloadCounts } from '../domain/versions/download-counts.ts';
import { requireFinishedRestoration } from '../infra/backup/restoration.ts';
import { closeDatabase, pool, useDatabase } from '../infra/db.ts';
import { startEmbeddedPostgres } from '../infra/embedded-postgres/embedded-postgres.ts';
import { migrate, pendingMigrations } from '../infra/migrations/migrate.ts';
import { separateRoles } from '../infra/migrations/separate-roles.ts';
import { requireSessions, requireUsableConnections } from '../infra/pooler.ts';
import { closeSearchServer } from '../infra/search-server/send-request.ts';
import { endsWithin } from './shutdown.ts';

/** A server that hangs or recovers would hold its connections open. The end of the process closes them as well. */
const CLOSE_MS = 5_000;

/** Where lines about the database go; a pino logger is one. */
interface Log {
  info(text: string): void;
  warn(text: string): void;
}

/** The database of this process, ready for use. */
interface OpenDatabase {
  isEmbedded: boolean;
  /**
   * Writes what requests deferred, ends the connections and leaves the embedded server, which ends with its last user. Takes 5 s
   * at most: the process must end then.
   */
  close(): Promise<void>;
}

/** An operator's database with pending migrations, which only `migrate` may apply. */
export class OutdatedDatabaseError extends Error {
  override readonly name = 'OutdatedDatabaseError';

  constructor(pending: string[]) {
    super(`The database lacks ${pending.length} migration(s), the first is ${pending[0]}. Run: npx addons migrate`);
  }
}

/**
 * Opens the database of the settings, or the embedded one, which is created, started or joined as needed. The
 * embedded database is always migrated; an operator's only when `migrations` is `apply`.
 * @throws {PoolerError} when the operator's database is behind a pooler, and the settings do not fit that.
 * @throws {OutdatedDatabaseError} when the operator's database lacks migrations that may not be applied.
 * @throws {UnfinishedRestorationError} when a restoration of the database was interrupted.
 * @throws {SharedKeyError} when this host has another secret key than the installation; not if `secretKey` is `unchecked`.
 */
export async function openDatabase(
  log: Log,
  migrations: 'apply' | 'require',
  secretKey: 'require' | 'unchecked' = 'require',
): Promise<OpenDatabase> {
  const embedded = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log });
  if (embedded !== null) useDatabase(embedded.url);
  const endAll = async (): Promise<void> => {
    // Deferred writes of requests: last uses of keys, counts of downloads and of update checks.
    await Promise.all([settleUses(), flushDownloadCounts(), flushUpdateCounts()]);
    await Promise.all([closeDatabase(), closeSearchServer()]);
    await embedded?.stop();
  };
  const close = async (): Promise<void> => {
    if (!(await endsWithin(CLOSE_MS, endAll()))) log.warn('The connections to the database did not close in time.');
  };
  try {
    const warning = embedded === null ? await requireUsableConnections() : null;
    if (warning !== null) log.warn(warning);
    await bringUpToDate(log, embedded !== null, migrations === 'apply');
    await requireFinishedRestoration(pool);
    if (secretKey === 'require') await requireSecretKey();
  } catch (error) {
    await close();
    throw error;
  }
  return { isEmbedded: embedded !== null, close };
}

async function bringUpToDate(log: Log, isEmbedded: boolean, mayApply: boolean): Promise<void> {
  const url = config.DATABASE_URL ?? '';
  if (isEmbedded) await migrate(url, { log });
  else if (mayApply) await migrateAsOwner(log);
  if (isEmbedded || mayApply) return;
  const pending = await pendingMigrations(url);
  if (pending.length > 0) throw new OutdatedDatabaseError(pending);
}

/**
 * Applies the migrations of the operator's database, as the role of MIGRATE_DATABASE_URL if that is set. Returns the names of those
 * applied now.
 * @throws {PoolerError} as `migratingUrl`.
 */
export async function migrateAsOwner(log: Log): Promise<string[]> {
  const { DATABASE_URL: serving = '' } = config;
  const migrating = await migratingUrl();
  const { applied } = await migrate(migrating, { log });
  if (migrating !== serving) await separateRoles(migrating, serving);
  return applied;
}

/**
 * The URL for migrations of the operator's database.
 * @throws {PoolerError} when it leads to a pooler that does not keep sessions.
 */
export async function migratingUrl(): Promise<string> {
  const { DATABASE_URL = '', DATABASE_SESSION_URL, MIGRATE_DATABASE_URL } = config;
  if (MIGRATE_DATABASE_URL === undefined) await requireUsableConnections();
  else await requireSessions(MIGRATE_DATABASE_URL, 'MIGRATE_DATABASE_URL');
  return MIGRATE_DATABASE_URL ?? DATABASE_SESSION_URL ?? DATABASE_URL;
}
