import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { db } from '../infra/db.ts';
import { CREDENTIAL_ACCOUNT, type CredentialAccount } from './credential-account.ts';

/** Default lifetime of an access token (contract, Authentication: 30 days). */
export const ACCESS_TOKEN_DAYS = 30;

/** How every access token begins. */
export const ACCESS_TOKEN_PREFIX = 'addons_token_';
const SHAPE = /^addons_token_([0-9a-f]{64})([0-9a-f]{8})$/;

const checksum = (body: string): string =>
  crc32(ACCESS_TOKEN_PREFIX + body)
    .toString(16)
    .padStart(8, '0');

/** A new token: a prefix for secret scanners, 256 random bits and a checksum. Only its hash is stored. */
export function newAccessToken(): string {
  const body = randomBytes(32).toString('hex');
  return ACCESS_TOKEN_PREFIX + body + checksum(body);
}

/** Whether a text has the form and checksum of a token. */
export function isAccessToken(text: string): boolean {
  const [, body = '', sum] = SHAPE.exec(text) ?? [];
  return sum !== undefined && checksum(body) === sum;
}

/** The stored form of a token: its SHA-256, which needs no salt for 256 random bits. */
export function hashAccessToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** An access token with its holder. */
interface FoundAccessToken extends CredentialAccount {
  id: number;
  created: Date;
  expires: Date;
  revokedAt: Date | null;
  lastUsed: Date | null;
}

/** Token, account and the rules of its groups, in one statement; null for a token that does not exist. */
export async function findAccessToken(token: string): Promise<FoundAccessToken | null> {
  const rows = await db.$queryRaw<FoundAccessToken[]>`
    SELECT t.id, t.created, t.expires, t.revoked_at AS "revokedAt", t.last_used AS "lastUsed",
      ${CREDENTIAL_ACCOUNT}
    FROM access_token t JOIN account a ON a.id = t.account_id
    WHERE t.hash = ${hashAccessToken(token)}`;
  return rows[0] ?? null;
}
