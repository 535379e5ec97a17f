import { config } from '../../config.ts';
import { ThrottledError } from '../../errors.ts';

const MEGABYTE = 1024 * 1024;
/** `Retry-After` of an account whose open bodies use up its quota. */
const RETRY_S = 10;

/** Bytes that the open request bodies of each account may write to staging through this process. */
const reserved = new Map<number, number>();

/**
 * Reserves room for a request body of at most `bytes` before any of it is read. Returns the function that releases it.
 * @throws {ThrottledError} when open bodies of the account would exceed STAGING_ACCOUNT_MB.
 */
export function reserveUpload(accountId: number, bytes: number): () => void {
  const total = (reserved.get(accountId) ?? 0) + bytes;
  if (total > config.STAGING_ACCOUNT_MB * MEGABYTE) throw new ThrottledError(RETRY_S);
  reserved.set(accountId, total);
  return () => {
    const rest = (reserved.get(accountId) ?? 0) - bytes;
    if (rest > 0) reserved.set(accountId, rest);
    else reserved.delete(accountId);
  };
}
