import { config } from '../config.ts';
import { startEmbeddedPostgres } from '../infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../infra/migrations/migrate.ts';
import { migrateAsOwner } from '../process/open-database.ts';
import { print } from './output.ts';

const log = { info: (text: string) => print(text), warn: (text: string) => print(text) };

/** Applies the pending migrations and prints them. */
export async function runMigrate(): Promise<void> {
  const embedded = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log });
  try {
    const applied = embedded === null ? await migrateAsOwner(log) : (await migrate(embedded.url, { log })).applied;
    print(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migration(s) applied.`);
  } finally {
    await embedded?.stop();
  }
}
