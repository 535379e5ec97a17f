import { setImmediate, setTimeout } from 'node:timers/promises';
import { config } from '../config.ts';
import { NotAuthenticatedError, NotPermittedError } from '../errors.ts';
import { log } from '../infra/log.ts';
import { countFailedSignIn } from '../infra/rate-limits.ts';
import { message } from '../texts/messages.ts';
import { findAccessToken, isAccessToken } from './access-token.ts';
import { findApiKey, isApiKey, newApiKeyPair } from './api-key.ts';
import { badSignature, checkClaims, isoTime, MAX_LIFETIME, notAccessToken, readJwt, verifyJwt } from './jwt.ts';
import { recordLastUsed } from './record-last-used.ts';
import { openSecret, sealSecret, UnopenableSecretError } from './secret-box.ts';
import { consumeNonce, type JtiRule } from './used-nonces.ts';
import { ANONYMOUS, type SignedIn, type Viewer } from './viewer.ts';

/** The parts of a request that authentication reads. */
export interface Credentials {
  /** The Authorization header as received. */
  authorization: string | undefined;
  ip: string | null;
  jti: JtiRule;
  /** Whether API keys are accepted that only upload versions of one add-on. The caller checks that the request is about this add-on. */
  acceptsUploadKeys?: boolean;
}

/** Clients that read the clock once for `iat` and once for `exp` make tokens of a second more; v5 accepts them. */
const CLOCK_READINGS = 1;

/** Minimum duration of a refusal for a bad signature, so that timing does not reveal whether the key exists. */
const REFUSAL_MS = 10;

/** Dummy secret for tokens of unknown keys, so that both checks cost the same. */
let decoy: Uint8Array | undefined;

/**
 * Turns the Authorization header into the viewer (contract, Authentication): one-time tokens of API keys as `JWT`, access
 * tokens as `Bearer`, case-insensitively. No header, or another scheme, is anonymous. One statement, and one more to spend
 * a nonce. `now` (seconds) replaces the database's clock in tests.
 *
 * Only failures count towards a limit, after the credential is verified: a valid one is never refused for the failures of others at
 * its address. Once an address is over the limit, a refusal writes nothing, so that it costs the look-up alone.
 * @throws {NotAuthenticatedError} for invalid credentials, {NotPermittedError} for an API key that is not accepted for this request.
 * @throws {ThrottledError} for invalid credentials after too many failures from one address or with one key.
 */
export async function authenticate(credentials: Credentials, now?: number): Promise<Viewer> {
  const [scheme = '', ...rest] = (credentials.authorization ?? '').split(/[ \t]+/).filter((word) => word !== '');
  const check = SCHEMES.get(scheme.toLowerCase());
  if (check === undefined) return anonymousWith(scheme);
  const attempt: Attempt = { credentials, now, issuer: null };
  try {
    return await check(onlyToken(rest), attempt);
  } catch (error) {
    if (error instanceof NotAuthenticatedError) await countFailedSignIn(credentials.ip, attempt.issuer);
    throw error;
  }
}

/** A client without credentials of a scheme that is read. A long word is a token, which is not repeated in the message. */
function anonymousWith(scheme: string): Viewer {
  if (scheme === '') return ANONYMOUS;
  const isScheme = /^[A-Za-z][A-Za-z0-9-]{0,19}$/.test(scheme);
  const problem = isScheme ? message('token.unknown_scheme', { scheme }) : message('token.no_scheme');
  return { ...ANONYMOUS, problem };
}

interface Attempt {
  credentials: Credentials;
  now: number | undefined;
  /** The API key that the token names. */
  issuer: string | null;
}

const SCHEMES = new Map([
  ['jwt', checkJwt],
  ['bearer', checkBearer],
]);

function onlyToken(words: string[]): string {
  const [token, ...more] = words;
  if (token === undefined) throw new NotAuthenticatedError(message('token.no_credentials'), 'ERROR_INVALID_HEADER');
  if (more.length > 0) throw new NotAuthenticatedError(message('token.has_spaces'), 'ERROR_INVALID_HEADER');
  return token;
}

