import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

const secretOf = (session: string): Buffer => createHmac('sha256', session).update('csrf').digest();

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/**
 * The token of a session's forms: an HMAC of the session cookie under a new mask, so that no two responses contain the same bytes
 * and compression reveals nothing of it (BREACH).
 */
export function csrfToken(session: string): string {
  const mask = randomBytes(BYTES);
  return Buffer.concat([mask, xor(secretOf(session), mask)]).toString('base64url');
}

/** Whether a token is one of this session. */
export function isCsrfToken(token: string, session: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES)), secretOf(session));
}
