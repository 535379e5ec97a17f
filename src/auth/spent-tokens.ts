import { createHash } from 'node:crypto';
import { db } from '../infra/db.ts';

/** Nonces are kept slightly longer than their tokens are valid, so that cleanup cannot allow a replay. */
const MARGIN_SECONDS = 60;

/**
 * Spends the nonce of a one-time token for all processes, durably: on return the row is on disk.
 * Stores the hash, as a nonce has any length and characters. `exp` is in seconds.
 * Returns false when it was spent before (contract, Authentication: the token cannot be reused).
 */
export async function spendToken(issuer: string, jti: string, exp: number): Promise<boolean> {
  const digest = createHash('sha256').update(jti).digest('base64url');
  const inserted = await db.$executeRaw`
    INSERT INTO spent_token (issuer, jti, expires)
    VALUES (${issuer}, ${digest}, to_timestamp(${exp + MARGIN_SECONDS}::float8))
    ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

/** Removes the nonces of tokens that have expired by the database's clock. Returns how many. */
export async function purgeSpentTokens(): Promise<number> {
  return db.$executeRaw`DELETE FROM spent_token WHERE expires < clock_timestamp()`;
}
