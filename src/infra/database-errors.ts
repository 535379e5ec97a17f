/* Classification of errors of PostgreSQL, its connections and Prisma: outages, lost races and values that cannot be stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInputError, NotFoundError, ServiceError, UnavailableError } from '../errors.ts';
import { message } from '../texts/messages.ts';

const codes = (text: string): ReadonlySet<unknown> => new Set(text.split(' '));

const LOST_CODES = codes('57P01 57P02 57P03 08000 08003 08006 P1001 P1017 ECONNRESET ECONNREFUSED');
const LOST_TEXT = /Connection terminated|Can't reach database|server closed the connection|not queryable/i;

const OTHER_OUTAGE_CODES = codes(
  'EPIPE ETIMEDOUT ENOENT ENOTFOUND EHOSTUNREACH 53300 53400 55P03 57014 57P05 40001 40P01 P1002 P1008 P2024 P2028 P2034 P2037 ' +
    'DatabaseNotReachable ConnectionClosed SocketTimeout TooManyConnections TransactionWriteConflict',
);
const OTHER_OUTAGE_TEXT =
  /Query read timeout|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Unable to start a transaction/i;

/** Unique violations, serialization failures and deadlocks. */
const LOST_RACES = codes('P2002 P2034 TransactionWriteConflict 23505 40001 40P01');

/** Characters that PostgreSQL cannot store in text: NUL and lone surrogates. The statement has no effect. */
const UNSTORABLE_TEXT = codes('22021 22P05');

/** A row that a concurrent request has deleted since this request found it. */
const DELETED_ROW = codes('P2025');

/** What a pooler reports when it has no connection to the server, or drops one. Of severity ERROR it is a fault of a statement. */
const LOST_BY_POOLER = '08P01';
/** No lock within `lock_timeout`. */
const NO_LOCK = codes('55P03');

interface Links {
  code?: unknown;
  severity?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  originalMessage?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** An error and its causes, the error first. */
function chainOf(error: unknown): Links[] {
  const chain: Links[] = [];
  let link = error as Links | null | undefined;
  while (link != null && typeof link === 'object' && chain.length < 8) {
    chain.push(link);
    link = (link.cause ?? link.meta?.driverAdapterError) as Links | undefined;
  }
  return chain;
}

/** Whether an error or one of its causes has one of these codes, or such a message. */
function isOneOf(error: unknown, known: ReadonlySet<unknown>, text?: RegExp): boolean {
  return chainOf(error).some(
    (link) =>
      [link.code, link.originalCode, link.kind].some((code) => known.has(code)) || text?.test(String(link.message)),
  );
}

/** Whether the connection was lost or refused, so that a retry on another connection may succeed. */
export function isConnectionLoss(error: unknown): boolean {
  return isOneOf(error, LOST_CODES, LOST_TEXT);
}

/** Whether a statement did not get a lock within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => isOneOf(error, NO_LOCK);

/** Whether an error or one of its causes is an outage: unreachable, shutting down, out of connections, too slow. */
export function isDatabaseOutage(error: unknown): boolean {
  return (
    isConnectionLoss(error) ||
    isOneOf(error, OTHER_OUTAGE_CODES, OTHER_OUTAGE_TEXT) ||
    chainOf(error).some(({ code, severity }) => code === LOST_BY_POOLER && severity === 'FATAL')
  );
}

/** What PostgreSQL reported, of an outage that Prisma describes by the call that failed; null for another error. */
export function outageReason(error: unknown): string | null {
  const reason = chainOf(error).find(({ originalMessage }) => originalMessage !== undefined)?.originalMessage;
  return reason !== undefined && isDatabaseOutage(error) ? String(reason) : null;
}

/** Maps an outage to `UnavailableError` (503), unstorable text to `InvalidInputError` (400) and a deleted row to `NotFoundError` (404). */
export function explainDatabaseError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (isOneOf(error, UNSTORABLE_TEXT)) return new InvalidInputError(message('field.nul_characters'));
  if (isOneOf(error, DELETED_ROW)) return new NotFoundError();
  return isDatabaseOutage(error) ? new UnavailableError() : error;
}

const ATTEMPTS = 3;
const LOCK_ATTEMPTS = 20;
const LOCK_PAUSE_MS = 1_000;

/** Runs a transaction, and retries it up to twice after a conflict with a concurrent one. Throws the last error. */
export async function retryAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isOneOf(error, LOST_RACES) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** How work that needs a lock is repeated; the pause in milliseconds. */
export interface LockRetries {
  pauseMs?: number;
  attempts?: number;
}

/**
 * Runs `work`, and repeats it after a pause when it gets no lock within its `lock_timeout`, up to 20 times by default: between two attempts,
 * requests that queued behind it go on. Throws the last error.
 */
export async function retryForLock<T>(
  work: () => Promise<T>,
  { pauseMs = LOCK_PAUSE_MS, attempts = LOCK_ATTEMPTS }: LockRetries = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || attempt >= attempts) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Runs `work` and maps its errors with {@link explainDatabaseError}. */
export async function withDatabaseErrorsExplained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainDatabaseError(error);
  }
}
