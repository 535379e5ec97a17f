import { createHash } from 'node:crypto';
import pg from 'pg';
import { config } from '../config.ts';
import { UnavailableError } from '../errors.ts';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { ObservedPool, observeStatements } from './observed-statements.ts';
import { pooledClient } from './pooled-client.ts';
import { PrismaAdapter } from './prisma-adapter.ts';
import { withClient } from './with-client.ts';

/** A transaction's client: everything but opening another transaction. */
export type Transaction = Prisma.TransactionClient;
export type Database = PrismaClient | Transaction;
export { Prisma };

const STATEMENT_TIMEOUT_MS = 5_000;
const POOL_WAIT_MS = 2_000;
/** A pooler opens its connections one after the other, and lets clients in when the first one is open. As `query_wait_timeout` in `deploy`. */
const POOLER_WAIT_MS = 5_000;
/** Of a connection to PostgreSQL, which has a process and memory for each. At a pooler a login costs more than a connection that is kept. */
const IDLE_MS = 10_000;
/** A process that freezes inside a transaction must not keep its locks. No transaction idles this long otherwise. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** `Retry-After` of a search that is refused because the queue is full. */
const OVERLOAD_RETRY_S = 1;

/** The URL for what needs a session, such as advisory locks and LISTEN. */
const sessionUrl = (): string | undefined => config.DATABASE_SESSION_URL ?? config.DATABASE_URL;

/** Settings of a connection that keeps its session. */
export function sessionSettings(applicationName: string): pg.ClientConfig {
  return { connectionString: sessionUrl(), application_name: applicationName, keepAlive: true };
}

const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

// Every search reads the pending lists of the text indexes, so they are as short as PostgreSQL allows (kB).
const WRITE_SETTINGS = ['gin_pending_list_limit=64'];

interface PoolOptions {
  max: number;
  /** Settings of the server, as `name=value`. */
  settings: readonly string[];
  isReadOnly?: boolean;
}

/** Makes a pool with these settings. Connections are opened on demand. */
function newPool(applicationName: string, { max, settings, isReadOnly = false }: PoolOptions): pg.Pool {
  const isPooled = config.DATABASE_SESSION_URL !== undefined;
  const waitMs = isPooled ? POOLER_WAIT_MS : POOL_WAIT_MS;
  const made = new ObservedPool({
    connectionString: config.DATABASE_URL,
    application_name: applicationName,
    keepAlive: true,
    max,
    connectionTimeoutMillis: waitMs,
    // Zero: never.
    idleTimeoutMillis: isPooled ? 0 : IDLE_MS,
    // For a server that hangs and does not enforce its own timeout.
    query_timeout: STATEMENT_TIMEOUT_MS + waitMs,
    ...(isPooled
      ? { Client: pooledClient(transactionSettings(settings, isReadOnly)) }
      : sessionOptions(settings, isReadOnly)),
  });
  // An `error` event without a listener would end the process; the pool replaces the connection.
  made.on('error', () => {});
  made.on('connect', (client) => {
    client.on('error', () => {});
    observeStatements(client);
  });
  return made;
}

/** Settings of a session, sent when it starts. */
const sessionOptions = (settings: readonly string[], isReadOnly: boolean): pg.ClientConfig => ({
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  options: [...settings, ...(isReadOnly ? ['default_transaction_read_only=on'] : [])]
    .map((setting) => `-c ${setting}`)
    .join(' '),
});

/** The same for each transaction, as SQL. Generic plans belong to statements with a name. */
function transactionSettings(settings: readonly string[], isReadOnly: boolean): string {
  const all = [
    ...settings.filter((setting) => setting !== GENERIC_PLANS),
    `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ...(isReadOnly ? ['transaction_read_only=on'] : []),
  ];
  return all.map((setting) => `SET LOCAL ${setting.replace('=', " = '")}'`).join('; ');
}

/** The pool of Prisma and of raw statements. Small, because an installation has many processes. */
export const pool = newPool('addons', { max: config.DATABASE_POOL, settings: WRITE_SETTINGS });

// The planner would read whole tables instead of the text indexes.
const SEARCH_SETTINGS = ['enable_seqscan=off', 'jit=off', 'max_parallel_workers_per_gather=0', 'work_mem=24MB'];

/** Read-only connections for searches, with planner settings of their own. */
export const searchPool = newPool('addons-search', {
  max: config.SEARCH_CONNECTIONS,
  settings: SEARCH_SETTINGS,
  isReadOnly: true,
});

/** Runs a statement of a search and returns its rows. */
export async function searchRows<Row extends pg.QueryResultRow>(
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await searchPool.query<Row>(sql, [...values])).rows;
}

/** One error for all refusals, because a stack trace takes a fifth of the processor time of each. */
const QUEUE_FULL = new UnavailableError(undefined, OVERLOAD_RETRY_S);

/** Searches that run or wait for a connection in this process. */
let searches = 0;

/** Whether fewer than SEARCH_QUEUE searches more than the pool has connections are under way. */
export const hasRoomInQueue = (): boolean => searches < config.SEARCH_CONNECTIONS + config.SEARCH_QUEUE;

