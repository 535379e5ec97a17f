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
/** A process that freezes inside a transaction must not keep its locks. No transaction of ours waits this long. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Settings of one connection to the database, for whoever needs a session of its own. */
export function connectionSettings(applicationName: string): pg.ClientConfig {
  return { connectionString: config.DATABASE_URL, application_name: applicationName, keepAlive: true };
}

// Rows that wait in the lists of the text indexes are read by every search, so there are few of them (in kB, the least there is).
const WRITE_SETTINGS = ['gin_pending_list_limit=64'];

const asOptions = (settings: readonly string[]): string => settings.map((setting) => `-c ${setting}`).join(' ');

/** A pool of at most `max` connections whose sessions have these settings. They are made when first used. */
function newPool(applicationName: string, max: number, settings: readonly string[]): pg.Pool {
  const made = new pg.Pool({
    ...connectionSettings(applicationName),
    max,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // For a server that hangs and cannot even time a statement out.
    query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
    options: asOptions(settings),
  });
  // A connection that dies is replaced, and who uses it learns of it; without a listener it would end the process.
  made.on('error', () => {});
  made.on('connect', (client) => client.on('error', () => {}));
  return made;
}

/** The pool that Prisma and the statistics share; small, as the processes are many. */
export const pool = newPool('addons', config.DATABASE_POOL, WRITE_SETTINGS);

const READ_ONLY = 'default_transaction_read_only=on';

// A search looks rows up in text indexes where the planner would rather read the table, and puts many ids together.
const SEARCH_SETTINGS = ['enable_seqscan=off', 'jit=off', 'max_parallel_workers_per_gather=0', 'work_mem=24MB'];

/** The connections of searches, which only read and are planned with settings of their own. */
export const searchPool = newPool('addons-search', config.DATABASE_POOL, [...SEARCH_SETTINGS, READ_ONLY]);

// A plan for a list of keys looks cheaper when made for just these, so it would be made anew every time, which takes longer
// than to run it.
const LOOKUP_SETTINGS = ['plan_cache_mode=force_generic_plan', 'jit=off'];

/** As many connections as look-ups want: those of many requests are one statement. */
const LOOKUP_POOL = 4;

/**
 * The connections of look-ups by keys, which only read: each plans a statement once and for all. Not for a statement whose
 * best plan depends on its values, nor for one that has to see what its transaction has written.
 */
export const lookupPool = newPool('addons-lookup', Math.min(LOOKUP_POOL, config.DATABASE_POOL), [
  ...LOOKUP_SETTINGS,
  READ_ONLY,
]);

/** All connections of this process, but for those that somebody has for himself. */
export const pools: readonly pg.Pool[] = [pool, searchPool, lookupPool];

/** Same SQL, same name: Postgres plans each statement once for each connection. */
const statementName = (query: { sql: string }): string => createHash('sha1').update(query.sql).digest('base64url');

/** The Prisma client of this process. Connects when first used. */
export const db = new PrismaClient({
  adapter: new PrismaPg(pool, { statementNameGenerator: statementName }),
  transactionOptions: { maxWait: 5_000, timeout: 20_000 },
});

/**
 * Some hundreds of ids at most, as what stands behind `IN`. How many there are is not seen when a statement is planned, so its
 * plan is kept: of `= ANY` with a short list, a plan for that list alone looks cheaper and is made anew each time.
 */
export const idRows = (ids: readonly number[]): Prisma.Sql =>
  Prisma.sql`(SELECT id::int FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS ids(id))`;

/** Points this process at a database that is known only after its start: the embedded one. Before the first query. */
export function useDatabase(url: string): void {
  config.DATABASE_URL = url;
  for (const each of pools) each.options.connectionString = url;
}

const sessions = new Set<pg.Client>();

/**
 * Opens a connection outside the pools for state bound to a session, such as an advisory lock. It emits `end` once it is
 * lost or closed.
 * @throws when the server cannot be reached within the time limit of the pools.
 */
export async function openSession(applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings(applicationName),
    connectionTimeoutMillis: POOL_WAIT_MS,
  });
  // An `error` event without a listener would end the process; `end` follows it.
  client.on('error', () => {});
  await client.connect();
  sessions.add(client);
  client.once('end', () => sessions.delete(client));
  return client;
}

/** Ends all connections of this process. */
export async function closeDatabase(): Promise<void> {
  await db.$disconnect();
  for (const each of pools) if (!each.ended) await each.end();
  for (const session of sessions) await session.end();
}
