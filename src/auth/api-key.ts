import { randomBytes } from 'node:crypto';
import { db } from '../infra/db.ts';
import { CREDENTIAL_ACCOUNT, type CredentialAccount } from './credential-account.ts';

/** Signs one-time tokens: the public key is the `iss` claim, the secret is the HMAC key. */
interface ApiKeyPair {
  key: string;
  secret: string;
}

const SHAPE = /^addons_key_[0-9a-f]{32}$/;

/** A new pair: 128 random bits of key and 256 of secret, with prefixes for secret scanners. */
export function newApiKeyPair(): ApiKeyPair {
  return {
    key: `addons_key_${randomBytes(16).toString('hex')}`,
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
}

/** Key, account and the rules of its groups, in one statement; null for a key that does not exist. */
export async function findApiKey(key: string): Promise<FoundApiKey | null> {
  const rows = await db.$queryRaw<FoundApiKey[]>`
    SELECT k.id, k.sealed_secret AS "sealedSecret", k.expires, k.revoked_at AS "revokedAt", k.last_used AS "lastUsed",
      ${CREDENTIAL_ACCOUNT}
    FROM api_key k JOIN account a ON a.id = k.account_id
    WHERE k.key = ${key}`;
  return rows[0] ?? null;
}
