import { createHmac, randomUUID } from 'node:crypto';

/** A valid API key with its secret, and the time at which tokens are created. */
export interface TokenMaker {
  key: string;
  secret: string;
  /** Seconds since 1970. */
  now: number;
}

/** Text or bytes in base64url. */
export const encode = (value: string | Buffer): string => Buffer.from(value as string).toString('base64url');
/** A value as JSON in base64url. */
export const json = (value: unknown): string => encode(JSON.stringify(value));

/** A JWS of any two parts, valid or not, signed with HMAC. */
export function signParts(header: string, payload: string, secret: string, algorithm = 'sha256'): string {
  return `${header}.${payload}.${createHmac(algorithm, secret).update(`${header}.${payload}`).digest('base64url')}`;
}

/** The header of every valid token. */
export const HEADER = json({ alg: 'HS256', typ: 'JWT' });

/** A valid token with `changes` to its claims; undefined removes a claim. */
export function makeToken({ key, secret, now }: TokenMaker, changes: Record<string, unknown> = {}): string {
  return signParts(HEADER, json({ iss: key, jti: randomUUID(), iat: now, exp: now + 60, ...changes }), secret);
}