/** @throws {UnavailableError} when the queue has no room. */
export function requireRoomInQueue(): void {
  if (!hasRoomInQueue()) throw QUEUE_FULL;
}

/**
 * Runs a search: planning and all of its statements.
 * @throws {UnavailableError} at once, before any of it, as `requireRoomInQueue` does.
 */
export async function withSearchSlot<Result>(search: () => Promise<Result>): Promise<Result> {
  requireRoomInQueue();
  searches += 1;
  try {
    return await search();
  } finally {
    searches -= 1;
  }
}

// The planner prefers custom plans for lists of keys; planning each time takes longer than execution.
const LOOKUP_SETTINGS = [GENERIC_PLANS, 'jit=off'];

/** Few, because look-ups of concurrent requests are batched into one statement. */
const MAX_LOOKUP_CONNECTIONS = 4;

/**
 * Read-only connections for look-ups by key, which use generic plans. Not for statements whose best plan depends on their
 * values, nor for reads that must see uncommitted writes of a transaction.
 */
export const lookupPool = newPool('addons-lookup', {
  max: Math.min(MAX_LOOKUP_CONNECTIONS, config.DATABASE_POOL),
  settings: LOOKUP_SETTINGS,
  isReadOnly: true,
});

/** A statement that each connection prepares once, under this name, unless it leads to a pooler. The function runs it and returns its rows. */
export function prepared<Row extends pg.QueryResultRow>(
  on: pg.Pool,
  name: string,
  text: string,
): (...values: unknown[]) => Promise<Row[]> {
  return async (...values) => (await on.query<Row>({ name, text, values })).rows;
}

/** Runs a statement that is built of parts; connections prepare each text once. Returns its rows. */
export async function preparedRows<Row extends pg.QueryResultRow>(on: pg.Pool, sql: Prisma.Sql): Promise<Row[]> {
  return (await on.query<Row>({ name: statementName(sql), text: sql.text, values: sql.values })).rows;
}

/** The class of errors of a connection, which a pooler reports as if it were the server. */
const CONNECTION_ERROR = /^08/;

/** Whether an error is from the server, which refused the statement: it had no effect. */
export const isRefusedStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !CONNECTION_ERROR.test(error.code ?? '');

const MAX_SESSIONS = 4;

/** Connections that keep their session: for LISTEN by the runner of jobs, and for short locks. */
export const sessionPool = new ObservedPool({
  ...sessionSettings('addons-session'),
  max: MAX_SESSIONS,
  connectionTimeoutMillis: POOL_WAIT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
});
sessionPool.on('error', () => {});
sessionPool.on('connect', (client) => client.on('error', () => {}));

/** All connection pools of this process. */
export const pools: readonly pg.Pool[] = [pool, searchPool, lookupPool, sessionPool];

/** Equal SQL gets an equal name, so each connection prepares a statement once. */
const statementName = (query: { sql: string }): string => createHash('sha1').update(query.sql).digest('base64url');

/** The Prisma client of this process. Connects on demand. */
export const db = new PrismaClient({
  adapter: new PrismaAdapter(pool, { statementNameGenerator: statementName }),
  transactionOptions: { maxWait: 5_000, timeout: 20_000 },
});

/**
 * A subquery of ids, for `IN`. For some hundreds of ids at most. The planner does not see their number, so it reuses the plan;
 * with `= ANY` and a short list it would plan each time.
 */
export const idRows = (ids: readonly number[]): Prisma.Sql =>
  Prisma.sql`(SELECT id::int FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS ids(id))`;

/** Sets the database of new connections. The embedded one is known only after its start. */
export function useDatabase(url: string): void {
  config.DATABASE_URL = url;
  for (const each of pools) each.options.connectionString = each === sessionPool ? sessionUrl() : url;
}

/** @throws when the database at `url` cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  const settings = { connectionString: url, connectionTimeoutMillis: POOL_WAIT_MS };
  await withClient(settings, (client) => client.query('SELECT'));
}

const sessions = new Set<pg.Client>();

/**
 * Opens a connection outside the pools for state bound to a session, such as an advisory lock. It emits `end` once it is
 * lost or closed.
 * @throws when the server cannot be reached within the time limit of the pools.
 */
export async function openDatabaseSession(applicationName: string, settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    ...sessionSettings(applicationName),
    ...settings,
    connectionTimeoutMillis: POOL_WAIT_MS,
  });
  // An `error` event without a listener would end the process; `end` follows it.
  client.on('error', () => {});
  await client.connect();
  sessions.add(client);
  client.once('end', () => sessions.delete(client));
  return client;
}

const closing = new AbortController();

/** Aborted by `closeDatabase`, so that lost sessions are not replaced. */
export const databaseClosed: AbortSignal = closing.signal;

/** Ends all connections of this process. */
export async function closeDatabase(): Promise<void> {
  closing.abort();
  await db.$disconnect();
  for (const each of pools) if (!each.ended) await each.end();
  for (const session of sessions) await session.end();
}
