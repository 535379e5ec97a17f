import { createSecretKey, randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { NotAuthenticatedError } from '../errors.ts';
import { type Message, message } from '../texts/messages.ts';
import { ACCESS_TOKEN_PREFIX } from './access-token.ts';
import { isApiKey } from './api-key.ts';

/** Maximum lifetime of a one-time token in seconds (contract, Limits). */
export const MAX_LIFETIME = 300;
/** Maximum time in seconds that a client's clock may be ahead. */
const CLOCK_TOLERANCE = 30;

/** Maximum length of a `jti` in UTF-16 code units. */
const MAX_NONCE_LENGTH = 128;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** In seconds, this is in the year 5138; in milliseconds, it is in 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

type Claims = Readonly<Record<string, unknown>>;

/** A decoded token. Its claims are unverified until `verifyJwt` returns true. */
interface ReadJwt {
  token: string;
  issuer: string;
  claims: Claims;
}

/** The claims of a verified token that is valid now. Times in seconds. */
interface ValidJwt {
  exp: number;
  /** The nonce, if the client sent one. */
  jti: string | null;
}

const undecodable = (reason: Message) => new NotAuthenticatedError(reason, 'ERROR_DECODING_SIGNATURE');

/** The error for a bad signature and for an unknown key, which clients cannot distinguish. */
export const badSignature = (): NotAuthenticatedError => undecodable(message('token.bad_signature'));

/** A part of a token as an object; null for anything else. A numeric `jti` becomes its text as it is written. */
function parseObject(part: string): Claims | null {
  if (!BASE64URL.test(part)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text, jtiAsText);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

/** A reviver of JSON. `source` is the text of a number, whose digits a number may not have. */
const jtiAsText = (key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  key === 'jti' && typeof value === 'number' ? (source ?? String(value)) : value;

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
  if (parts.length !== 3) throw undecodable(partsProblem(token, parts.length));
  const header = parseObject(parts[0] ?? '');
  if (header === null) throw undecodable(message('token.unreadable_header'));
  const claims = parseObject(parts[1] ?? '');
  if (claims === null) throw undecodable(message('token.unreadable_claims'));
  if (claim(header, 'alg') !== 'HS256') throw undecodable(message('token.wrong_algorithm'));
  if ('crit' in header) throw undecodable(message('token.critical_header'));
  const issuer = claim(claims, 'iss');
  if (issuer === undefined) throw undecodable(message('token.no_issuer'));
  if (typeof issuer !== 'string') {
    throw undecodable(message('token.claim_not_text', { claim: 'iss', type: typeOf(issuer) }));
  }
  return { token, issuer, claims };
}

function partsProblem(token: string, parts: number): Message {
  if (isApiKey(token)) return message('token.key_as_token');
  return token.startsWith(ACCESS_TOKEN_PREFIX)
    ? message('token.bearer_under_jwt')
    : message('token.not_three_parts', { parts });
}

/** What a text is that was sent as an access token and is none. */
export function notAccessToken(text: string): NotAuthenticatedError {
  if (isApiKey(text)) return undecodable(message('token.key_as_token'));
  if (text.startsWith(ACCESS_TOKEN_PREFIX)) return undecodable(message('token.bad_checksum'));
  if (text.split('.').length === 3) return undecodable(message('token.jwt_under_bearer'));
  return undecodable(message('token.not_access_token', { prefix: ACCESS_TOKEN_PREFIX }));
}

/** The JSON type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
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
    if (claim(claims, name) === undefined) throw undecodable(message('token.claim_missing', { claim: name }));
  }
  if (Object.hasOwn(claims, 'orig_iat')) throw undecodable(message('token.refreshable'));
}

/** A time in seconds; a fraction is cut. */
function seconds(claims: Claims, name: string): number {
  const value = claim(claims, name);
  if (typeof value !== 'number') {
    throw undecodable(message('token.claim_not_seconds', { claim: name, type: typeOf(value) }));
  }
  const whole = Math.trunc(value);
  if (!Number.isSafeInteger(whole)) throw undecodable(message('token.claim_out_of_range', { claim: name }));
  return whole;
}

/** The `jti` of a token; null when it is absent. @throws {NotAuthenticatedError} for one that no client can mean as a nonce. */
function nonceOf(claims: Claims): string | null {
  if (!Object.hasOwn(claims, 'jti')) return null;
  const { jti } = claims;
  if (typeof jti !== 'string') throw undecodable(message('token.nonce_not_text', { type: typeOf(jti) }));
  const { length } = jti;
  if (length < 1 || length > MAX_NONCE_LENGTH) {
    throw undecodable(message('token.nonce_length', { length, max: MAX_NONCE_LENGTH }));
  }
  if (/\p{Cc}/u.test(jti)) throw undecodable(message('token.nonce_control'));
  return jti;
}

/** A time as text: `2018-10-25T09:30:00Z`. */
export const isoTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/** Errors about time name the server's time and the difference. */
const clocks = (now: number, iat: number) => ({ time: isoTime(new Date(now * 1000)), skew: String(now - iat) });

/** Rules on claims that depend on the address. `maxLifetime` is in seconds. */
interface ClaimRules {
  isNonceRequired: boolean;
  maxLifetime: number;
}

/**
 * Checks the claims of a verified token (contract, Authentication: exp at most five minutes after
 * iat). `now` is in seconds. A client's clock may be 30 s ahead; an expired token gets no tolerance.
 * @throws {NotAuthenticatedError} with the documented text of the first violated rule.
 */
export function checkClaims({ claims }: ReadJwt, now: number, { isNonceRequired, maxLifetime }: ClaimRules): ValidJwt {
  const nonce = nonceOf(claims);
  requireClaims(claims, isNonceRequired ? ['exp', 'iat', 'jti'] : ['exp', 'iat']);
  const exp = seconds(claims, 'exp');
  const iat = seconds(claims, 'iat');
  if (exp <= iat) {
    throw new NotAuthenticatedError(message('token.exp_not_after_iat', { exp: String(exp), iat: String(iat) }));
  }
  if (iat >= FIRST_MILLISECONDS) {
    throw new NotAuthenticatedError(message('token.iat_in_milliseconds', { now: String(now) }));
  }
  if (iat > now + CLOCK_TOLERANCE) throw new NotAuthenticatedError(message('token.iat_ahead', clocks(now, iat)));
  const notBefore = claim(claims, 'nbf') === undefined ? now : seconds(claims, 'nbf');
  if (notBefore > now + CLOCK_TOLERANCE) {
    throw new NotAuthenticatedError(message('token.not_yet_valid', { nbf: String(notBefore), ...clocks(now, iat) }));
  }
  if (exp <= now) {
    throw new NotAuthenticatedError(message('token.expired', clocks(now, iat)), 'ERROR_SIGNATURE_EXPIRED');
  }
  if (exp >= FIRST_MILLISECONDS) {
    throw new NotAuthenticatedError(message('token.exp_in_milliseconds', { now: String(now) }));
  }
  if (exp - iat > maxLifetime) {
    const lifetime = String(exp - iat);
    throw new NotAuthenticatedError(message('token.exp_too_long', { lifetime, max: maxLifetime }));
  }
  return { exp, jti: nonce };
}

const LIFETIME_S = 300;

/** A token for one request, signed with an API key (contract, Authentication: HS256, at most five minutes, a new `jti` each time). */
export function newOneTimeToken({ key, secret }: { key: string; secret: string }): string {
  const iat = Math.floor(Date.now() / 1000);
  return jsonwebtoken.sign({ iss: key, iat, exp: iat + LIFETIME_S, jti: randomUUID() }, secret, { algorithm: 'HS256' });
}
