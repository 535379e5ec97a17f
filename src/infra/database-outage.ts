import { UnavailableError } from '../errors.ts';

/*
 * What PostgreSQL, the connection to it and Prisma say when the database is out of order rather than the statement wrong:
 * not reachable, shutting down, out of connections, too slow.
 */
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

/** Whether an error, or what caused it, says that the database is out of order for now. */
export function isDatabaseOutage(error: unknown): boolean {
  let link = error as Links | null | undefined;
  for (let depth = 0; link != null && typeof link === 'object' && depth < 8; depth++) {
    if (OUTAGE_CODES.has(String(link.code)) || OUTAGE_CODES.has(String(link.originalCode))) return true;
    if (OUTAGE_KINDS.has(String(link.kind)) || OUTAGE_TEXT.test(String(link.message))) return true;
    link = (link.cause ?? link.meta?.driverAdapterError) as Links | undefined;
  }
  return false;
}

/** An outage as the refusal that callers understand (503: try again), any other error as it is. */
export function explainOutage(error: unknown): unknown {
  return isDatabaseOutage(error) ? new UnavailableError() : error;
}

/** Runs `work`, turning an outage of the database into {@link UnavailableError}. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainOutage(error);
  }
}