async function checkJwt(token: string, attempt: Attempt): Promise<SignedIn> {
  const { credentials } = attempt;
  const started = performance.now();
  const jwt = readJwt(token);
  attempt.issuer = isApiKey(jwt.issuer) ? jwt.issuer : null;
  const row = attempt.issuer === null ? null : await findApiKey(attempt.issuer);
  // A revoked key gets the same response as an unknown one.
  const key = row === null || row.revokedAt !== null ? null : row;
  const secret = key === null ? null : secretOf(key);
  const proven = verifyJwt(jwt, secret ?? openDecoy());
  if (key === null || secret === null || !proven) {
    await until(started + REFUSAL_MS);
    throw badSignature();
  }
  const now = attempt.now ?? Math.floor(key.now);
  const rule = config.JWT_JTI === 'strict' ? 'required' : credentials.jti;
  const { exp, jti } = checkClaims(jwt, now, {
    isNonceRequired: rule === 'required',
    maxLifetime: credentials.jti === 'repeatable' ? MAX_LIFETIME + CLOCK_READINGS : MAX_LIFETIME,
  });
  if (key.expires !== null && key.expires.getTime() / 1000 <= now)
    throw new NotAuthenticatedError(message('token.key_expired', { time: isoTime(key.expires) }));
  if (key.isInactive) throw new NotAuthenticatedError(message('token.account_disabled'));
  if (key.readDevAgreement === null) throw new NotAuthenticatedError(message('token.agreement_not_accepted'));
  if (jti !== null && !(await consumeNonce({ ...jwt, jti, exp }, rule))) {
    throw new NotAuthenticatedError(message('token.replayed'));
  }
  const via = { scheme: 'jwt', apiKeyId: key.id, addonId: key.addonId } as const;
  recordLastUsed(via, credentials.ip, key.lastUsed, now);
  if (key.addonId !== null && credentials.acceptsUploadKeys !== true) {
    throw new NotPermittedError(message('token.only_uploads'));
  }
  const rules = key.addonId === null ? key.rules : [];
  return { kind: 'account', accountId: key.accountId, username: key.username, rules, via };
}

/** The dummy secret, which is sealed again once its key was replaced. */
function openDecoy(): string {
  decoy ??= sealSecret(newApiKeyPair().secret);
  try {
    return openSecret(decoy);
  } catch {
    decoy = sealSecret(newApiKeyPair().secret);
    return openSecret(decoy);
  }
}

/** Null for a secret that was sealed with a lost key: its owner must create another API key. */
function secretOf({ id, sealedSecret }: { id: number; sealedSecret: Uint8Array }): string | null {
  try {
    return openSecret(sealedSecret);
  } catch (error) {
    if (!(error instanceof UnopenableSecretError)) throw error;
    log.warn({ err: error, apiKeyId: id }, 'A request with this API key is refused.');
    return null;
  }
}

/** Waits until a value of `performance.now()`, more precisely than timers, whose 1 ms steps would leak the earlier duration. */
async function until(moment: number): Promise<void> {
  const early = moment - performance.now() - 1;
  if (early > 0) await setTimeout(early);
  while (performance.now() < moment) await setImmediate();
}

async function checkBearer(text: string, attempt: Attempt): Promise<SignedIn> {
  if (!isAccessToken(text)) throw notAccessToken(text);
  const token = await findAccessToken(text);
  if (token === null || token.revokedAt !== null || token.isInactive) {
    throw new NotAuthenticatedError(message('token.unknown_access_token'));
  }
  const now = attempt.now ?? Math.floor(token.now);
  if (token.expires.getTime() / 1000 <= now) {
    const time = isoTime(token.expires);
    throw new NotAuthenticatedError(message('token.access_token_expired', { time }), 'ERROR_SIGNATURE_EXPIRED');
  }
  const via = { scheme: 'bearer', tokenId: token.id, signedInAt: token.created } as const;
  recordLastUsed(via, attempt.credentials.ip, token.lastUsed, now);
  return { kind: 'account', accountId: token.accountId, username: token.username, rules: token.rules, via };
}
