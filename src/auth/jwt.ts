import { createSecretKey } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { NotAuthenticatedError, type TokenProblem } from '../errors.ts';

/** Maximum lifetime of a one-time token in seconds (contract, Limits). */
const MAX_LIFETIME = 300;
/** Maximum time in seconds that a client's clock may be ahead. */
const CLOCK_TOLERANCE = 30;

/** Maximum length of a `jti` in UTF-16 code units. */
const MAX_NONCE_LENGTH = 128;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const WRONG_TYPE = 'Wrong type for one or more keys in payload';

type Claims = Readonly<Record<string, unknown>>;

/** A decoded token. Its claims are unverified until `verifyJwt` returns true. */
export interface ReadJwt {
  token: string;
  issuer: string;
  claims: Claims;
}

/** The claims of a verified token that is valid now. Times in seconds. */
export interface ValidJwt {
  exp: number;
  /** The nonce, if the client sent one. */
  jti: string | null;
}

function undecodable(message = 'Error decoding signature.'): NotAuthenticatedError {
  return new NotAuthenticatedError(message, 'ERROR_DECODING_SIGNATURE');
}

/** The error for a bad signature and for an unknown key, which clients cannot distinguish. */
export const badSignature = (): NotAuthenticatedError => undecodable();

function parseObject(part: string): Claims | null {
  if (!BASE64URL.test(part)) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

/** A claim's own value; null counts as absent. */
function claim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? (claims[name] ?? undefined) : undefined;
}

/**
 * Decodes a compact JWS (RFC 7515) without verifying it. Headers that change
 * the meaning of a signature (`crit`, RFC 7515 section 4.1.11) are refused, as none is supported.
 * @throws {NotAuthenticatedError} for malformed tokens and tokens without issuer.
 */
export function readJwt(token: string): ReadJwt {
  const parts = token.split('.');
  const header = parseObject(parts[0] ?? '');
  const claims = parseObject(parts[1] ?? '');
  if (parts.length !== 3 || header === null || claims === null) throw undecodable();
  if (claim(header, 'alg') !== 'HS256' || 'crit' in header) throw undecodable();
  const issuer = claim(claims, 'iss');
  if (issuer === undefined) throw undecodable('JWT iss (issuer) claim is missing.');
  if (typeof issuer !== 'string') throw undecodable(WRONG_TYPE);
  return { token, issuer, claims };
}

/** Whether the token is signed with this secret: HMAC-SHA256 and nothing else, whatever its header says. */
export function verifyJwt({ token }: ReadJwt, secret: string): boolean {
  try {
    // `checkClaims` checks times by the database's clock.
    const options = { algorithms: ['HS256' as const], ignoreExpiration: true, ignoreNotBefore: true };
    jsonwebtoken.verify(token, createSecretKey(secret, 'utf8'), options);
    return true;
  } catch {
    return false;
  }
}

function requireClaims(claims: Claims, names: readonly string[]): void {
  for (const name of names) {
    if (claim(claims, name) === undefined) throw undecodable(`Invalid JWT: Token is missing the "${name}" claim.`);
  }
  if (Object.hasOwn(claims, 'orig_iat')) {
    throw undecodable("API key based tokens are not refreshable, don't include `orig_iat` in their payload.");
  }
}

function seconds(claims: Claims, name: string): number {
  const value = claim(claims, name);
  if (!Number.isSafeInteger(value)) throw undecodable(WRONG_TYPE);
  return value as number;
}

/** The `jti` of a token; null when it is absent. @throws {NotAuthenticatedError} for one that no client can mean as a nonce. */
function nonceOf(claims: Claims): string | null {
  if (!Object.hasOwn(claims, 'jti')) return null;
  const { jti } = claims;
  const isNonce = typeof jti === 'string' && jti.length >= 1 && jti.length <= MAX_NONCE_LENGTH && !/\p{Cc}/u.test(jti);
  if (!isNonce) throw undecodable('Invalid JWT: "jti" is not a nonce.');
  return jti;
}

/** Errors about time name the server's time and the difference. */
function outOfTime(text: string, now: number, iat: number, problem?: TokenProblem): NotAuthenticatedError {
  const serverTime = `${new Date(now * 1000).toISOString().slice(0, 19)}Z`;
  return new NotAuthenticatedError(`${text} Server time is ${serverTime}, skew ${now - iat} s.`, problem);
}

/**
 * Checks the claims of a verified token (contract, Authentication: exp at most five minutes after
 * iat). `now` is in seconds. A client's clock may be 30 s ahead; an expired token gets no tolerance.
 * @throws {NotAuthenticatedError} with the documented text of the first violated rule.
 */
export function checkClaims({ claims }: ReadJwt, now: number, jti: 'optional' | 'required'): ValidJwt {
  const nonce = nonceOf(claims);
  requireClaims(claims, jti === 'required' ? ['exp', 'iat', 'jti'] : ['exp', 'iat']);
  const exp = seconds(claims, 'exp');
  const iat = seconds(claims, 'iat');
  if (exp <= iat) throw new NotAuthenticatedError('JWT exp (expiration) is not after iat.');
  if (iat > now + CLOCK_TOLERANCE) {
    const advice = 'Make sure your system clock is synchronized with something like TLSdate.';
    throw outOfTime(`JWT iat (issued at time) is invalid. ${advice}`, now, iat);
  }
  if (claim(claims, 'nbf') !== undefined && seconds(claims, 'nbf') > now + CLOCK_TOLERANCE) {
    throw outOfTime('Invalid JWT Token.', now, iat);
  }
  if (exp <= now) throw outOfTime('Signature has expired.', now, iat, 'ERROR_SIGNATURE_EXPIRED');
  if (exp - iat > MAX_LIFETIME) throw new NotAuthenticatedError('JWT exp (expiration) is too long.');
  return { exp, jti: nonce };
}
