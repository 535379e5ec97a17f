import { randomBytes } from 'node:crypto';
import { db } from '../infra/db.ts';
import { CREDENTIAL_ACCOUNT, type CredentialAccount } from './credential-account.ts';

/** Signs one-time tokens: the public key is the `iss` claim, the secret is the HMAC key. */
interface ApiKeyPair {
  key: string;
  secret: string;
}

const SHAPE = /^addons_(?:key|upload)_[0-9a-f]{32}$/;

/**
 * A new pair: 128 random bits of key and 256 of secret, with prefixes for secret scanners. Keys that only upload versions of one add-on
 * have a prefix of their own, which release 0.1.0 does not accept.
 */
export function newApiKeyPair(isForUploads = false): ApiKeyPair {
  return {
    key: `addons_${isForUploads ? 'upload' : 'key'}_${randomBytes(16).toString('hex')}`,
    secret: `addons_secret_${randomBytes(32).toString('hex')}`,
  };
}

/** Whether a text has the form of a key; others reach neither the database nor a limiter. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text);
}

/** An API key with its holder. */
interface FoundApiKey extends CredentialAccount {
  id: number;
  sealedSecret: Uint8Array;
  expires: Date | null;
  revokedAt: Date | null;
  lastUsed: Date | null;
  /** The add-on of which it only uploads versions; null for other keys. */
  addonId: number | null;
}

/** Key, account and the rules of its groups, in one statement; null for a key that does not exist. */
export async function findApiKey(key: string): Promise<FoundApiKey | null> {
  const rows = await db.$queryRaw<FoundApiKey[]>`
    SELECT k.id, k.sealed_secret AS "sealedSecret", k.expires, k.revoked_at AS "revokedAt", k.last_used AS "lastUsed", k.addon_id AS "addonId",
      ${CREDENTIAL_ACCOUNT}
    FROM api_key k JOIN account a ON a.id = k.account_id
    WHERE k.key = ${key}`;
  return rows[0] ?? null;
}
