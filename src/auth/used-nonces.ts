import { createHash } from 'node:crypto';
import { db } from '../infra/db.ts';

/**
 * What a one-time token may do. `required`: it has a nonce, which is used once. `optional`: it may lack the nonce, as the
 * tokens of stock signing clients do. `repeatable`: in addition, the same token may return for ten seconds.
 * `repeatable-after-v5`: likewise, if its first use was under `repeatable`.
 */
export type JtiRule = 'required' | 'optional' | 'repeatable' | 'repeatable-after-v5';

/** Nonces are kept slightly longer than their tokens are valid, so that cleanup cannot allow a replay. */
const MARGIN_SECONDS = 60;

/** For how long after its first use a token may return where that is allowed. */
const REPEAT_SECONDS = 10;

/** A verified token with a nonce. `exp` is in seconds. */
interface NoncedToken {
  token: string;
  issuer: string;
  jti: string;
  exp: number;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Records the nonce of a one-time token as used for all processes, durably: on return the row is on disk. Stores hashes only.
 * Returns false when it was used before (contract, Authentication: the token cannot be reused) and `rule` does not let this
 * token return.
 */
export async function consumeNonce({ token, issuer, jti, exp }: NoncedToken, rule: JtiRule): Promise<boolean> {
  const nonce = digestOf(jti);
  const tokenDigest = digestOf(token);
  const inserted = await db.$executeRaw`
    INSERT INTO spent_token (issuer, jti, expires, token_sha256, is_repeatable)
    VALUES (${issuer}, ${nonce}, to_timestamp(${exp + MARGIN_SECONDS}::float8), ${tokenDigest}, ${rule === 'repeatable'})
    ON CONFLICT DO NOTHING`;
  if (inserted === 1) return true;
  if (rule !== 'repeatable' && rule !== 'repeatable-after-v5') return false;
  const repeats = await db.$queryRaw<unknown[]>`
    SELECT FROM spent_token
    WHERE issuer = ${issuer} AND jti = ${nonce} AND token_sha256 = ${tokenDigest}
      AND (is_repeatable OR ${rule === 'repeatable'})
      AND first_used > clock_timestamp() - make_interval(secs => ${REPEAT_SECONDS})`;
  return repeats.length === 1;
}

/** Removes the nonces of tokens that have expired by the database's clock. Returns how many. */
export async function purgeUsedNonces(): Promise<number> {
  return db.$executeRaw`DELETE FROM spent_token WHERE expires < clock_timestamp()`;
}
