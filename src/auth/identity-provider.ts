/* The OpenID provider that accounts sign in through: discovery, authorization requests, codes (docs/decisions.md D101 to D105, D108). */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  type ServerMetadata,
} from 'openid-client';
import { config } from '../config.ts';
import { SignInError, UnavailableError } from '../errors.ts';
import { log } from '../infra/log.ts';
import { message } from '../texts/messages.ts';
import { fetchBounded, ProviderKeys, ProviderRequests } from './provider-requests.ts';

/** Signature algorithms of ID tokens. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];

/** Limit of one request to the provider, in seconds. */
const TIMEOUT_S = 5;

/** The secrets of one sign-in. */
export interface AttemptSecrets {
  state: string;
  nonce: string;
  /** Proves at the token endpoint that the sign-in was started here (PKCE). */
  verifier: string;
}

/** What the provider says about a person. */
export interface Identity {
  issuer: string;
  /** The provider's name for the person. */
  subject: string;
  /** Null when the provider states none. */
  email: string | null;
  isEmailVerified: boolean;
  /** The values of the claim `OIDC_GROUPS_CLAIM` that `OIDC_GROUPS` maps to groups. */
  groupValues: readonly string[];
  /** How the provider authenticated the person (`acr`); null when it states nothing. */
  acr: string | null;
}

/** The address that the provider sends browsers back to: one for all API versions. */
const redirectUri = (): string => `${config.BASE_URL}/api/v4/accounts/authenticate/`;

interface Provider {
  issuer: string;
  metadata: Promise<ServerMetadata>;
  keys: ProviderKeys;
}

let current: Provider | undefined;

/** The provider of the settings. Its metadata are read when first needed, and again after failures. */
function provider(issuer: string): Provider {
  if (current?.issuer !== issuer) {
    const made: Provider = { issuer, metadata: discover(issuer), keys: new ProviderKeys() };
    made.metadata.catch(() => forget(made));
    current = made;
  }
  return current;
}

function forget(failed: Provider): void {
  if (current === failed) current = undefined;
}

const isPlain = (issuer: string): boolean => issuer.startsWith('http:');

async function discover(issuer: string): Promise<ServerMetadata> {
  const execute = isPlain(issuer) ? [allowInsecureRequests] : [];
  try {
    const found = await discovery(new URL(issuer), clientId(), {}, None(), {
      ...{ execute, timeout: TIMEOUT_S },
      [customFetch]: (url, options) => fetchBounded(url, options as RequestInit),
    });
    return { ...found.serverMetadata() };
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'discovery of the identity provider failed');
    throw providerDown();
  }
}

const providerDown = () => new UnavailableError(message('sign_in.provider_unavailable'));

function clientId(): string {
  if (config.OIDC_CLIENT_ID === undefined) throw new Error('OIDC_CLIENT_ID is not set');
  return config.OIDC_CLIENT_ID;
}

/** How this service authenticates itself; without `token_endpoint_auth_methods_supported`, providers take the Basic scheme. */
function clientAuthentication({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): ClientAuth {
  const secret = config.OIDC_CLIENT_SECRET;
  if (secret === undefined) return None();
  return methods === undefined || methods.includes('client_secret_basic')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret);
}

/** The library's settings for one sign-in. The signature of ID tokens is always verified. */
function configurationFor(metadata: ServerMetadata, issuer: string): Configuration {
  const server = { ...metadata, id_token_signing_alg_values_supported: ALGORITHMS };
  const configuration = new Configuration(server, clientId(), {}, clientAuthentication(metadata));
  configuration.timeout = TIMEOUT_S;
  if (isPlain(issuer)) allowInsecureRequests(configuration);
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/**
 * The address at the provider where a person signs in (docs/decisions.md D101).
 * @throws {UnavailableError} when the provider cannot be reached.
 */
export async function authorizationUrl(issuer: string, { state, nonce, verifier }: AttemptSecrets): Promise<string> {
  const metadata = await provider(issuer).metadata;
  return buildAuthorizationUrl(configurationFor(metadata, issuer), {
    redirect_uri: redirectUri(),
    scope: config.OIDC_SCOPES,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(config.OIDC_REQUIRED_ACR.length === 0 ? {} : { acr_values: config.OIDC_REQUIRED_ACR.join(' ') }),
  }).href;
}

/** The parameters that the provider adds to `redirectUri`. */
interface Callback {
  code: string;
  /** The parameter `iss` (RFC 9207). */
  issuer: string | null;
}

/**
 * Redeems a code and verifies the ID token. Reads the e-mail address and groups from there or from the UserInfo endpoint.
 * @throws {SignInError} `no-profile` when the provider refuses the code or a check fails, {UnavailableError} when the provider
 * cannot be reached.
 */
export async function redeemCode(issuer: string, callback: Callback, secrets: AttemptSecrets): Promise<Identity> {
  const used = provider(issuer);
  const metadata = await used.metadata;
  const requests = new ProviderRequests(metadata, used.keys);
  const configuration = configurationFor(metadata, issuer);
  configuration[customFetch] = requests.fetch;
  try {
    return await readIdentity(configuration, callback, secrets);
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'sign-in failed at the identity provider');
    if (!requests.isProviderDown) throw new SignInError('no-profile');
    forget(used);
    throw providerDown();
  }
}

async function readIdentity(
  configuration: Configuration,
  { code, issuer }: Callback,
  { state, nonce, verifier }: AttemptSecrets,
): Promise<Identity> {
  const url = new URL(redirectUri());
  url.search = new URLSearchParams({ code, state, ...(issuer === null ? {} : { iss: issuer }) }).toString();
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
  const tokens = await authorizationCodeGrant(configuration, url, checks);
  const claims = tokens.claims();
  // At most 255 ASCII characters (OpenID Connect Core, section 2).
  if (claims === undefined || !/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new Error('no usable subject');
  const userInfo = await missingClaims(configuration, claims, tokens.access_token);
  const profile = claims.email === undefined && userInfo !== null ? userInfo : claims;
  const { OIDC_GROUPS_CLAIM: groups } = config;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof profile['email'] === 'string' ? profile['email'] : null,
    isEmailVerified: config.OIDC_TRUST_EMAIL || profile['email_verified'] === true,
    groupValues: groups === undefined ? [] : mappedValues(claims[groups] ?? userInfo?.[groups]),
    acr: typeof claims['acr'] === 'string' ? claims['acr'] : null,
  };
}

interface Claims {
  readonly [claim: string]: unknown;
}

/** The claims of the UserInfo endpoint when the ID token lacks one that the service reads; null when it lacks none. */
async function missingClaims(
  configuration: Configuration,
  claims: IDToken,
  accessToken: string,
): Promise<Claims | null> {
  const needed = ['email', ...(config.OIDC_GROUPS_CLAIM === undefined ? [] : [config.OIDC_GROUPS_CLAIM])];
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  if (!hasUserInfo || needed.every((claim) => claims[claim] !== undefined)) return null;
  return fetchUserInfo(configuration, accessToken, claims.sub);
}

/** The values of the groups claim that the settings map, from a list of texts or one text. All other forms have none. */
function mappedValues(claim: unknown): string[] {
  const stated = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  return [...new Set(config.OIDC_GROUPS.map(({ value }) => value))].filter((value) => stated.has(value));
}

/** Why a request to the provider failed, without the data of requests and responses. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: { message?: unknown } };
  const deeper = cause instanceof Error ? `: ${cause.message}` : '';
  return `${typeof code === 'string' ? `${code}: ` : ''}${message}${deeper}`;
}
