/* ID tokens of jobs of continuous integration (OpenID Connect), which trusted publishers exchange for keys. */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { config } from '../config.ts';
import { NotAuthenticatedError, UnavailableError } from '../errors.ts';
import { log } from '../infra/log.ts';
import { message } from '../texts/messages.ts';
import { fetchBounded } from './provider-requests.ts';

/** Signature algorithms of ID tokens. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** Limit of one request to an issuer, and how long its address of keys and its keys are kept. */
const TIMEOUT_MS = 5_000;
const KEPT_MS = 600_000;
/** The time between two requests for the keys of an issuer, which tokens with unknown keys cause. */
const COOLDOWN_MS = 60_000;
const CLOCK_TOLERANCE_S = 5;
/** Those of GitLab last as long as their job may, by default an hour; others some minutes. The nonce is remembered as long. */
const MAX_LIFETIME_S = 86_400;

/** A verified token. `exp` is in seconds. */
export interface PublisherToken {
  token: string;
  issuer: string;
  subject: string;
  audiences: readonly string[];
  jti: string;
  exp: number;
  claims: Readonly<Record<string, unknown>>;
}

const invalid = (reason: string) => new NotAuthenticatedError(message('publisher.invalid_token', { reason }));

/** The issuer that a token names, before it is verified. @throws {NotAuthenticatedError} for another issuer than those of the settings. */
export function issuerOfToken(token: string): string {
  const { iss } = decoded(token);
  if (iss === undefined || !config.PUBLISHING_ISSUERS.includes(iss)) {
    throw new NotAuthenticatedError(message('publisher.unknown_issuer', { issuer: String(iss).slice(0, 200) }));
  }
  return iss;
}

function decoded(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw invalid('It is no JSON Web Token.');
  }
}

const Claims = z.object({
  sub: z.string().min(1).max(1_000),
  jti: z.string().min(1).max(200),
  aud: z.union([z.string(), z.array(z.string())]),
  iat: z.number(),
  exp: z.number(),
});

/**
 * Verifies a token with the keys of its issuer: signature, `iss`, `aud`, `exp`, `nbf`, and that it has `sub`, `jti` and `iat`.
 * @throws {NotAuthenticatedError} for an invalid token, {UnavailableError} when the keys of the issuer cannot be read.
 */
export async function verifyPublisherToken(
  token: string,
  { issuer, audiences }: { issuer: string; audiences: string[] },
): Promise<PublisherToken> {
  const keys = await keysOf(issuer);
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: audiences,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['sub', 'jti', 'iat', 'exp', 'aud'],
  }).catch((error: unknown) => {
    throw refusalOf(error, issuer);
  });
  const { data, error } = Claims.safeParse(payload);
  if (error !== undefined) throw invalid('A claim has the wrong type.');
  if (data.exp - data.iat > MAX_LIFETIME_S) throw invalid(`It lasts more than ${MAX_LIFETIME_S} s.`);
  const { sub: subject, jti, exp, aud } = data;
  return { token, issuer, subject, jti, exp, audiences: Array.isArray(aud) ? aud : [aud], claims: payload };
}

/** What is wrong with the token, or that the issuer has not sent its keys. */
function refusalOf(error: unknown, issuer: string): Error {
  const isToken =
    error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid);
  // Of a response that is no success, the library says this alone.
  if (isToken && error.code !== 'ERR_JOSE_GENERIC') return invalid(error.message);
  log.warn({ err: error, issuer }, 'The keys of a trusted publisher cannot be read.');
  return unavailable();
}

const unavailable = () => new UnavailableError(message('publisher.issuer_unavailable'));

type Keys = ReturnType<typeof createRemoteJWKSet>;

const known = new Map<string, { keys: Promise<Keys>; readAt: number }>();

/** The keys of an issuer of the settings. Where they are is read again after some minutes, and after failures. */
function keysOf(issuer: string): Promise<Keys> {
  const kept = known.get(issuer);
  if (kept !== undefined && performance.now() - kept.readAt < KEPT_MS) return kept.keys;
  const read = { keys: readKeys(issuer), readAt: performance.now() };
  known.set(issuer, read);
  read.keys.catch(() => {
    if (known.get(issuer) === read) known.delete(issuer);
  });
  return read.keys;
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Only operators name issuers, and their keys must be at the same origin: no token and no document makes the service send requests elsewhere. */
async function readKeys(issuer: string): Promise<Keys> {
  try {
    const response = await fetchBounded(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const found = Discovery.parse(await response.json());
    const url = new URL(found.jwks_uri);
    if (found.issuer !== issuer) throw new Error('its document names another issuer');
    if (url.origin !== new URL(issuer).origin) throw new Error('its keys are at another origin');
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEPT_MS,
      [customFetch]: fetchBounded,
    });
  } catch (error) {
    log.warn({ err: error, issuer }, 'The document of a trusted issuer cannot be read.');
    throw unavailable();
  }
}
