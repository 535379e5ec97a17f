/* Classification of errors of PostgreSQL, its connections and Prisma: outages, lost races and values that cannot be stored. */
import { InvalidInputError, ServiceError, UnavailableError } from '../errors.ts';

const OUTAGE_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...[
    '53300',
    '53400',
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '08000',
    '08003',
    '08006',
    '40001',
    '40P01',
  ],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
]);
const OUTAGE_TEXT =
  /Connection terminated|Query read timeout|connection timeout|timeout exceeded when trying to connect|Can't reach database|server closed the connection|Client has encountered a connection error|not queryable|Unable to start a transaction/i;
const OUTAGE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

interface Links {
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** Whether an error or one of its causes is an outage: unreachable, shutting down, out of connections, too slow. */
export function isDatabaseOutage(error: unknown): boolean {
  return someLink(
    error,
    ({ code, originalCode, kind, message }) =>
      OUTAGE_CODES.has(String(code)) ||
      OUTAGE_CODES.has(String(originalCode)) ||
      OUTAGE_KINDS.has(String(kind)) ||
      OUTAGE_TEXT.test(String(message)),
  );
}

const CONNECTION_CODES = [
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  'P1001',
  'P1017',
  'ECONNRESET',
  'ECONNREFUSED',
];
const CONNECTION_TEXT = /Connection terminated|Can't reach database|server closed the connection|not queryable/i;

/** Whether the connection was lost or refused, so that a retry on another connection may succeed. */
export function isConnectionLoss(error: unknown): boolean {
  return someLink(
    error,
    ({ code, originalCode, message }) =>
      CONNECTION_CODES.some((each) => each === code || each === originalCode) || CONNECTION_TEXT.test(String(message)),
  );
}

/** Whether an error or one of its causes matches. */
function someLink(error: unknown, matches: (link: Links) => boolean): boolean {
  let link = error as Links | null | undefined;
  for (let depth = 0; link != null && typeof link === 'object' && depth < 8; depth++) {
    if (matches(link)) return true;
    link = (link.cause ?? link.meta?.driverAdapterError) as Links | undefined;
  }
  return false;
}

/** Characters that PostgreSQL cannot store in text: NUL and lone surrogates. The statement has no effect. */
const UNSTORABLE_CODES = ['22021', '22P05'];

function isUnstorableText(error: unknown): boolean {
  return someLink(error, ({ code, originalCode }) =>
    UNSTORABLE_CODES.some((each) => each === code || each === originalCode),
  );
}

/** Maps an outage to `UnavailableError` (503) and text that cannot be stored to `InvalidInputError` (400). */
export function explainDatabaseError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (isUnstorableText(error)) return new InvalidInputError('Null characters are not allowed.');
  return isDatabaseOutage(error) ? new UnavailableError() : error;
}

/** Unique violations, serialization failures and deadlocks: codes of Prisma and PostgreSQL. */
const LOST_RACES = new Set<unknown>(['P2002', 'P2034', 'TransactionWriteConflict', '23505', '40001', '40P01']);
const ATTEMPTS = 3;

function isLostRace(error: unknown): boolean {
  return someLink(error, ({ code, originalCode, kind }) =>
    [code, originalCode, kind].some((known) => LOST_RACES.has(known)),
  );
}

/** Runs a transaction, and retries it up to twice after a conflict with a concurrent one. Throws the last error. */
export async function againAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isLostRace(error) || attempt === ATTEMPTS) throw error;
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
