/* An OpenID provider on loopback that signs in a given person without interaction. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type JWK } from 'oidc-provider';
import type { TestApp } from './app.ts';

/** The claims of a person at the provider. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  groups?: unknown;
  /** How the provider has authenticated the person. */
  acr?: string;
}

export interface RealProvider {
  issuer: string;
  /** The person of later sign-ins. */
  person: Person;
  /** Signs later tokens with a new key of this algorithm. */
  rotateKey(kid: string, alg: 'RS256' | 'PS256' | 'ES256'): void;
  close(): void;
}

export const CLIENT = { id: 'addons', secret: 'a-client-secret' };

/** Starts a provider with which people sign in to the app. */
export async function connectProvider(app: TestApp): Promise<RealProvider> {
  const provider = await startProvider(`${app.url}/api/v4/accounts/authenticate/`);
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
  Object.assign(app.config, settings);
  return provider;
}

/** Starts a provider whose client may return to `redirectUri`. */
async function startProvider(redirectUri: string): Promise<RealProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let person: Person = { sub: 'unknown' };
  let current = providerWith(issuer, redirectUri, 'first', 'RS256', () => person);
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return current.callback()(request, response);
    await current.interactionFinished(request, response, {
      login: { accountId: person.sub, ...(person.acr === undefined ? {} : { acr: person.acr }) },
    });
  });
  return {
    issuer,
    get person() {
      return person;
    },
    set person(value) {
      person = value;
    },
    rotateKey: (kid, alg) => {
      current = providerWith(issuer, redirectUri, kid, alg, () => person);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function providerWith(issuer: string, redirectUri: string, kid: string, alg: string, person: () => Person): Provider {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: alg as 'RS256',
      },
    ],
    jwks: { keys: [{ ...(privateKey.export({ format: 'jwk' }) as unknown as JWK), kid, alg, use: 'sig' }] },
    ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a-key-for-cookies'] },
    claims: { email: ['email', 'email_verified', 'groups'], acr: null },
    acrValues: ['password', 'mfa'],
    scopes: ['openid', 'profile', 'email'],
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...person(), sub }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  return provider;
}
