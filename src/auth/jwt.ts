import { createSecretKey } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { NotAuthenticatedError, type TokenProblem } from '../errors.ts';

/** A one-time token may live this long, in seconds (contract, Limits). */
const MAX_LIFETIME = 300;
/** How far ahead of ours a client's clock may be, in seconds. */
const CLOCK_TOLERANCE = 30;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const WRONG_TYPE = 'Wrong type for one or more keys in payload';

type Claims = Readonly<Record<string, unknown>>;

/** A token that has been taken apart and nothing more: what it says is unproven until `verifyJwt` has returned true. */
export interface ReadJwt {
  token: string;
  issuer: string;
  claims: Claims;
}

/** The claims of a proven token that is valid now. Times in seconds. */
export interface ValidJwt {
  exp: number;
  /** The nonce, if the client sent one. */
  jti: string | null;
}

function undecodable(message = 'Error decoding signature.'): NotAuthenticatedError {
  return new NotAuthenticatedError(message, 'ERROR_DECODING_SIGNATURE');
}

/** The answer to a token whose signature does not hold, and to one of an unknown key: nobody can tell which. */
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
 * Takes a compact JWS (RFC 7515) apart and says whose it claims to be, before anything is proven. Headers that change
 * what a signature means (`crit`, RFC 7515 section 4.1.11) are refused, as none is understood.
 * @throws {NotAuthenticatedError} for anything that is no token of the documented form, and one without issuer.
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
    // Times are judged by `checkClaims`, by the database's clock.
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

/** Time errors say what this service's clock shows, and how far the token's is behind it. */
function outOfTime(text: string, now: number, iat: number, problem?: TokenProblem): NotAuthenticatedError {
  const serverTime = `${new Date(now * 1000).toISOString().slice(0, 19)}Z`;
  return new NotAuthenticatedError(`${text} Server time is ${serverTime}, skew ${now - iat} s.`, problem);
}

/**
 * Holds a proven token's claims against the rules and the clock (contract, Authentication: exp at most five minutes after
 * iat). `now` is in seconds. A client's clock may be 30 s ahead; an expired token gets no tolerance.
 * @throws {NotAuthenticatedError} with the documented text for the first rule that is broken.
 */
export function checkClaims({ claims }: ReadJwt, now: number, jti: 'optional' | 'required'): ValidJwt {
  requireClaims(claims, jti === 'required' ? ['exp', 'iat', 'jti'] : ['exp', 'iat']);
  const exp = seconds(claims, 'exp');
  const iat = seconds(claims, 'iat');
  const nonce = claim(claims, 'jti') ?? null;
  if (nonce !== null && typeof nonce !== 'string') throw undecodable(WRONG_TYPE);
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
