import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { config } from '../config.ts';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** A transaction's client: everything but opening another transaction. */
export type Transaction = Prisma.TransactionClient;
export type Database = PrismaClient | Transaction;
export { Prisma };

const STATEMENT_TIMEOUT_MS = 5_000;
const POOL_WAIT_MS = 2_000;

/** Settings of one connection to the database, for whoever needs a session of its own. */
export function connectionSettings(applicationName: string): pg.ClientConfig {
  return { connectionString: config.DATABASE_URL, application_name: applicationName, keepAlive: true };
}

// Rows that wait in the lists of the text indexes are read by every search, so there are few of them (in kB, the least there is).
const WRITE_SETTINGS = ['gin_pending_list_limit=64'];

const asOptions = (settings: readonly string[]): string => settings.map((setting) => `-c ${setting}`).join(' ');

/** The pool that Prisma and the statistics share; small, as the processes are many. */
export const pool = new pg.Pool({
  ...connectionSettings('addons'),
  max: config.DATABASE_POOL,
  connectionTimeoutMillis: POOL_WAIT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // For a server that hangs and cannot even time a statement out.
  query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
  options: asOptions(WRITE_SETTINGS),
});
// A connection that dies is replaced, and who uses it learns of it; without a listener it would end the process.
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));

// A search looks rows up in text indexes where the planner would rather read the table, and puts many ids together.
const SEARCH_SETTINGS = ['enable_seqscan=off', 'jit=off', 'max_parallel_workers_per_gather=0', 'work_mem=24MB'];

/** The connections of searches, which only read and are planned with settings of their own. Made when first used. */
export const searchPool = new pg.Pool({
  ...connectionSettings('addons-search'),
  max: config.DATABASE_POOL,
  connectionTimeoutMillis: POOL_WAIT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
  options: asOptions([...SEARCH_SETTINGS, 'default_transaction_read_only=on']),
});
searchPool.on('error', () => {});
searchPool.on('connect', (client) => client.on('error', () => {}));

/** Same SQL, same name: Postgres plans each statement once for each connection. */
const statementName = (query: { sql: string }): string => createHash('sha1').update(query.sql).digest('base64url');

/** The Prisma client of this process. Connects when first used. */
export const db = new PrismaClient({
  adapter: new PrismaPg(pool, { statementNameGenerator: statementName }),
  transactionOptions: { maxWait: 5_000, timeout: 20_000 },
});

/** Points this process at a database that is known only after its start: the embedded one. Before the first query. */
export function useDatabase(url: string): void {
  config.DATABASE_URL = url;
  pool.options.connectionString = url;
  searchPool.options.connectionString = url;
}

/** Ends all connections of this process. */
export async function closeDatabase(): Promise<void> {
  await db.$disconnect();
  if (!pool.ended) await pool.end();
  if (!searchPool.ended) await searchPool.end();
}
