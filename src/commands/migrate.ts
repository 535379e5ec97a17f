import { config } from '../config.ts';
import { startEmbeddedPostgres } from '../infra/embedded-postgres/embedded-postgres.ts';
import { migrate, pendingMigrations } from '../infra/migrations/migrate.ts';
import { migrateAsOwner } from '../process/open-database.ts';
import { type Invocation, print } from './command.ts';

const log = { info: (text: string) => print(text), warn: (text: string) => print(text) };

/** Applies the pending migrations and prints them. With `--plan` it prints them only. */
export async function runMigrate(invocation: Invocation): Promise<void> {
  const embedded = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log });
  try {
    if (invocation.flag('plan')) return await printPlan(embedded?.url ?? config.DATABASE_URL ?? '');
    const applied = embedded === null ? await migrateAsOwner(log) : (await migrate(embedded.url, { log })).applied;
    print(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migration(s) applied.`);
  } finally {
    await embedded?.stop();
  }
}

/** Each pending file, which an operator can read in the folder `prisma` of the program. */
async function printPlan(url: string): Promise<void> {
  const pending = await pendingMigrations(url);
  for (const name of pending) print(`prisma/${name.replace(' ', 's/')}.sql is pending`);
  if (pending.length === 0) print('The database is up to date.');
}
